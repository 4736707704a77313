"""Unknown fields of a service do not fill the log."""

import pytest
from structlog.testing import capture_logs

from econweb.upstream.replies import unknown_fields


def test_at_most_a_hundred_unknown_fields_are_logged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unknown_fields, "_logged", set())
    with capture_logs() as logs:
        unknown_fields.log_unknown_once([f"made up {number}" for number in range(1000)])

    assert len(logs) == 100
