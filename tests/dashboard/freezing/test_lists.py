"""The lists of frozen copies, and the number of them that a live page says."""

import re
from collections.abc import Callable
from datetime import timedelta
from unittest.mock import Mock

import pytest
from django.core.wsgi import get_wsgi_application
from django.db import DatabaseError, connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django import Settings
from structlog.testing import capture_logs

from econweb.library import public_copies
from econweb.library.models import EVERYONE, ME, SIGNED_IN, FrozenCopy
from econweb.serving.response_cache import cache_responses
from tests.builders import a_series
from tests.dashboard.reading import canonical, links, row_heads, words
from tests.dashboard.saved.people import client_of, let_people_sign_in
from tests.fake_service import FakeService
from tests.library.builders import NOW, TARGET, a_frozen_copy
from tests.serving.cacheable_site import Answer, asked

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("category_125")]
TAGS = "/category/125/tags/"


@pytest.mark.parametrize("path", ["/frozen/", "/me/frozen/"])
def test_long_list_has_pages(client: Client, path: str) -> None:
    FrozenCopy.objects.bulk_create(
        a_frozen_copy(title=f"Copy {number:03}", created=NOW + timedelta(hours=number)) for number in range(120)
    )
    first = client.get(path)
    second = client.get(links(first)["Next"])
    last = client.get(links(second)["Next"])
    beyond = client.get(f"{path}?offset=500")

    assert [row_heads(page)[0] for page in (first, second, last)] == ["Copy 119", "Copy 069", "Copy 019"]
    assert [len(row_heads(page)) for page in (first, second, last)] == [50, 50, 20]
    assert words(second, "//caption") == ["51–100 of 120 frozen copies"]
    assert links(last)["Previous"] == canonical(second) == f"{path}?offset=50"
    assert "No frozen copy on this page" in beyond.text
    assert client.get(f"{path}?offset=x").status_code == 400


def test_lists_are_searched_by_title_reason_and_person(client: Client) -> None:
    for title, reason, person in (("Trade", "", "ada"), ("Prices", "for trade", "ada"), ("Wages", "", "trade_union")):
        a_frozen_copy(title=title, reason=reason, person=person).save()
    a_frozen_copy(title="Other").save()

    for path in ("/frozen/", "/me/frozen/"):
        # The names of people are for those who are signed in.
        of_people = {"Wages"} if path.startswith("/me/") else set()
        assert set(row_heads(client.get(f"{path}?q=TRADE"))) == {"Trade", "Prices"} | of_people
        assert "No frozen copy with “x”" in client.get(f"{path}?q=x").text
        fragment = client.get(f"{path}?q=trade", headers={"HX-Request": "true", "HX-Target": "results"})
        assert fragment.text.lstrip().startswith("<title>")
        assert client.get(path, {"q": " trade ", "form": "plain"})["Location"] == f"{path}?q=trade"


def test_list_for_everyone_leads_from_its_empty_page_to_own_copies(client: Client) -> None:
    a_frozen_copy(audience=ME).save()
    page = client.get("/frozen/")

    assert words(page, "//h2") == ["No copy is frozen for everyone"]
    assert words(page, "//*[@class='empty-state']//a[@href='/me/frozen/']") == ["those that you may see"]


def save_all_states() -> None:
    for audience in (ME, SIGNED_IN, EVERYONE):
        a_frozen_copy(title=f"For {audience}", audience=audience).save()
    a_frozen_copy(title="Withdrawn", withdrawn=timezone.now()).save()
    a_frozen_copy(title="Expired", expires=timezone.now() - timedelta(seconds=1)).save()
    a_frozen_copy(title="Other view", target="/category/9/tags/").save()


def test_public_list_and_count_have_copies_for_everyone_alone(client: Client, settings: Settings) -> None:
    let_people_sign_in(settings)
    save_all_states()
    public = [client_of(name).get("/frozen/") for name in ("stranger", "ada", "root")]

    assert {*row_heads(public[0])} == {"For everyone", "Other view"}
    assert public[0].content == public[1].content == public[2].content
    assert row_heads(client.get(f"/frozen/?target={TARGET}")) == ["For everyone"]
    assert "1 frozen copy of this view" in client.get(TAGS).text
    mine = {name: {*row_heads(client_of(name).get("/me/frozen/"))} for name in ("ada", "bob")}
    assert mine["ada"] == {"For me", "For signed-in", "For everyone", "Withdrawn", "Expired", "Other view"}
    assert mine["bob"] == mine["ada"] - {"For me"}


@pytest.mark.parametrize(
    "view",
    [
        TAGS,
        f"{TAGS}?tag_group_id=geo",
        "/series/GNPCA/",
        "/series/?ids=GNPCA",
        "/series/GNPCA/?realtime_start=2020-01-01&realtime_end=2020-01-01",
    ],
)
def test_live_page_says_how_many_copies_there_are(client: Client, stand_in: FakeService, view: str) -> None:
    stand_in.seriess["GNPCA"] = [a_series() | {"popularity": 39}]
    before = client.get(view).text
    for _ in range(2):
        a_frozen_copy(target=view).save()
    public_copies._count_all.cache_clear()
    page = client.get(view)
    link = links(page)["2 frozen copies of this view"]

    assert "of this view" not in before
    assert len(row_heads(client.get(link))) == 2
    assert links(client.get(link))["one view"] == view
    assert "frozen cop" not in client.get(view + ("&" if "?" in view else "?") + "embed=1").text


def test_count_is_at_most_ten_seconds_old_and_costs_nothing_before(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    moment = [600.0]
    monkeypatch.setattr("econweb.library.public_copies.time.time", lambda: moment[0])
    first = client.get(TAGS)
    a_frozen_copy().save()
    moment[0] += 9
    with CaptureQueriesContext(connection) as queries:
        again = client.get(TAGS, headers={"If-None-Match": first["ETag"]})
    moment[0] += 1
    later = client.get(TAGS, headers={"If-None-Match": first["ETag"]})

    assert again.status_code == 304
    assert not [query for query in queries if "frozencopy" in query["sql"]]
    assert "1 frozen copy of this view" in later.text
    assert later["ETag"] != first["ETag"]


def test_cached_page_takes_the_new_count(monkeypatch: pytest.MonkeyPatch) -> None:
    cached, moment = cache_responses(get_wsgi_application()), [0.0]
    monkeypatch.setattr("econweb.serving.response_cache.time.monotonic", lambda: moment[0])

    def get() -> Answer:
        return asked(
            lambda environ, start: cached({**environ, "PATH_INFO": TAGS}, start),
            host="testserver",
            accept_encoding="identity",
        )

    before = get()
    a_frozen_copy().save()
    public_copies._count_all.cache_clear()
    unchecked = get()
    moment[0] += 2
    after = get()

    assert unchecked.body == before.body
    assert b"1 frozen copy of this view" in after.body


def test_first_page_of_another_view_counts_no_copies_again(client: Client, stand_in: FakeService) -> None:
    client.get(TAGS)
    with CaptureQueriesContext(connection) as queries:
        page = client.get(f"{TAGS}?order_by=name")

    assert page.status_code == 200
    assert not [query for query in queries if "frozencopy" in query["sql"]]


@pytest.mark.parametrize("most", [0, 1, 2])
def test_copies_are_counted_however_many_views_have_some(
    client: Client, stand_in: FakeService, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    monkeypatch.setattr(public_copies, "MAX_VIEWS", most)
    for view in (TAGS, TAGS, f"{TAGS}?order_by=name"):
        a_frozen_copy(target=view).save()

    assert "2 frozen copies of this view" in client.get(TAGS).text
    assert "1 frozen copy of this view" in client.get(f"{TAGS}?order_by=name").text
    assert "frozen cop" not in client.get(f"{TAGS}?order_by=created").text


@pytest.mark.parametrize("succeeding", [0, 1])
def test_live_page_without_a_database_says_no_number(
    client: Client, monkeypatch: pytest.MonkeyPatch, succeeding: int
) -> None:
    a_frozen_copy().save()
    found = [public_copies.public_copies()] * succeeding
    monkeypatch.setattr(public_copies, "MAX_VIEWS", 0)
    monkeypatch.setattr(public_copies, "public_copies", Mock(side_effect=[*found, DatabaseError]))
    with capture_logs() as logged:
        page = client.get(TAGS)
        client.get(TAGS)

    assert page.status_code == 200
    assert "frozen cop" not in page.text
    # The second page does not wait for the database again.
    failures = [line for line in logged if line["event"] == "frozen copies cannot be counted"]
    assert [line["kind"] for line in failures] == ["DatabaseError"]


def test_public_list_is_cached_until_a_copy_changes(client: Client) -> None:
    copy = a_frozen_copy(expires=timezone.now() + timedelta(days=1))
    copy.save()
    etag = client.get("/frozen/")["ETag"]
    again = client.get("/frozen/", headers={"If-None-Match": etag}).status_code
    FrozenCopy.objects.update(expires=timezone.now())

    assert again == 304
    assert client.get("/frozen/", headers={"If-None-Match": etag}).status_code == 200


def test_state_of_each_copy_is_named(client: Client, settings: Settings) -> None:
    let_people_sign_in(settings)
    save_all_states()
    page = client_of("ada").get("/me/frozen/")
    states = dict(zip(row_heads(page), words(page, "//tbody/tr/td[last()]"), strict=True))

    assert states == {
        "For me": "Only ada and the administrators",
        "For signed-in": "People who are signed in",
        "For everyone": "Everyone",
        "Withdrawn": "Withdrawn",
        "Expired": "Expired",
        "Other view": "Everyone",
    }
    assert re.search("Withdraw", page.text)


def test_public_list_is_new_whatever_moment_a_change_has(client: Client) -> None:
    """The clock of a host may be behind, and a transaction may begin first and end last."""
    for title, changed in (("One", NOW), ("Two", NOW - timedelta(days=1))):
        a_frozen_copy(title=title, changed=changed).save()
    first = client.get("/frozen/")
    check: Callable[[], bool] = first.is_still_valid  # type: ignore[attr-defined]
    assert check()
    FrozenCopy.objects.filter(title="Two").update(title="New", changed=NOW - timedelta(seconds=5))
    again = client.get("/frozen/", headers={"If-None-Match": first["ETag"]})

    assert (check(), again.status_code, sorted(row_heads(again))) == (False, 200, ["New", "One"])
