"""Removal of API keys from pasted text."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from econweb.redaction import has_key, remove_pasted_key

KEY = "k" * 32
PIECES = st.sampled_from(["api_key", ": ", " = ", "apikey", "=", "%3D", ":", " ", "&", "#", '"', KEY, "GDP"])


@pytest.mark.parametrize("name", ["api_key=", "API_KEY=", "apikey=", "api_key%3D"])
def test_api_key_value_is_removed_and_parameter_kept(name: str) -> None:
    pasted = f"https://service.example/series?{name}{KEY}&series_id=GDP"

    assert has_key(pasted)
    assert remove_pasted_key(pasted) == f"https://service.example/series?{name}&series_id=GDP"


@given(st.lists(PIECES, max_size=12).map("".join))
@example(f"api_key={KEY} =b =c")
def test_api_key_removal_is_idempotent(text: str) -> None:
    assert remove_pasted_key(remove_pasted_key(text)) == remove_pasted_key(text)
