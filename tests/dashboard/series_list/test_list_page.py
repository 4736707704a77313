"""What the page of a series list says above and in its table."""

from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from tests.builders import a_series
from tests.conftest import Loader
from tests.dashboard.reading import document, links, words

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def three(catalogue: Loader) -> None:
    catalogue(
        series=[
            a_series(id="GDP", popularity="90", notes=""),
            a_series(id="UNRATE", popularity="5", units="Percent"),
            a_series(id="CPI", popularity="40"),
        ]
    )


def order_of(page: Any) -> list[str]:
    return words(page, "//tbody//th")


def findings(page: Any) -> dict[str, str]:
    labels, texts = (words(page, f"//section[@class='findings']//{tag}") for tag in ("dt", "dd"))
    return dict(zip(labels, texts, strict=True))


def test_the_table_has_the_series_in_the_order_of_the_list(client: Client, three: None) -> None:
    page = client.get("/series/?ids=UNRATE,GDP,CPI")

    assert order_of(page) == ["UNRATE", "GDP", "CPI"]
    assert "Most are Billions of Chained 2009 Dollars (2). Others: UNRATE (Percent)" in findings(page)["Units"]


def test_notes_in_a_list_are_links_and_whole_words_as_on_the_page_of_a_series(
    client: Client, catalogue: Loader
) -> None:
    notes = (
        f"{'Words of some length. ' * 5}<a href='https://example.org/'>The source</a>. {'And more institutions. ' * 9}"
    )
    catalogue(series=[a_series(notes=notes)])
    page = client.get("/series/?ids=GNPCA&columns=notes")

    assert document(page).xpath("//td//a/@href") == ["https://example.org/"]
    assert "&lt;a href" not in page.text


def test_a_period_that_has_not_ended_ends_today(client: Client, three: None) -> None:
    page = client.get("/series/?ids=GDP&columns=realtime_end&realtime_start=2014-01-01&realtime_end=9999-12-31")

    assert words(page, "//tbody//td") == ["today"]
    assert "9999-12-31" not in words(page, "//p[@class='facts']")[0]
    assert words(page, "//tfoot")[0].endswith(f"as of {timezone.localdate()}")


def test_ids_that_were_not_found_are_named_on_top_with_a_link_that_removes_them(client: Client, three: None) -> None:
    page = client.get("/series/?ids=GDP,NONE,CPI,NOWHERE&columns=units")

    assert words(page, "//*[@id='list-missing']") == ["2 of 4 ids were not found: NONE, NOWHERE. Remove them"]
    assert links(page)["Remove them"] == "/series/?ids=GDP,CPI&columns=units"
    assert page.text.index("list-missing") < page.text.index("<table")
    assert words(client.get("/series/?ids=GDP,CPI"), "//*[@id='list-missing']") == [""]


def test_no_value_has_a_not_before_it(client: Client, catalogue: Loader) -> None:
    adjusted = {"UNRATE": "Seasonally Adjusted", "CPI": "Seasonally Adjusted", "PAYEMS": "Seasonally Adjusted"}
    others = {"GDP": "Seasonally Adjusted Annual Rate", "GDPC1": "Seasonally Adjusted Annual Rate"}
    catalogue(series=[a_series(id=name, seasonal_adjustment=value) for name, value in (adjusted | others).items()])
    page = client.get(f"/series/?ids={','.join(adjusted | others)}")

    assert findings(page)["Seasonal adjustment"] == (
        "Most are Seasonally Adjusted (3). Others: GDP and GDPC1 (Seasonally Adjusted Annual Rate)."
    )


def test_a_list_of_one_opens_the_form_to_add_others(client: Client, three: None) -> None:
    page = document(client.get("/series/?ids=GDP"))

    assert page.xpath("//details[@class='query-form']/@open")
    assert page.xpath("string(//textarea)").strip() == "GDP"
    assert not document(client.get("/series/?ids=GDP,CPI")).xpath("//details[@class='query-form']/@open")


@pytest.mark.parametrize(("column", "order"), [("popularity", "GDP CPI UNRATE"), ("id", "CPI GDP UNRATE")])
def test_a_header_sorts_numbers_from_the_largest_and_words_from_a(
    client: Client, three: None, column: str, order: str
) -> None:
    header = document(client.get("/series/?ids=UNRATE,GDP,CPI")).xpath(f"string(//a[@id='by-{column}']/@href)")

    assert order_of(client.get(header)) == order.split()
