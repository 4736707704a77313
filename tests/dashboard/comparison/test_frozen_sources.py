"""Frozen copies as sources of a comparison: with what is live, with each other, and for those who may see them."""

import re

import pytest
from django.core.cache import cache
from django.test import Client
from pytest_django import Settings

from econweb.library.models import ME, Body, FrozenCopy
from econweb.upstream import service
from tests.builders import a_series
from tests.dashboard.frozen.copies import VIEW, freeze
from tests.dashboard.reading import Answer, alert, canonical, links, row_heads, rows_of, words
from tests.fake_service import FakeService, a_tag

pytestmark = pytest.mark.django_db
BEFORE = [a_tag("usa", series_count=9), a_tag("gone"), a_tag("near", series_count=100), a_tag("same")]
AFTER = [
    a_tag("usa", series_count=3, notes="Other"),
    a_tag("new one"),
    a_tag("near", series_count=101),
    a_tag("same"),
]


def renew() -> None:
    service.upstream.cache_clear()
    cache.clear()


def freeze_id(client: Client, target: str = VIEW, **fields: str) -> str:
    freeze(client, target, **fields)
    return str(FrozenCopy.objects.latest("created").pk)


@pytest.fixture
def copy_id(client: Client, stand_in: FakeService) -> str:
    """The id of a copy whose view changed afterwards."""
    stand_in.has("category", 125, BEFORE)
    copy_id = freeze_id(client)
    stand_in.has("category", 125, AFTER)
    renew()
    return copy_id


def assert_difference(page: Answer) -> None:
    assert words(page, "//p[@class='summary']") == ["1 gone, 1 new, 1 changed, 1 with small movements only."]
    assert words(page, "//section[@class='difference']/h2") == ["Gone (1)", "New (1)", "Changed (1)"]
    assert words(page, "//section[@class='difference']/p") == ["gone", "new one"]
    assert row_heads(page) == ["usa", "usa", "near"]
    assert words(page, "//details/summary")[-1] == "Small movements of popularity and counts (1)"


def test_copy_is_compared_with_what_is_live(client: Client, copy_id: str) -> None:
    answer = client.get(f"/frozen/{copy_id}/?against=live")
    page = client.get(answer["Location"])

    assert answer["Location"] == f"/compare/?a=frozen:{copy_id}&b=category:125"
    assert_difference(page)
    assert re.fullmatch(r"Frozen [0-9-]{10} Now", " ".join(words(page, "//section//thead/tr/th")[2:4]))
    assert canonical(page) == answer["Location"]
    assert links(page)["Category 125"] == VIEW
    assert re.fullmatch(rf"/frozen/{copy_id}/", links(page)[words(page, "//h1/a")[0]])
    assert page["X-Robots-Tag"] == "noindex"
    # As many requests as for the live page: a second look is answered by the cache.
    assert client.get(answer["Location"]).content == page.content


def test_two_copies_are_compared(client: Client, copy_id: str, stand_in: FakeService) -> None:
    later = freeze_id(client)
    stand_in.tags.clear()
    renew()

    page = client.get(f"/compare/?a=frozen:{copy_id}&b=frozen:{later}")
    assert_difference(page)
    # Both are of one day.
    assert words(page, "//section//thead/tr/th")[2:4] == ["Before", "After"]


@pytest.mark.parametrize("text", ["http://testserver/frozen/{}/", "/frozen/{}.csv", "/me/frozen/{}/check", "frozen:{}"])
def test_copy_is_found_as_people_paste_it(client: Client, copy_id: str, text: str) -> None:
    page = client.get("/compare/", {"a": text.format(copy_id.upper()), "b": "category:125", "form": "plain"})

    assert page["Location"] == f"/compare/?a=frozen:{copy_id}&b=category:125"


def test_date_alone_means_the_live_view_on_that_date(client: Client, copy_id: str) -> None:
    page = client.get(f"/compare/?a=frozen:{copy_id}&b_date=2020-01-01&form=plain")

    assert page["Location"] == f"/compare/?a=frozen:{copy_id}&b=category:125@2020-01-01"
    assert "a date of its own" in alert(client.get(f"/compare/?a=frozen:{copy_id}&a_date=2020-01-01"))


def test_difference_is_exported_row_by_row(client: Client, copy_id: str) -> None:
    rows = rows_of(client, f"/compare.csv?a=frozen:{copy_id}&b=category:125")

    assert [(row["change"], row["name"], row["field"], row["a"], row["b"]) for row in rows] == [
        ("gone", "gone", "", "", ""),
        ("new", "new one", "", "", ""),
        ("changed", "usa", "series_count", "9", "3"),
        ("changed", "usa", "notes", "", "Other"),
        ("moved", "near", "series_count", "100", "101"),
    ]
    for suffix in ("json", "xlsx", "md", "tex", "xml"):
        assert client.get(f"/compare.{suffix}?a=frozen:{copy_id}&b=category:125").getvalue()


def test_embedded_difference_has_the_rows_alone(client: Client, copy_id: str) -> None:
    page = client.get(f"/compare/?a=frozen:{copy_id}&b=category:125&embed=1")

    assert_difference(page)
    assert "Export" not in page.text


def test_copy_of_another_owner_is_compared_by_shares(client: Client, copy_id: str, stand_in: FakeService) -> None:
    stand_in.has("release", 53, AFTER)
    page = client.get(f"/compare/?a=frozen:{copy_id}&b=release:53")
    file = rows_of(client, f"/compare.csv?a=frozen:{copy_id}&b=release:53")

    assert set(row_heads(page)) == {"usa", "gone", "new one", "near", "same"}
    assert {row["name"]: row["a_series_count"] for row in file}["usa"] == "9"
    # Dates are fixed for what is live alone.
    assert f"a=frozen:{copy_id}&amp;b=release:53@" in page.text


def test_copy_of_a_search_is_compared_with_the_same_search(client: Client, stand_in: FakeService) -> None:
    stand_in.has("category", 125, [a_tag("usa"), a_tag("other")])
    copy_id = freeze_id(client, f"{VIEW}?search_text=usa")
    page = client.get(f"/compare/?a=frozen:{copy_id}&b=category:125")

    assert "The same 1 row: nothing differs." in page.text
    assert "Only tags that the data provider found for “usa”" in " ".join(words(page, "//*[@class='notice']"))


def test_series_is_compared_field_by_field(client: Client, stand_in: FakeService) -> None:
    stand_in.seriess["GNPCA"] = [a_series(units="Old units") | {"popularity": 39}]
    copy_id = freeze_id(client, "/series/GNPCA/")
    stand_in.seriess["GNPCA"] = [a_series(units="New units") | {"popularity": 39}]
    renew()
    page = client.get(f"/frozen/{copy_id}/?against=live", follow=True)

    assert words(page, "//mark") == ["Units"]
    assert [text for text in words(page, "//td") if text.endswith(" units")] == ["Old units", "New units"]


def test_list_is_compared_series_by_series(client: Client, stand_in: FakeService) -> None:
    for series_id in ("GNPCA", "UNRATE"):
        stand_in.seriess[series_id] = [a_series(id=series_id) | {"popularity": 39}]
    copy_id = freeze_id(client, "/series/?ids=UNRATE,GNPCA&columns=title,units")
    stand_in.seriess["UNRATE"] = [a_series(id="UNRATE", units="Other") | {"popularity": 39}]
    renew()
    answer = client.get(f"/frozen/{copy_id}/?against=live")
    page = client.get(answer["Location"])

    assert answer["Location"] == f"/compare/?a=frozen:{copy_id}&b=list:UNRATE,GNPCA"
    assert words(page, "//section[@class='difference']/h2") == ["Changed (1)"]
    assert row_heads(page) == ["UNRATE"]


def test_sources_of_other_kinds_are_refused(client: Client, copy_id: str) -> None:
    page = client.get(f"/compare/?a=frozen:{copy_id}&b=series:GNPCA")

    assert page.status_code == 400
    assert "Compare a series with a series" in alert(page)


@pytest.mark.parametrize(
    "end", ["/?a=frozen:{}&b=category:125", "/?a=category:125&b=frozen:{}", ".csv?a=frozen:{}&b=x:1", "/?a=frozen:{}"]
)
def test_hidden_copy_is_one_that_never_was(client: Client, stand_in: FakeService, end: str) -> None:
    stand_in.has("category", 125, BEFORE)
    hidden, other = freeze_id(client, audience=ME), "0" * 13
    answers = [client.get("/compare" + end.format(one)) for one in (hidden, other)]

    assert [answer.status_code for answer in answers] == [404, 404]
    assert answers[0].text.replace(hidden, other) == answers[1].text


def test_private_copy_is_compared_below_me(client: Client, stand_in: FakeService) -> None:
    stand_in.has("category", 125, BEFORE)
    copy_id = freeze_id(client, audience=ME)
    stand_in.has("category", 125, AFTER)
    renew()
    answer = client.get(f"/me/frozen/{copy_id}/?against=live")
    page = client.get(answer["Location"])
    inside = [link for link in links(page).values() if f"frozen:{copy_id}" in link]

    assert answer["Location"] == f"/me/compare/?a=frozen:{copy_id}&b=category:125"
    assert_difference(page)
    assert f"/me/frozen/{copy_id}/" in links(page).values()
    assert f"/me/compare.csv?a=frozen:{copy_id}&b=category:125" in inside
    assert all(link.startswith("/me/compare") for link in inside)
    assert 'action="/me/compare/"' in page.text
    assert "no-store" in page["Cache-Control"]


def test_withdrawn_expired_damaged_and_empty_copies_say_so(
    client: Client, stand_in: FakeService, settings: Settings
) -> None:
    stand_in.has("category", 125, BEFORE)
    copy_id = freeze_id(client)
    link = f"/compare/?a=frozen:{copy_id}&b=category:125"
    Body.objects.update(packed=b"nonsense")
    damaged = client.get(link)
    client.post(f"/me/frozen/{copy_id}/withdraw/", {"reason": "The wrong category."})
    withdrawn = client.get(link)
    settings.ECON_MAY_STORE = False
    empty = client.get(link.replace(copy_id, freeze_id(client)))

    assert (damaged.status_code, withdrawn.status_code, empty.status_code) == (503, 410, 404)
    assert "is damaged" in damaged.text
    assert "The wrong category." in withdrawn.text
    assert "digests and no rows" in empty.text


def test_comparison_with_a_copy_is_saved_and_a_hidden_one_is_not(client: Client, copy_id: str) -> None:
    form = {"title": "Then and now", "note": "", "audience": "everyone"}
    saved = client.post("/me/save/", form | {"target": f"/compare/?a=frozen:{copy_id}&b=category:125"})
    page = client.get(saved["Location"])
    FrozenCopy.objects.update(audience=ME)
    refused = client.post("/me/save/", form | {"target": f"/compare/?a=frozen:{copy_id}&b=category:125"})

    assert_difference(page)
    assert refused.status_code == 400
    assert "No such frozen copy." in alert(refused)
    assert client.get(saved["Location"]).status_code == 404


def test_other_service_is_named(client: Client, copy_id: str) -> None:
    FrozenCopy.objects.update(service="https://elsewhere.example.org")

    page = client.get(f"/compare/?a=frozen:{copy_id}&b=category:125")
    assert "asks another data provider now" in page.text


def test_date_in_the_heading_stays_on_one_line(client: Client, copy_id: str) -> None:
    page = client.get(f"/compare/?a=frozen:{copy_id}&b=category:125").text

    assert re.search(r"<h1>.*frozen <time>\d{4}-\d\d-\d\d</time></bdi>.*</h1>", page, re.DOTALL)
