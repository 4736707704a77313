"""The comparison form: accepted texts and shown values."""

import pytest
from django.test import Client

from econweb.label_book.models import Label
from econweb.label_book.storing import save_labels
from tests.builders import a_series
from tests.dashboard.reading import Answer, alert, canonical, document, links, words
from tests.fake_service import FakeService, a_tag

pytestmark = pytest.mark.django_db
KEY = "k" * 32


def shown(page: Answer) -> list[str]:
    """Text and date of the second source."""
    return [field.get("value", "") for field in document(page).xpath("(//fieldset)[2]//input")]


@pytest.fixture(autouse=True)
def sources(stand_in: FakeService) -> None:
    stand_in.has("category", 125, [a_tag()])
    stand_in.has("release", 50, [a_tag()])
    stand_in.seriess = {"GNPCA": [{**a_series(), "popularity": 39}]}
    save_labels(
        [
            Label(kind="release", number=50, name="Employment Situation"),
            Label(kind="release", number=192, name="Job Openings"),
            Label(kind="category", number=11, name="Job Losses"),
            Label(kind="category", number=9, name="Twice"),
            Label(kind="release", number=9, name="Twice"),
        ]
    )


@pytest.mark.parametrize(
    ("text", "side"),
    [
        ("Employment Situation", "release:50"),
        ("situation", "release:50"),
        ("Employment Situation@2020-01-31", "release:50@2020-01-31"),
        ("Release 50", "release:50"),
        ("https://econweb.example.org/release/50/tags/?tag_group_id=geo", "release:50"),
        (
            "/release/50/tags/?realtime_start=2020-01-31&realtime_end=2020-01-31",
            "release:50@2020-01-31",
        ),
        ("/release/50/tags/?realtime_start=2020-01-31", "release:50"),
        ("https://fred.stlouisfed.org/release?rid=50", "release:50"),
        ("https://api.example.org/econ/release/tags?release_id=50", "release:50"),
    ],
)
def test_comparison_form_accepts_name_and_url(client: Client, text: str, side: str) -> None:
    page = client.get("/compare/", {"a": "category:125", "b": text})

    assert canonical(page) == f"/compare/?a=category:125&b={side}"
    assert shown(page) == ["Employment Situation", side.partition("@")[2]]


@pytest.mark.parametrize("text", ["gnpca", "GNPCA", "https://data.example.org/series/GNPCA"])
def test_comparison_form_accepts_series(client: Client, text: str) -> None:
    page = client.get("/compare/", {"a": text, "b": "series:GNPCA@2014-01-01"})

    assert canonical(page) == "/compare/?a=series:GNPCA&b=series:GNPCA@2014-01-01"


def test_comparison_form_links_each_meaning_of_ambiguous_text(client: Client) -> None:
    page = client.get("/compare/", {"a": "category:125@2020-01-31", "b": "job", "b_date": "2019-01-31"})

    assert page.status_code == 400
    assert "Second: which “job” do you mean?" in alert(page)
    assert shown(page) == ["job", "2019-01-31"]
    assert {name: link for name, link in links(page).items() if "Job" in name} == {
        "Category 11, Job Losses": "/compare/?a=category:125@2020-01-31&b=category:11@2019-01-31",
        "Release 192, Job Openings": "/compare/?a=category:125@2020-01-31&b=release:192@2019-01-31",
    }


@pytest.mark.parametrize(
    ("first", "second", "meant"),
    [
        ("release:50", "192", "a=release:50&b=release:192"),
        ("category:125", "50", "a=category:125&b=category:50"),
        ("50", "release:192", "a=release:50&b=release:192"),
        ("series:GNPCA", "50", "a=series:GNPCA&b=series:50"),
        ("release:50", "Twice", "a=release:50&b=release:9"),
    ],
)
def test_comparison_form_reads_bare_number_as_kind_of_first_clear_source(
    client: Client, stand_in: FakeService, first: str, second: str, meant: str
) -> None:
    """`51` beside a release was refused."""
    answer = client.get("/compare/", {"form": "plain", "a": first, "b": second})

    assert answer["Location"] == f"/compare/?{meant}"


def test_comparison_form_asks_for_kind_of_two_bare_numbers(client: Client) -> None:
    page = client.get("/compare/?a=50&b=51")

    assert alert(page).startswith("Which one do you mean? First: which “50” do you mean?")
    assert alert(client.get("/compare/?a=50&b=no+such+thing")).startswith("That cannot be looked up")
    assert links(page)["Release 50, Employment Situation"] == "/compare/?a=release:50&b=51"


def test_comparison_form_offers_other_kind_of_missing_number(client: Client) -> None:
    """`11` beside a release was a release that does not exist, and the page offered nothing else."""
    page = client.get("/compare/?a=release:11&b=release:50")

    assert page.status_code == 404
    assert "Release 11: " in alert(page)
    assert links(page)["Category 11, Job Losses"] == "/compare/?a=category:11&b=release:50"
    assert document(page).xpath("//input[@aria-invalid='true']/@name") == ["a"]


def test_comparison_form_offers_no_other_kind_without_a_name(client: Client) -> None:
    """The link led to a page that is missing as well, and offered the first kind again."""
    page = client.get("/compare/?a=category:125&b=category:999999")

    assert page.status_code == 404
    assert "Release 999999" not in page.text
    assert document(page).xpath("//input[@aria-invalid='true']/@name") == ["b"]


def test_comparison_form_has_one_kind_of_date_field(client: Client) -> None:
    """A date picker shows the order of the browser's language; all other fields take YYYY-MM-DD."""
    fields = document(client.get("/compare/")).xpath("//input[contains(@name, '_date')]")

    assert {(field.get("type"), field.get("placeholder")) for field in fields} == {(None, "YYYY-MM-DD")}


def test_comparison_form_removes_pasted_key_with_warning(client: Client) -> None:
    address = f"https://api.example.org/econ/release/tags?release_id=50&api_key={KEY}"
    answer = client.get("/compare/", {"a": "category:125", "b": address})

    assert answer["Location"] == "/compare/?a=category:125&b=release:50&notice=key"
    assert "contained an API key" in alert(client.get(answer["Location"]))


@pytest.mark.parametrize(
    ("fields", "link"),
    [
        ({"a": "Job Losses", "a_date": "2020-01-31", "b": "Release 50"}, "a=category:11@2020-01-31&b=release:50"),
        (
            {"a": "Job Losses@2020-01-31", "a_date": "2020-01-31", "b": "Release 50"},
            "a=category:11@2020-01-31&b=release:50",
        ),
        ({"a": "GNPCA", "b_date": "2014-01-01"}, "a=series:GNPCA@2014-01-01&b=series:GNPCA"),
        (
            {"a": "GNPCA", "a_date": "2020-01-01", "b_date": "2014"},
            "a=series:GNPCA@2014-01-01&b=series:GNPCA@2020-01-01",
        ),
        ({"a": "Job Losses"}, "a=category:11"),
    ],
)
def test_comparison_form_date_without_source_means_first_source_earliest_first(
    client: Client, fields: dict[str, str], link: str
) -> None:
    empty = dict.fromkeys([*"abcdef", *(f"{letter}_date" for letter in "abcdef")], "")

    assert client.get("/compare/", {"form": "plain"} | empty | fields)["Location"] == f"/compare/?{link}"


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"b": "GNPCA@2014-01-01", "b_date": "2015-01-01"}, "Second: there are two dates, 2014-01-01 and 2015-01-01."),
        ({"b": "GNPCA", "b_date": "soon"}, "Second: enter the date as YYYY-MM-DD"),
        ({"b_date": "soon"}, "Second: enter the date as YYYY-MM-DD"),
        ({"b": "GNPCA", "b_date": "1492-10-12"}, "Second: choose a date between"),
    ],
)
def test_comparison_form_shows_date_error_beside_field(client: Client, fields: dict[str, str], message: str) -> None:
    page = client.get("/compare/", {"a": "GNPCA"} | fields)

    assert message in alert(page)
    assert shown(page) == [fields.get("b", ""), fields["b_date"]]


def test_comparison_form_asks_for_second_source(client: Client) -> None:
    page = client.get("/compare/?a=category:11")

    assert words(page, "//h1") == ["Compare Job Losses with …"]
    assert document(page).xpath("//input[@name='a']/@value") == ["Job Losses"]
    assert document(page).xpath("//input[@autofocus]/@name") == ["b"]


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("category:11", "Job Losses"),
        ("release:9", "Release 9"),
        ("release:3", "Release 3"),
        ("series:GNPCA", "GNPCA"),
        ("series:50", "Series 50"),
    ],
)
def test_comparison_form_shows_unambiguous_name(client: Client, source: str, text: str) -> None:
    page = client.get(f"/compare/?a={source}")

    assert document(page).xpath("//input[@name='a']/@value") == [text]


@pytest.mark.parametrize(
    ("link", "names"),
    [
        ("a=category:9&b=release:9", ["Twice (Category 9)", "Twice (Release 9)"]),
        ("a=release:50&b=release:50@2020-01-31", ["Employment Situation today", "Employment Situation on 2020-01-31"]),
        ("a=release:50&b=release:50", ["Employment Situation today", "Employment Situation today (2)"]),
        ("a=release:50@2020-01-31&b=category:125", ["Employment Situation on 2020-01-31", "Category 125"]),
    ],
)
def test_comparison_sources_have_different_names(
    client: Client, stand_in: FakeService, link: str, names: list[str]
) -> None:
    stand_in.has("category", 9, [a_tag()])
    stand_in.has("release", 9, [a_tag()])

    assert words(client.get(f"/compare/?{link}"), "//th[@scope='col']")[2:4] == names


@pytest.mark.parametrize("query", ["", "a=category:125&c=release:50"])
def test_comparison_form_shows_two_fields_and_more_on_demand(client: Client, query: str) -> None:
    folded = document(client.get(f"/compare/?{query}")).xpath("//details[summary='Add another']")[0]

    assert folded.xpath(".//input/@name") == [name for letter in "cdef" for name in (letter, f"{letter}_date")]
    assert not folded.xpath("self::*[@open]")


def test_comparison_form_opens_further_fields_if_filled(client: Client) -> None:
    page = client.get("/compare/?a=category:125&b=release:50&c=category:125@2020-01-31")

    assert document(page).xpath("//details[summary='Add another'][@open]")
