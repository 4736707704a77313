"""Removal of API keys from pasted text."""

import re

import pytest
from django.conf import settings
from hypothesis import example, given
from hypothesis import strategies as st

from econweb.redaction import PASTED_KEY, QUOTED_KEY, has_key, remove_pasted_key

KEY = "k" * 32
PIECES = st.sampled_from(["api_key", ": ", " = ", "apikey", "=", "%3D", ":", " ", "&", "#", '"', KEY, "GDP"])


@pytest.mark.parametrize("pattern", [PASTED_KEY, QUOTED_KEY])
def test_browser_removes_keys_by_the_patterns_of_the_program(pattern: re.Pattern[str]) -> None:
    script = (settings.BASE_DIR / "static/scripts/search_box.js").read_text()

    assert f" = /{pattern.pattern}/gi;" in script


@pytest.mark.parametrize("name", ["api_key=", "API_KEY=", "apikey=", "api_key%3D"])
def test_api_key_value_is_removed_and_parameter_kept(name: str) -> None:
    pasted = f"https://service.example/series?{name}{KEY}&series_id=GDP"

    assert has_key(pasted)
    assert remove_pasted_key(pasted) == f"https://service.example/series?{name}&series_id=GDP"


@given(st.lists(PIECES, max_size=12).map("".join))
@example(f"api_key={KEY} =b =c")
def test_api_key_removal_is_idempotent(text: str) -> None:
    assert remove_pasted_key(remove_pasted_key(text)) == remove_pasted_key(text)
