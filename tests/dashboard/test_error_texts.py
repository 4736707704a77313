"""The table of error texts."""

from string import Formatter

from econweb.dashboard.error_texts.table import ERRORS
from econweb.upstream import errors


def test_error_texts_cover_every_service_error() -> None:
    classes = {
        name
        for name, kind in vars(errors).items()
        if isinstance(kind, type) and issubclass(kind, errors.UpstreamError) and kind is not errors.UpstreamError
    }

    assert {code for code in ERRORS if code[0].isupper()} == classes


def test_error_texts_have_status_and_message() -> None:
    for code, text in ERRORS.items():
        assert 400 <= text.status < 600, code
        assert bool(text.message) != code[0].isupper(), code


def test_error_texts_fill_named_values_only() -> None:
    names = {
        name for text in ERRORS.values() for part in text for _, name, _, _ in Formatter().parse(str(part)) if name
    }

    expected = "by day host message most name reason request_id role seconds text title until verb"
    assert sorted(names) == expected.split()
