"""A failure of the index of titles is no search without results."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from django.db import OperationalError, connection
from django.test import Client

from econweb.search_index.titles.full_text import FULL_TEXT, TITLES
from tests.dashboard.mcp.asking import ask
from tests.dashboard.reading import alert, words
from tests.dashboard.series_search.test_series_search import ids
from tests.search_index.sample import sample_titles

pytestmark = pytest.mark.django_db
__all__ = ["sample_titles"]


@pytest.fixture
def repair(sample_titles: None) -> Iterator[Callable[[], None]]:
    """Let every read of the titles fail, until the test calls this."""

    def fail(execute: Callable[..., Any], statement: str, *rest: Any) -> Any:
        if FULL_TEXT in statement or TITLES in statement:
            raise OperationalError("planted: database disk image is malformed")
        return execute(statement, *rest)

    with ExitStack() as failing:
        failing.enter_context(connection.execute_wrapper(fail))
        yield failing.close


@pytest.mark.parametrize("link", ["/search/?q=gdp", "/search.json?q=gdp", "/go?q=gdp+zinc"])
def test_search_whose_index_fails_says_so(client: Client, repair: Callable[[], None], link: str) -> None:
    """P4: also where a search box would say that nothing matches."""
    failed = client.get(link)
    repair()

    assert (failed.status_code, "ETag" in failed) == (503, False)
    assert int(failed["Retry-After"]) > 0
    assert "planted" not in failed.text
    assert client.get(link).status_code != 503


def test_search_page_is_whole_once_its_index_is_read_again(client: Client, repair: Callable[[], None]) -> None:
    failed = client.get("/search/?q=gdp")
    repair()

    assert alert(failed)
    assert "GDP" in ids(client.get("/search/?q=gdp"))


def test_assistant_does_not_read_that_nothing_was_found(client: Client, repair: Callable[[], None]) -> None:
    failed = ask(client, "tools/call", name="search_series", arguments={"q": "gdp"})
    repair()

    assert failed.status_code == 503
    assert "found" not in failed.text


@pytest.mark.usefixtures("repair")
def test_box_whose_index_fails_has_its_other_suggestions(client: Client) -> None:
    assert words(client.get("/suggest?q=category+125"), "//*[@role='option']")
