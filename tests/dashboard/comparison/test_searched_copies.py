"""Frozen searches as sources of a comparison: it says where the sources were selected differently."""

import pytest
from django.test import Client

from tests.dashboard.comparison.test_frozen_sources import freeze_id
from tests.dashboard.frozen.copies import VIEW
from tests.dashboard.reading import words
from tests.fake_service import FakeService, a_tag

pytestmark = pytest.mark.django_db
DIFFERENTLY = "The sources were selected differently:"
SAME = "Only tags that the data provider found for “a”, as in the copy."


@pytest.fixture(autouse=True)
def tags(stand_in: FakeService) -> None:
    stand_in.has("category", 125, [a_tag("usa"), a_tag("trade"), a_tag("monthly")])
    stand_in.has("release", 53, [a_tag("usa"), a_tag("trade"), a_tag("monthly")])


def notices(client: Client, sources: str) -> str:
    return " ".join(words(client.get(f"/compare/?{sources}"), "//p[starts-with(@class, 'notice')]"))


def note_in(client: Client, sources: str, suffix: str = "csv") -> str:
    """Return the line of a file that says it."""
    text = client.get(f"/compare.{suffix}?{sources}").getvalue().decode()
    return next((line for line in text.splitlines() if "note" in line), "")


@pytest.mark.parametrize("other", ["?search_text=trade", ""])
def test_copies_of_other_searches_are_not_compared_as_whole(client: Client, other: str) -> None:
    first, last = freeze_id(client, f"{VIEW}?search_text=a", title="One"), freeze_id(client, VIEW + other, title="Two")
    for sources in (f"a=frozen:{first}&b=frozen:{last}", f"a=frozen:{last}&b=frozen:{first}"):
        for text in (notices(client, sources), note_in(client, sources), note_in(client, sources, "md")):
            assert DIFFERENTLY in text
            assert "One, frozen " in text
            assert " has only tags found for “a”" in text
            assert (" has only tags found for “trade”" if other else " has no text filter") in text


def test_live_source_beside_copies_of_two_searches_has_no_text_filter(client: Client) -> None:
    first, last = (freeze_id(client, f"{VIEW}?search_text={text}") for text in ("a", "trade"))
    text = notices(client, f"a=frozen:{first}&b=frozen:{last}&c=category:125")

    assert DIFFERENTLY in text
    assert "Category 125 has no text filter" in text


@pytest.mark.parametrize("live", ["category:125", "release:53"])
def test_files_beside_a_live_source_name_the_search(client: Client, live: str) -> None:
    sources = f"a=frozen:{freeze_id(client, f'{VIEW}?search_text=a')}&b={live}"

    assert SAME in notices(client, sources)
    for suffix in ("csv", "md", "tex"):
        assert SAME in note_in(client, sources, suffix)


def test_whole_sources_need_no_note(client: Client) -> None:
    sources = f"a=frozen:{freeze_id(client, f'{VIEW}?tag_group_id=geo')}&b=frozen:{freeze_id(client)}"

    assert notices(client, sources) == note_in(client, sources) == ""


def test_comparison_of_copies_alone_has_no_current_view(client: Client) -> None:
    copies = f"a=frozen:{freeze_id(client)}&b=frozen:{freeze_id(client, f'{VIEW}?search_text=a')}"
    alone, dated = client.get(f"/compare/?{copies}"), client.get(f"/compare/?{copies}&c=category:125@2020-01-01")

    assert "Show current" not in alone.text
    assert "Fixed at" not in alone.text
    assert "Show current" in dated.text
