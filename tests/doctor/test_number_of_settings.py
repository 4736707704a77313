"""The number of settings that are set, as `manage.py doctor` says it."""

import pytest

from econweb.config.environment import names_read
from econweb.doctor.setting_checks import check_settings


@pytest.mark.parametrize(
    ("names", "said"),
    [
        ([], "no setting is set"),
        (["SITE_NAME"], "the one setting that is set has an effect"),
        (["SITE_NAME", "READ"], "each of the 2 settings that are set has an effect"),
    ],
)
def test_doctor_counts_the_settings_that_are_set(monkeypatch: pytest.MonkeyPatch, names: list[str], said: str) -> None:
    for name in names_read:
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(f"{name}_FILE", raising=False)
    for name in names:
        monkeypatch.setenv(name, "anyone")

    assert [finding.text for finding in check_settings()] == [said]
