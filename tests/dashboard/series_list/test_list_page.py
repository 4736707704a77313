"""The page of a series list: the table and the notes above it."""

import json
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from econweb.upstream.errors import Busy
from tests.builders import a_series
from tests.conftest import Loader
from tests.dashboard.reading import canonical, document, links, row_heads, words
from tests.fake_service import FakeService

pytestmark = pytest.mark.django_db(transaction=True)


def findings(page: Any) -> dict[str, str]:
    labels, texts = (words(page, f"//section[@class='findings']//{tag}") for tag in ("dt", "dd"))
    return dict(zip(labels, texts, strict=True))


def test_list_has_a_button_to_cite_it_by_a_frozen_copy(client: Client, stand_in: FakeService) -> None:
    stand_in.seriess = {one: [a_series(id=one) | {"popularity": 39}] for one in "AB"}
    page = client.get("/series/?ids=A,B")
    (button,) = document(page).xpath("//*[@class='view-menu']/button[normalize-space()='Cite …']")
    form = document(page).get_element_by_id(button.get("form"))
    target = document(page).xpath(f"//input[@form='{form.get('id')}'][@name='target']/@value")[0]

    opened = client.get(button.get("formaction"), {"target": target})
    assert words(opened, "//h1") == ["Freeze to cite"]
    assert "Cite …" not in client.get("/series/?ids=A,B&embed=1").text


def test_files_of_a_list_name_missing_and_refused_ids(client: Client, three: None) -> None:
    asked = {"ids": "GDP,foo/bar,NONE"}
    table = client.get("/series.csv", asked).getvalue().decode()
    about = json.loads(client.get("/series.json", asked).getvalue())["about"]

    missing = "NONE: The series does not exist.; foo/bar: This is not a series id."
    assert "# title,1 of 2 series\r\n" in table
    assert f"# missing,{missing}\r\n" in table
    assert (about["title"], about["missing"]) == ("1 of 2 series", missing)
    assert "# missing" not in client.get("/series.csv", {"ids": "GDP"}).getvalue().decode()


def test_form_and_help_say_the_order_of_columns(client: Client, three: None) -> None:
    page = client.get("/series/?ids=GDP&columns=popularity,title")

    assert words(page, "//form[@id='list-form']//legend")[0] == "Columns, in the order of the table"
    assert words(page, "//thead//th")[1:] == ["Title", "Popularity"]
    assert "The columns of a series list have the order of its form" in client.get("/help/").text


def test_series_list_shows_a_popularity_of_zero(client: Client, catalogue: Loader) -> None:
    catalogue(series=[a_series(popularity="0")])

    assert words(client.get("/series/?ids=GNPCA&columns=popularity"), "//tbody//td") == ["0"]


def test_series_list_keeps_order_of_ids(client: Client, three: None) -> None:
    page = client.get("/series/?ids=UNRATE,GDP,CPI")

    assert row_heads(page) == ["UNRATE", "GDP", "CPI"]
    assert "Most are Billions of Chained 2009 Dollars (2). Others: UNRATE (Percent)" in findings(page)["Units"]


def test_series_list_notes_are_linked_as_on_series_page(client: Client, catalogue: Loader) -> None:
    notes = (
        f"{'Words of some length. ' * 5}<a href='https://example.org/'>The source</a>. {'And more institutions. ' * 9}"
    )
    catalogue(series=[a_series(notes=notes)])
    page = client.get("/series/?ids=GNPCA&columns=notes")

    assert document(page).xpath("//td//a/@href") == ["https://example.org/"]
    assert "&lt;a href" not in page.text


def test_series_list_period_ends_today_if_open(client: Client, three: None) -> None:
    page = client.get("/series/?ids=GDP&columns=realtime_end&realtime_start=2014-01-01&realtime_end=9999-12-31")

    assert words(page, "//tbody//td") == ["today"]
    assert "9999-12-31" not in words(page, "//p[@class='facts']")[0]
    assert words(page, "//tfoot")[0].endswith(f"as of {timezone.localdate()}")


def test_series_list_names_missing_ids_with_link_to_remove_them(client: Client, three: None) -> None:
    page = client.get("/series/?ids=GDP,NONE,CPI,NOWHERE&columns=units")

    assert words(page, "//*[@id='list-missing']") == ["2 of 4 ids were not found: NONE, NOWHERE. Remove them"]
    assert links(page)["Remove them"] == "/series/?ids=GDP,CPI&columns=units"
    assert page.text.index("list-missing") < page.text.index("<table")
    assert words(client.get("/series/?ids=GDP,CPI"), "//*[@id='list-missing']") == [""]


def test_series_list_findings_name_values_without_negation(client: Client, catalogue: Loader) -> None:
    adjusted = {"UNRATE": "Seasonally Adjusted", "CPI": "Seasonally Adjusted", "PAYEMS": "Seasonally Adjusted"}
    others = {"GDP": "Seasonally Adjusted Annual Rate", "GDPC1": "Seasonally Adjusted Annual Rate"}
    catalogue(series=[a_series(id=name, seasonal_adjustment=value) for name, value in (adjusted | others).items()])
    page = client.get(f"/series/?ids={','.join(adjusted | others)}")

    assert findings(page)["Seasonal adjustment"] == (
        "Most are Seasonally Adjusted (3). Others: GDP and GDPC1 (Seasonally Adjusted Annual Rate)."
    )


def test_series_list_gives_verdict_above_findings(client: Client, three: None) -> None:
    page = client.get("/series/?ids=UNRATE,GDP,CPI")

    assert words(page, "//section[@class='findings']/h2/following-sibling::p")[0].startswith("They differ in units.")
    assert page.text.index("They differ") < page.text.index("Most are") < page.text.index("<table")


def test_series_list_says_that_series_fit(client: Client, catalogue: Loader) -> None:
    recent = {"observation_end": str(timezone.localdate()), "last_updated": f"{timezone.localdate()} 07:00:00-05"}
    catalogue(series=[a_series(id=name, **recent) for name in ("GDP", "CPI")])

    assert "the same frequency, units and seasonal adjustment" in client.get("/series/?ids=GDP,CPI").text
    assert "the same frequency" not in client.get("/series/?ids=GDP").text


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("ids=GDP,CPI", "Series list · GDP, CPI"),
        (
            "ids=GDP&realtime_start=2014-01-01&realtime_end=2014-01-01",
            "Series list · GDP as of 2014-01-01",
        ),
        ("ids=NOSUCH", ""),
    ],
)
def test_list_is_remembered_by_its_ids_and_date_unless_none_was_found(
    client: Client, three: None, query: str, name: str
) -> None:
    assert document(client.get(f"/series/?{query}")).xpath("string(//header/@data-recent)") == name


def test_series_list_of_fifty_is_at_most_30_kb(client: Client, stand_in: FakeService) -> None:
    kinds = ["Percent", "Index 2017=100", "Billions of Dollars", "Thousands of Persons", "Dollars per Hour"]
    for n in range(50):
        name = f"SERIES{n:02}"
        title = f"Average Hourly Earnings of All Employees, Total Private {n}"
        stand_in.seriess[name] = [{**a_series(id=name, title=title, units=kinds[n % 5]), "popularity": n}]
    page = client.get(f"/series/?ids={','.join(stand_in.seriess)}")

    assert len(row_heads(page)) == 50
    assert len(page.content) <= 30_000


def test_loading_list_can_be_stopped_with_the_one_series_that_it_has(client: Client, stand_in: FakeService) -> None:
    stand_in.seriess["GDP"] = [{**a_series(id="GDP"), "popularity": 1}]
    client.get("/series/GDP/")
    stand_in.error = Busy("Wait.", 5)

    assert links(client.get("/series/?ids=GDP,CPI"))["Stop, and keep this one"] == "/series/?ids=GDP"


@pytest.mark.parametrize("columns", ["", "&columns=title,units,observation_start,observation_end,last_updated"])
def test_series_list_has_a_link_and_every_value_in_a_row(client: Client, three: None, columns: str) -> None:
    page = client.get(f"/series/?ids=GDP,CPI{columns}")
    values = words(page, "//tbody/tr[1]/td")

    assert links(page)["GDP"] == "/series/GDP/"
    assert values[:2] == ["Real Gross National Product", "Billions of Chained 2009 Dollars"]
    assert len(values) == (5 if columns else 8)


def test_series_list_of_one_opens_form(client: Client, three: None) -> None:
    page = document(client.get("/series/?ids=GDP"))

    assert page.xpath("//details[@class='query-form']/@open")
    assert page.xpath("string(//textarea)").strip() == "GDP"
    assert not document(client.get("/series/?ids=GDP,CPI")).xpath("//details[@class='query-form']/@open")


@pytest.mark.parametrize(("column", "order"), [("popularity", "GDP CPI UNRATE"), ("id", "CPI GDP UNRATE")])
def test_series_list_sorts_numbers_descending_and_text_ascending(
    client: Client, three: None, column: str, order: str
) -> None:
    header = document(client.get("/series/?ids=UNRATE,GDP,CPI")).xpath(f"string(//a[@id='by-{column}']/@href)")

    assert row_heads(client.get(header)) == order.split()


def test_missing_id_has_close_ids_beside_it(client: Client, three: None) -> None:
    page = client.get("/series/?ids=GDP,UNRAT,CPI&columns=units")

    assert words(page, "//*[@id='list-missing']") == ["1 of 3 ids was not found: UNRAT (UNRATE?). Remove it"]
    assert links(page)["UNRATE?"] == "/series/?ids=GDP,UNRATE,CPI&columns=units"


@pytest.mark.parametrize("dates", ["as_of=2010-01-01", "realtime_start=2009-01-01&realtime_end=2010-01-01"])
def test_series_without_description_on_a_day_is_not_called_unknown(
    client: Client, catalogue: Loader, dates: str
) -> None:
    """Close ids are proposed for those alone that are unknown today."""
    old = {"realtime_start": "2000-01-01"}
    catalogue(series=[a_series(id="GDP", **old), a_series(id="UNRATE"), a_series(id="U6RATE"), a_series(id="PAYEMS")])
    page = client.get(f"/series/?ids=GDP,UNRATE,PAYEM&columns=units&{dates}", follow=True)

    when = "on 2010-01-01" if "as_of" in dates else "for those dates"
    assert words(page, "//*[@id='list-missing']/p") == [
        "1 of 3 ids was not found: PAYEM (PAYEMS?). Remove it",
        f"UNRATE has no description {when}. See the list as of today",
    ]
    assert links(page)["See the list as of today"] == "/series/?ids=GDP,UNRATE,PAYEM&columns=units"
    assert words(page, "//tbody//td") == [
        "Billions of Chained 2009 Dollars",
        "There is no record for those dates.",
        "The series does not exist.",
    ]


def test_series_whose_last_record_has_ended_is_not_called_unknown(client: Client, catalogue: Loader) -> None:
    ended = a_series(id="WILL5000IND", realtime_end="2024-06-02")
    catalogue(series=[ended, a_series(id="WILL500IND"), a_series(id="GDP")])
    page = client.get("/series/?ids=WILL5000IND,GDP&columns=units")

    assert words(page, "//*[@id='list-missing']/p") == ["WILL5000IND has no description today."]
    assert links(page)["WILL5000IND"] == "/series/WILL5000IND/"
    assert words(page, "//tbody//td")[0] == "The data provider has no record of it today."


def test_close_id_is_not_proposed_if_listed_or_known_missing(client: Client, three: None) -> None:
    assert "UNRATE?" not in client.get("/series/?ids=UNRATE,UNRAT").text
    # The sample has PAYEMS, and this catalogue has not.
    assert "PAYEMS?" not in client.get("/series/?ids=GDP,PAYEM").text


def test_missing_series_page_proposes_close_ids(client: Client, three: None) -> None:
    page = client.get("/series/UNRATES/")

    assert page.status_code == 404
    assert links(page)["UNRATE? Real Gross National Product"] == "/series/UNRATE/"


def test_series_list_says_what_was_added(client: Client, three: None) -> None:
    page = client.get("/series/?ids=UNRATE,GDP&added=GDP")

    assert words(page, "//*[@role='status'][contains(@class, 'notice')]") == ["GDP was added. The list has 2 series."]
    assert canonical(page) == "/series/?ids=UNRATE,GDP"
    assert "was added" not in client.get("/series/?ids=UNRATE,GDP&added=CPI").text
