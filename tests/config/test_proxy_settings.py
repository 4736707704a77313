"""The settings of SIGN_IN=proxy belong together."""

from pathlib import Path

import pytest

from tests.config.reading import read_settings, refusal


@pytest.mark.parametrize(
    ("given", "wrong"),
    [
        ({}, "PROXY_ADDRESSES: is needed"),
        ({"PROXY_ADDRESSES": "127.0.0.1", "BEHIND_PROXY": "false"}, "BEHIND_PROXY: has to be true"),
        ({"PROXY_ADDRESSES": "10.0.0.1/8"}, "PROXY_ADDRESSES: has a part that is no address"),
        ({"PROXY_ADDRESSES": "proxy.example.org"}, "PROXY_ADDRESSES: has a part"),
        ({"PROXY_ADDRESSES": "::1", "PROXY_USER_HEADER": "Remote-User"}, "PROXY_USER_HEADER: has other signs"),
        ({"PROXY_ADDRESSES": "::1", "PROXY_USER_HEADER": "Remote_User"}, "PROXY_USER_HEADER: has other signs"),
        ({"PROXY_ADDRESSES": "::1", "PROXY_GROUPS_HEADER": "econwebuser"}, "PROXY_GROUPS_HEADER: is the same"),
    ],
)
def test_wrong_combination_stops_the_start(tmp_path: Path, given: dict[str, str], wrong: str) -> None:
    line = refusal(tmp_path, **{"SIGN_IN": "proxy", "BEHIND_PROXY": "true"} | given)

    assert line.startswith(wrong)
    assert "\n" not in line


def test_settings_of_a_proxy_are_read(tmp_path: Path) -> None:
    given = {"SIGN_IN": "proxy", "BEHIND_PROXY": "true", "PROXY_ADDRESSES": "10.1.0.0/16, ::1"}
    found = read_settings(tmp_path, **given)

    assert [str(network) for network in found["PROXY_ADDRESSES"]] == ["10.1.0.0/16", "::1/128"]
    assert (found["PROXY_USER_HEADER"], found["PROXY_GROUPS_HEADER"]) == ("EconwebUser", "EconwebGroups")
