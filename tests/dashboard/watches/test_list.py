"""The list of what a person follows: its rows, words, kinds and pages."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django import Settings

from econweb.accounts.people import LOCAL_EDITOR
from econweb.label_book.models import Label
from econweb.search_index.models import SeriesTitle
from econweb.watching import watches
from econweb.watching.models import Watch, WatchedSource
from tests.dashboard.reading import alert, document, links, words
from tests.watching.news_builders import an_announcement

pytestmark = pytest.mark.django_db
LOOKED, DUE = datetime(2026, 11, 20, 3, 0, tzinfo=UTC), datetime(2100, 1, 2, 3, 4, tzinfo=UTC)
FILTERED = "/category/125/tags/?tag_names=a%5C%3Bb%3Busa&tag_group_id=geo&search_text=trade+us"


def follow(client: Client, *targets: str) -> None:
    for target in targets:
        assert client.post("/me/follow/", {"target": target}).status_code == 302


def names(client: Client, query: str = "") -> list[str]:
    return words(client.get(f"/me/watches/{query}"), "//tbody//th/a")


def cells(client: Client) -> list[str]:
    return words(client.get("/me/watches/"), "//tbody//td")


def test_empty_list_explains_how_to_follow(client: Client) -> None:
    page = client.get("/me/watches/")

    assert words(page, "//h2") == ["You follow nothing yet"]
    assert "choose Follow …" in words(page, "//main")[0]
    assert "Stop" not in page.text


def test_list_names_each_watch_with_its_filters_in_words(client: Client) -> None:
    Label.objects.create(kind="category", number=125, name="Trade Balance")
    SeriesTitle.objects.create(place=1, series_id="GNPCA", title="Real GNP", popularity=1)
    follow(client, FILTERED, "/series/GNPCA/", "/series/?ids=A,B,C,D,E,F,G")
    page = client.get("/me/watches/")

    assert names(client) == ["7 series: A, B, C, D, E, F …", "GNPCA · Real GNP", "Trade Balance · Category 125"]
    assert words(page, "//tbody//th/small") == [
        "Series list", "Series", "Tags · Words: trade us · Group: Geography · Tag a;b · Tag usa"
    ]  # fmt: skip
    assert links(page)["GNPCA · Real GNP"] == "/series/GNPCA/"
    labels = document(page).xpath("//tbody//button/@aria-label")
    assert labels[1:] == ["Stop following GNPCA · Real GNP", "Stop following Trade Balance · Category 125"]


def test_row_says_when_it_was_and_will_be_looked_at(client: Client) -> None:
    follow(client, "/series/GNPCA/")
    assert cells(client)[:3] == ["not counted yet", "not yet", "soon"]

    news = [an_announcement(seen=LOOKED - timedelta(days=days)) for days in (1, 3)]
    Watch.objects.get().news.set(news)
    WatchedSource.objects.update(state_at=LOOKED, due=DUE)
    assert cells(client)[:3] == ["2026-11-19 05:00", "2026-11-20 03:00", "2100-01-02 03:04"]
    assert links(client.get("/me/watches/"))["2026-11-19 05:00"] == "/me/news/?source=series:GNPCA"
    WatchedSource.objects.update(state_at=None, candidate_at=LOOKED)
    assert cells(client)[1] == "2026-11-20 03:00"
    WatchedSource.objects.update(due=None)
    assert cells(client)[2] == "none"


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"failure": "Unavailable"}, "The last look failed: the provider did not answer."),
        ({"failure": "NotFound"}, "The last look failed: the provider sent an error without a message."),
        ({"failure": "ValueError"}, "The last look failed: something unexpected happened."),
        ({"failures": 0, "failure": "Busy"}, ""),
    ],
)
def test_failed_look_has_its_reason_in_words(client: Client, fields: dict[str, Any], sentence: str) -> None:
    follow(client, "/series/GNPCA/")
    WatchedSource.objects.update(**({"failures": 2} | fields))
    found = words(client.get("/me/watches/"), "//tbody//th/small")[1:]

    assert found == [one for one in [sentence] if one]


def test_list_counts_its_series_whose_look_failed(client: Client) -> None:
    follow(client, "/series/?ids=A,B,C")
    WatchedSource.objects.filter(key__in="AB").update(failures=1, failure="Busy")

    assert "The last look failed for 2 of 3." in client.get("/me/watches/").text
    # The news of a list are among those of all sources.
    Watch.objects.get().news.add(an_announcement("series:A", seen=LOOKED))
    assert links(client.get("/me/watches/"))["2026-11-20 05:00"] == "/me/news/"


def test_list_is_searched_by_words_and_kind(client: Client) -> None:
    Label.objects.create(kind="category", number=125, name="Trade Balance")
    follow(client, FILTERED, "/release/53/tags/", "/series/GNPCA/", "/series/?ids=GNPCA,UNRATE")

    assert len(names(client, "?q=gnpca")) == 2
    assert names(client, "?q=gnpca+unrate") == ["2 series: GNPCA, UNRATE"]
    assert names(client, "?q=BALANCE+geography") == ["Trade Balance · Category 125"]
    assert names(client, "?kind=list") == names(client, "?q=unrate") == ["2 series: GNPCA, UNRATE"]
    page = client.get("/me/watches/?q=gnpca&kind=tags")
    assert words(page, "//h2") == ["Nothing with “gnpca”"]
    assert [chip.split()[-1] for chip in words(page, "//nav[@aria-label='Kinds']/*")] == ["2", "0", "1", "1"]
    assert client.get("/me/watches/?kind=x").status_code == 400
    assert "Kind" in alert(client.get("/me/watches/?kind=x"))


def test_words_narrow_the_list_alone(client: Client) -> None:
    follow(client, "/series/GNPCA/")
    fragment = client.get("/me/watches/?q=gn", headers={"HX-Request": "true", "HX-Target": "results"})

    assert "<html" not in fragment.text
    assert fragment["HX-Replace-Url"] == "/me/watches/?q=gn"
    assert words(fragment, "//tbody//th/a") == ["GNPCA"]


@pytest.mark.slow
def test_long_list_has_pages_and_stopping_stays_on_its_page(client: Client) -> None:
    for number in range(101):
        link = f"/series/GNP{number}/"
        watches.follow(LOCAL_EDITOR, "series", link, [("series", f"GNP{number}")])
    page = client.get("/me/watches/?offset=50&kind=series")

    assert words(page, "//caption") == ["51–100 of 101 followed"]
    assert links(page)["Next"] == "/me/watches/?kind=series&offset=100"
    first = document(page).xpath("//tbody//button")[0]
    action = document(page).xpath("string(//form[.//tbody]/@action)")
    stopped = client.post(action, {"stop": first.get("value")}, follow=True)
    assert words(stopped, "//caption") == ["51–100 of 100 followed"]
    assert words(stopped, "//*[@role='status']//bdi") == ["GNP50"]
    assert words(client.get("/me/watches/?offset=5000"), "//h2") == ["Nothing on this page"]


def test_list_asks_for_few_things_however_long_it_is(client: Client) -> None:
    def queries() -> list[str]:
        with CaptureQueriesContext(connection) as asked:
            client.get("/me/watches/")
        return [one["sql"][:150] for one in asked if "shelf_label" not in one["sql"]]

    follow(client, "/series/A/", "/category/125/tags/")
    few = queries()
    follow(client, *(f"/series/GNP{number}/" for number in range(5)), "/category/126/tags/", "/series/?ids=A,B")
    assert queries() == few


@pytest.mark.parametrize("stop", ["", "x", "0", "-1", "9" * 18, "9" * 30, "1.5"])
def test_wrong_number_stops_nothing(client: Client, stop: str) -> None:
    follow(client, "/series/GNPCA/")
    answer = client.post("/me/watches/?q=gn", {"stop": stop})

    assert answer["Location"] == "/me/watches/?q=gn"
    assert Watch.objects.count() == 1


def test_number_in_other_digits_stops_nothing(client: Client) -> None:
    follow(client, "/series/GNPCA/")
    number = str(Watch.objects.get().pk).translate(str.maketrans("0123456789", "٠١٢٣٤٥٦٧٨٩"))
    client.post("/me/watches/", {"stop": number})

    assert Watch.objects.count() == 1


@pytest.mark.parametrize("stopped", ["/help/", "/series/GNPCA/", "http://evil.example/series/A/", "x"])
def test_link_claims_no_stop_that_was_not(client: Client, stopped: str) -> None:
    follow(client, "/series/GNPCA/")

    assert "no longer" not in client.get("/me/watches/", {"stopped": stopped, "since": str(timezone.now())}).text


@pytest.mark.usefixtures("category_125")
def test_pages_say_from_when_on_changes_count(client: Client, settings: Settings) -> None:
    target = {"target": "/category/125/tags/"}
    own = client.get("/me/follow/", target)
    settings.ECON_BASE_URL = "https://data.example.org"
    form = client.get("/me/follow/", target)
    new = client.post("/me/follow/", target, follow=True)

    assert "Changes count from the first look on, soon after you follow." in words(own, "//main")[0]
    assert "Changes count once two looks, an hour apart, agree." in words(form, "//main")[0]
    assert "Changes count once two looks, an hour apart, agree." in words(new, "//*[@role='status']")[0]
    assert words(client.get("/me/watches/"), "//td[@data-word='Last change']") == ["not counted yet"]

    WatchedSource.objects.update(state_at=timezone.now())
    known = client.get("/me/follow/", target)
    assert "looks at it every one to seven days, and a second look" in words(known, "//*[@role='status']")[0]
    assert words(client.get("/me/watches/"), "//td[@data-word='Last change']") == ["none yet"]
