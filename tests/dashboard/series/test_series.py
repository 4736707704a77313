"""The page of one series."""

import pytest
from django.test import Client
from pytest_django import Settings

from econweb.dashboard.display.fields import field_label
from econweb.upstream import service
from econweb.upstream.errors import BadReply, Busy, NotFound, NotInPeriod, Refused, Unavailable, UpstreamError
from tests.builders import a_series
from tests.conftest import Loader
from tests.dashboard.reading import alert, document, links, words
from tests.fake_service import FakeService

pytestmark = pytest.mark.django_db(transaction=True)
FIRST_VERSION = "/series/GNPCA/?realtime_start=2013-07-31&realtime_end=2013-07-31"


def test_series_page_shows_every_field(client: Client, catalogue: Loader) -> None:
    record = a_series(notes="Two\r\nlines of <notes>.")
    catalogue(series=[record])

    page = client.get("/series/GNPCA/")

    fields = dict(zip(words(page, "//dl[@class='fields']//dt"), words(page, "//dl[@class='fields']//dd"), strict=True))
    for name in ("units", "frequency", "seasonal_adjustment"):
        assert fields[field_label(name)] == f"{record[name]} {record[f'{name}_short']}"
    assert fields["Coverage"].startswith(f"{record['observation_start']} to {record['observation_end']}")
    assert fields[field_label("last_updated")] == record["last_updated"]
    assert fields[field_label("popularity")].startswith(str(record["popularity"]))
    assert words(page, "//h1")[0].startswith(record["title"])
    assert record["id"] in words(page, "//main")[0]
    assert "Two<br>lines of &lt;notes&gt;." in page.text


@pytest.mark.parametrize(("length", "folds"), [(400, 0), (401, 1)])
def test_series_page_folds_long_notes_on_a_phone(client: Client, catalogue: Loader, length: int, folds: int) -> None:
    catalogue(series=[a_series(notes="n" * length)])
    page = client.get("/series/GNPCA/")

    assert len(document(page).xpath("//div[@class='notes']/details[@class='phone-fold']")) == folds
    assert "n" * length in page.text


def test_series_page_states_missing_notes(client: Client, catalogue: Loader) -> None:
    catalogue(series=[a_series(notes="")])

    assert "No notes." in client.get("/series/GNPCA/").text


def test_series_page_shows_version_of_past_date(client: Client, catalogue: Loader) -> None:
    catalogue(
        series=[
            a_series(realtime_end="2014-12-31", units="Old Dollars"),
            a_series(realtime_start="2015-01-01", units="New Dollars"),
        ]
    )

    day = words(client.get("/series/GNPCA/?realtime_start=2014-06-01&realtime_end=2014-06-01"), "//dl")[0]
    both = words(client.get("/series/GNPCA/?realtime_start=2014-06-01"), "//dl")[0]

    assert "Old Dollars" in day
    assert "New Dollars" not in day
    assert "New Dollars" in both
    assert "Old Dollars" not in both


def test_series_page_without_version_is_not_found(client: Client, catalogue: Loader) -> None:
    catalogue(series=[a_series()])

    page = client.get("/series/GNPCA/?realtime_start=1990-01-01&realtime_end=1990-01-02")

    assert page.status_code == 404
    assert "no record of GNPCA for those dates" in page.text
    assert "Choose another period." in page.text
    assert "spelling" not in page.text
    assert links(page)["See it as of today"] == "/series/GNPCA/"


@pytest.mark.parametrize("day", ["2010-01-01", "2016-01-01"])
def test_day_before_the_first_version_links_to_it(client: Client, catalogue: Loader, day: str) -> None:
    first = {"realtime_start": "2013-07-31", "realtime_end": "2015-01-01"}
    catalogue(series=[a_series(**first), a_series(realtime_start="2018-01-01")])
    found = links(client.get(f"/series/GNPCA/?realtime_start={day}&realtime_end={day}"))

    link = found.get("The first version is of 2013-07-31")
    assert link == (FIRST_VERSION if day < "2013" else None)
    assert client.get(FIRST_VERSION).status_code == 200


def test_first_version_of_another_service_is_named_if_cached(
    client: Client, stand_in: FakeService, settings: Settings
) -> None:
    settings.ECON_BASE_URL = "https://data.example.org"
    stand_in.seriess["GNPCA"] = [{**a_series(realtime_start="2013-07-31"), "popularity": 39}]
    past = "/series/GNPCA/?realtime_start=2010-01-01&realtime_end=2010-01-01"
    stand_in.error = NotInPeriod("No record.")
    before = client.get(past)
    asked = len(stand_in.asked)
    stand_in.error = None
    client.get("/series/GNPCA/")
    stand_in.error = NotInPeriod("No record.")

    assert asked == 1
    assert "The first version is of 2013-07-31" not in links(before)
    assert links(client.get(past))["The first version is of 2013-07-31"] == FIRST_VERSION


def test_unknown_series_shows_message_of_the_service(client: Client, catalogue: Loader) -> None:
    page = client.get("/series/UNKNOWN/")

    assert page.status_code == 404
    assert "No series “UNKNOWN” The series does not exist. Check the spelling, or search by name." in alert(page)
    assert links(page)["Search for “UNKNOWN”"] == "/search/?q=UNKNOWN"
    assert document(page).xpath("string(//input[@id='go-box']/@value)") == "UNKNOWN"
    assert links(page)["Browse categories and releases"] == "/browse/"
    assert "See it as of today" not in page.text


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("/series/a-b/", "A series id has one to 25 letters"),
        ("/series/m\u0131ch/", "A series id has one to 25 letters"),
        ("/series/m\u0131ch.csv", "A series id has one to 25 letters"),
        ("/series/ma\u00dfe/code", "A series id has one to 25 letters"),
        ("/series/" + "x" * 26 + "/", "A series id has one to 25 letters"),
        ("/series/GNPCA/?realtime_start=soon", "Enter the first day as YYYY-MM-DD"),
        ("/series/GNPCA/?realtime_end=2020-02-30", "Enter the last day as YYYY-MM-DD"),
    ],
)
def test_series_page_names_invalid_parameter(client: Client, path: str, words: str) -> None:
    page = client.get(path)

    assert page.status_code == 400
    assert words in page.text


def test_series_fragment_equals_page_without_layout(client: Client, catalogue: Loader) -> None:
    catalogue(series=[a_series()])
    page = client.get("/series/GNPCA/")
    fragment = client.get("/series/GNPCA/", headers={"HX-Request": "true"})
    restored = client.get("/series/GNPCA/", headers={"HX-Request": "true", "HX-History-Restore-Request": "true"})

    assert "<body" not in fragment.text
    assert "<title>GNPCA: Real Gross National Product · econweb</title>" in fragment.text
    assert fragment.text.split("</template>")[1].strip() in page.text
    assert "HX-Request" in fragment["Vary"]
    assert "<body" in restored.text


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (NotFound("words"), 404),
        (Refused("words"), 502),
        (Busy("words", retry_after=7), 503),
        (Unavailable("words"), 503),
        (BadReply("words"), 502),
    ],
)
@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}], ids=["page", "fragment"])
def test_series_page_explains_each_upstream_error(
    client: Client,
    monkeypatch: pytest.MonkeyPatch,
    error: UpstreamError,
    status: int,
    headers: dict[str, str],
) -> None:
    def fail(query: object) -> None:
        raise error

    monkeypatch.setattr(service, "series", fail)

    page = client.get("/series/GNPCA/", headers=headers)

    assert page.status_code == status
    assert 'role="alert"' in page.text
    assert "words" in page.text
    assert page.get("Retry-After") == ("7" if status == 503 and isinstance(error, Busy) else None)


def versions_of(stand_in: FakeService, *changes: dict[str, object]) -> None:
    stand_in.seriess["GNPCA"] = [{**a_series(), "popularity": 39, **change} for change in changes]


def test_series_page_marks_discontinued_series(client: Client, stand_in: FakeService) -> None:
    versions_of(stand_in, {"title": "Wages (DISCONTINUED)", "realtime_end": "2014-12-31"})

    assert words(client.get("/series/GNPCA/"), "//strong") == [
        "Discontinued",
        "No information after 2014-12-31",
    ]


def test_series_page_does_not_mark_continued_series(client: Client, stand_in: FakeService) -> None:
    versions_of(stand_in, {})

    assert words(client.get("/series/GNPCA/"), "//strong") == []


def test_series_span_has_axis_of_decades(client: Client, stand_in: FakeService) -> None:
    versions_of(stand_in, {"observation_start": "1930-01-01", "observation_end": "1975-01-01"})
    drawn = document(client.get("/series/GNPCA/")).xpath("//*[name()='svg'][@class='span-line']")[0]

    assert drawn.xpath("string(*[name()='rect']/@width)") == "90.0%"
    assert drawn.xpath("*[name()='text']/text()") == ["1930", "1940", "1950", "1960", "1970", "1980"]


@pytest.mark.parametrize("end", ["1947-01-01", "9999-12-31"])
def test_series_span_draws_any_period(client: Client, stand_in: FakeService, end: str) -> None:
    versions_of(stand_in, {"observation_start": "1947-01-01", "observation_end": end, "realtime_start": "1776-07-04"})

    assert client.get("/series/GNPCA/").status_code == 200


def test_period_form_redirects_to_canonical_link(client: Client) -> None:
    answer = client.get("/series/GNPCA/?form=plain&realtime_start=2014-01-01&realtime_end=")

    assert answer["Location"] == "/series/GNPCA/?realtime_start=2014-01-01"
