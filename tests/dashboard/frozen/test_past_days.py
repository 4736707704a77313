"""A copy of a past day names that day wherever it may be taken for the data of its freezing."""

import json
from io import BytesIO
from zipfile import ZipFile

import pytest
from django.test import Client
from django.utils import timezone

from econweb.dashboard.error_texts.messages import POPULARITY_OF_THE_FETCH
from econweb.library.models import FrozenCopy
from tests.builders import a_series
from tests.dashboard.frozen.copies import freeze
from tests.dashboard.reading import document, words
from tests.fake_service import FakeService

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("category_125")]
DAY = "2015-01-01"
PERIOD = f"realtime_start={DAY}&realtime_end={DAY}"
TARGETS = (f"/category/125/tags/?{PERIOD}", f"/series/GDP/?{PERIOD}", f"/series/?ids=GDP,GNPCA&{PERIOD}")
TEXT_FILES = ("csv", "json", "xml", "md", "tex")


@pytest.fixture(autouse=True)
def day(stand_in: FakeService) -> str:
    """The day of the freezing."""
    for name in ("GDP", "GNPCA"):
        stand_in.seriess[name] = [a_series(id=name, last_updated="2014-01-01 07:51:02-05") | {"popularity": 39}]
    return str(timezone.localdate())


def test_comparison_with_today_names_the_day_of_the_data(client: Client, day: str) -> None:
    path = freeze(client, f"/category/125/tags/?tag_group_id=freq&{PERIOD}", title="Trade").partition("?")[0]
    page = client.get(f"{path}?against=live", follow=True)
    about = json.loads(client.get(f"/compare.json?a=frozen:{path.split('/')[2]}&b=category:125").getvalue())["about"]

    assert words(page, "//h1")[0].startswith(f"Trade, as of {DAY}, frozen {day} compared with ")
    assert f" as of {DAY}, " in about["title"]
    assert about["note"] == POPULARITY_OF_THE_FETCH
    assert POPULARITY_OF_THE_FETCH in words(page, "//p[@class='summary']")[0]


def test_columns_of_a_comparison_name_the_day_of_the_data(client: Client, stand_in: FakeService, day: str) -> None:
    path = freeze(client, f"/series/?ids=GDP&{PERIOD}", title="Old")
    stand_in.seriess["GDP"] = [a_series(id="GDP", title="Another") | {"popularity": 39}]
    page = client.get(f"/compare/?a=frozen:{path.split('/')[2]}&b=list:GDP")

    assert words(page, "//thead//th")[2:4] == [f"On {DAY}, frozen {day}", "Now"]
    # No date is broken between two lines.
    assert words(page, "//thead//th//time") == [DAY, day]
    assert words(page, "//ul[@class='compared-sources']/li[1]/bdi/time") == [DAY, day]


@pytest.mark.parametrize("target", TARGETS)
def test_proposed_title_names_the_day_once(client: Client, target: str, day: str) -> None:
    form = document(client.get("/me/freeze/", {"target": target}))
    (title,) = form.xpath("//input[@name='title']/@value")
    path = freeze(client, target, title=title)

    assert title.endswith(f", as of {DAY}")
    assert words(client.get(path), "//h1") == [title]
    kind = FrozenCopy.objects.get().kind
    live = {"tags": "category:125", "series": "series:GDP", "list": "list:GDP,GNPCA"}[kind]
    compared = client.get(f"/compare/?a=frozen:{path.split('/')[2]}&b={live}")
    assert words(compared, "//h1")[0].startswith(f"{title}, frozen {day} compared with ")


def test_long_title_keeps_the_day(client: Client) -> None:
    names = ";".join(f"{letter * 150}" for letter in "abc")
    form = document(client.get("/me/freeze/", {"target": f"/category/125/tags/?tag_names={names}&{PERIOD}"}))

    (title,) = form.xpath("//input[@name='title']/@value")
    assert len(title) == 200
    assert title.endswith(f", as of {DAY}")


@pytest.mark.parametrize("path", ["/frozen/", "/me/frozen/"])
def test_list_of_copies_names_the_day_of_the_data(client: Client, path: str, day: str) -> None:
    freeze(client, TARGETS[0], title="Old")
    freeze(client, "/category/125/tags/", title="New")

    frozen = dict(zip(*(words(client.get(path), f"//tbody//{cell}") for cell in ("th", "td[2]")), strict=True))
    assert frozen == {"Old": f"{day} as of {DAY}", "New": day}


@pytest.mark.parametrize("target", TARGETS)
def test_copy_of_a_past_day_says_of_when_its_popularity_is(client: Client, target: str) -> None:
    path = freeze(client, target).partition("?")[0]
    page = client.get(path)
    with ZipFile(BytesIO(client.get(f"{path.rstrip('/')}.zip").getvalue())) as pack:
        readme, rows = (pack.read(name).decode() for name in ("README.txt", "rows.csv"))

    assert f" with the data of {DAY}, " in words(page, "//main")[0]
    for text in (words(page, "//main")[0], f"{readme}", rows):
        assert POPULARITY_OF_THE_FETCH in text
    for suffix in TEXT_FILES:
        assert POPULARITY_OF_THE_FETCH in client.get(f"{path.rstrip('/')}.{suffix}").getvalue().decode()


@pytest.mark.parametrize("target", TARGETS)
def test_live_files_of_a_past_day_say_of_when_the_popularity_is(client: Client, target: str) -> None:
    path, _, query = target.partition("?")
    for suffix in TEXT_FILES:
        file = client.get(f"{path.rstrip('/')}.{suffix}?{query}").getvalue().decode()
        assert POPULARITY_OF_THE_FETCH in file
        today = client.get(f"{path.rstrip('/')}.{suffix}", {"ids": "GDP"}).getvalue().decode()
        assert POPULARITY_OF_THE_FETCH not in today


def test_live_list_of_a_past_day_says_of_when_the_popularity_is(client: Client) -> None:
    assert POPULARITY_OF_THE_FETCH in words(client.get(TARGETS[2]), "//main")[0]
    assert POPULARITY_OF_THE_FETCH not in client.get("/series/?ids=GDP,GNPCA").text


def test_comparison_of_a_series_with_its_copy_says_of_when_the_popularity_is(client: Client) -> None:
    sources = f"a=frozen:{freeze(client, TARGETS[1]).split('/')[2]}&b=series:GDP"
    page = client.get(f"/compare/?{sources}")

    assert words(page, "//p[@class='summary']")[0].endswith(POPULARITY_OF_THE_FETCH)
    assert POPULARITY_OF_THE_FETCH in client.get(f"/compare.csv?{sources}").getvalue().decode()


@pytest.mark.parametrize("target", [one.partition("realtime")[0].rstrip("?&") for one in TARGETS])
def test_copy_of_its_own_day_has_no_past_day_later(client: Client, target: str) -> None:
    path = freeze(client, target).partition("?")[0]
    FrozenCopy.objects.update(
        **dict.fromkeys(("realtime_start", "realtime_end"), "2026-03-01"), fetched="2026-03-01 12:30:05+00:00"
    )
    for text in (client.get(path).text, client.get(f"{path.rstrip('/')}.csv").getvalue().decode()):
        assert POPULARITY_OF_THE_FETCH not in text
        assert "with the data of" not in text


@pytest.mark.parametrize("title", ["Anhang A", "Anhang A, as of {}", "Tags of {}"])
@pytest.mark.parametrize("start", [DAY, "2014-06-01"])
def test_printed_line_of_a_copy_says_once_of_when_its_data_are(
    client: Client, stand_in: FakeService, title: str, start: str
) -> None:
    days = DAY if start == DAY else f"{start} to {DAY}"
    target = f"/category/125/tags/?tag_group_id=freq&realtime_start={start}&realtime_end={DAY}"
    (line,) = words(client.get(freeze(client, target, title=title.format(days))), "//tfoot")

    assert line.count(f"as of {days}" if title != "Tags of {}" else f"as of {DAY}") == 1
    assert line.count("as of") == 1


def test_printed_line_of_a_copy_of_its_own_day_names_the_day_of_the_data(client: Client, day: str) -> None:
    (line,) = words(client.get(freeze(client, "/category/125/tags/", title="State as of now")), "//tfoot")

    assert line.endswith(f" · State as of now · frozen {day} · as of {day}")


@pytest.mark.parametrize("title", ["Anhang A", f"Anhang A, as of {DAY}", f"{DAY}"])
@pytest.mark.parametrize("other", ["category:125", "release:53"])
def test_files_of_a_comparison_name_the_past_day_of_a_copy_once(
    client: Client, stand_in: FakeService, title: str, other: str, day: str
) -> None:
    stand_in.has("release", 53, [])
    copy_id = freeze(client, TARGETS[0], title=title).split("/")[2]
    file = client.get(f"/compare.json?a=frozen:{copy_id}&b={other}").getvalue()
    about = json.loads(file)["about"]

    dated = title if DAY in title else f"{title}, as of {DAY}"
    assert about["a"].startswith(f"Frozen copy {copy_id}, {dated}, frozen {day}, ")
    assert about["a"].count("as of") == 1
    assert f", as of {day}, fetched" in about["b"]
