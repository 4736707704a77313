"""A parameter that a list or a comparison cannot use is named, with what it may be."""

import re

import pytest
from django.test import Client

from econweb.dashboard.search_box.pasted_ids import MAX_IDS
from econweb.label_book.models import Label
from econweb.label_book.storing import save_labels
from tests.builders import a_series
from tests.dashboard.reading import alert, document, words
from tests.fake_service import FakeService, a_tag

pytestmark = pytest.mark.django_db
NO_IDS = "Series ids: name at least one, for example ids=GDP,UNRATE."


@pytest.mark.parametrize(
    ("query", "told"),
    [
        (
            f"ids={','.join(f'S{n}' for n in range(MAX_IDS + 1))}",
            "Series ids: at most 200, and these are 201. Remove some.",
        ),
        ("ids=GDP&columns=size", "Columns: “size” is not known. Choose: "),
        ("ids=GDP&order_by=size", "Sort: “size” is not known. Choose: "),
        ("ids=GDP&sort_order=up", "Direction: “up” is not known. Choose: asc, desc."),
        ("ids=GDP&realtime_start=soon", "Enter the first day"),
        ("ids=" + "GDP," * 5001, "Series ids: at most 20,000 characters. Shorten it."),
        ("ids=GDP,UN%00RATE", "Series ids: a character in it is not allowed. Remove it."),
        ("ids=GDP&columns=title%00", "Columns: “title” is not known. Choose: "),
        ("ids=GDP&order_by=title%00", "Sort: “title” is not known. Choose: "),
        ("ids=GDP&sort_order=asc%00", "Direction: “asc” is not known. Choose: asc, desc."),
    ],
)
def test_series_list_names_invalid_parameter(client: Client, query: str, told: str) -> None:
    page = client.get(f"/series/?{query}")

    assert page.status_code == 400
    assert told in alert(page)
    assert "Null characters" not in page.text


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("tag_group_id=g%00eo", "Tag group: a character in it is not allowed. Remove it."),
        (f"tag_group_id={'g' * 101}", "Tag group: at most 100 characters. Shorten it."),
        ("only=g%00", "Tags shown: “g” is not known. Choose: all, a, b."),
        ("order_by=a%00", "Sort: “a” is not known. Choose: name, group_id, difference, ratio, spread, a, b."),
        ("sort_order=%00", "Direction: “” is not known. Choose: asc, desc."),
        ("offset=1%00", "First row: choose a whole number from 0 to 999,999."),
        ("offset=1000000", "First row: choose a whole number from 0 to 999,999."),
        ("offset=1_0", "First row: choose a whole number from 0 to 999,999."),
    ],
)
def test_comparison_names_invalid_parameter(client: Client, query: str, told: str) -> None:
    page = client.get(f"/compare/?a=category:1&b=category:2&{query}")

    assert page.status_code == 400
    assert alert(page) == f"That cannot be looked up {told} Correct it below and try again."


@pytest.mark.parametrize("file", ["/compare/", "/compare.csv"])
def test_comparison_rejects_unknown_group_as_tag_page_does(client: Client, stand_in: FakeService, file: str) -> None:
    stand_in.has("category", 125, [a_tag()])
    stand_in.has("release", 51, [a_tag()])
    compared = client.get(f"{file}?a=category:125&b=release:51&tag_group_id=nope")
    told = alert(client.get("/category/125/tags/?tag_group_id=nope"))

    assert compared.status_code == 400
    assert "Tag group: “nope” is not known. Choose: freq, gen, geo, geot, rls, seas, src, cc." in told
    assert "Tag group: “nope” is not known. Choose: freq, gen, geo, geot, rls, seas, src, cc." in compared.text


def test_comparison_accepts_group_of_one_source(client: Client, stand_in: FakeService) -> None:
    stand_in.has("category", 125, [a_tag()])
    stand_in.has("release", 51, [a_tag("peru", group_id="nope")])
    page = client.get("/compare/?a=category:125&b=release:51&tag_group_id=nope")

    assert words(page, "//tbody//th") == ["peru"]


@pytest.mark.parametrize(
    ("address", "told"),
    [
        ("/category/125/tags/?tag_group=geo", ["tag_group", "tag_group_id"]),
        (
            "/category/125/tags/?Limit=5&utm_source=x&page=2&search=y",
            ["Limit", "limit", "search", "search_text"],
        ),
        ("/category/125/tags/?limit=5000&tag_name=usa", ["tag_name", "tag_names"]),
        ("/series/GNPCA/?realtime-end=2014-01-01", ["realtime-end", "realtime_end"]),
        ("/series/?id=GNPCA", ["id", "ids"]),
        ("/compare/?a=category:125&b=category:125&tag_group=geo&g=x", ["tag_group", "tag_group_id"]),
        ("/category/125/tags/?limit=5&utm_campaign=x&fbclid=y&lang=en", []),
    ],
)
def test_misspelt_parameter_is_named_and_others_ignored(
    client: Client, stand_in: FakeService, address: str, told: list[str]
) -> None:
    stand_in.seriess["GNPCA"] = [{**a_series(), "popularity": 39}]
    stand_in.has("category", 125, [a_tag()])

    assert words(client.get(address), "//p[@class='notice']/b") == told


@pytest.mark.parametrize(
    ("path", "field"),
    [
        ("/compare/?a=category:16&b=category:125&b_date=2020-02-30", "b_date"),
        ("/compare/?a=series:GNPCA&b_date=2020-02-30", "b_date"),
        ("/series/?ids=GNPCA&as_of=2020-02-30", "as_of"),
        ("/category/125/tags/?as_of=2020-02-30", "as_of"),
    ],
)
def test_wrong_date_is_refused_in_one_manner(client: Client, stand_in: FakeService, path: str, field: str) -> None:
    page = client.get(path)
    (wrong,) = document(page).xpath("//input[@aria-invalid='true']")

    assert page.status_code == 400
    assert words(page, "//*[@role='alert']/*[self::h1 or self::h2]") == ["That cannot be looked up"]
    assert "here is no date 2020-02-30. Enter the date as YYYY-MM-DD, for example 2020-01-31." in alert(page)
    assert "Correct it" in alert(page)
    assert wrong.get("name") == field
    assert "Enter the date as" in words(page, f"//*[@id='{wrong.get('aria-describedby')}']")[0]


@pytest.mark.parametrize("name", ["date", "Day", "realtime", "vintage_date"])
def test_other_name_of_a_day_is_named_with_the_one_that_is_read(
    client: Client, stand_in: FakeService, name: str
) -> None:
    stand_in.has("category", 125, [a_tag()])
    stand_in.seriess = {"A": [{**a_series(id="A"), "popularity": 39}]}

    for path in ("/series/A/", "/series/?ids=A", "/category/125/tags/", "/category/125/tags/profile"):
        page = client.get(f"{path}{'&' if '?' in path else '?'}{name}=2015-01-01")
        told = " ".join(words(page, "//p[@class='notice']"))
        assert f"“{name}”, which we ignored. Did you mean “as_of”?" in told, path
    # A page without dates is the same on each day.
    assert "ignored" not in client.get(f"/browse/?{name}=2015-01-01").text
    assert "ignored" not in client.get("/series/A/?utm_source=letter").text


@pytest.mark.parametrize(
    ("path", "told"),
    [
        (
            "/series/GNPCA.csv?as_of=2099-01-01",
            "Choose a date between 1776-07-04 and today. Correct the address and try again.",
        ),
        ("/check.csv?ids=!!!", f"{NO_IDS} Correct the address and try again."),
        ("/series.csv?ids=!!!", f"{NO_IDS} Correct the address and try again."),
        ("/series.csv", f"{NO_IDS} Correct the address and try again."),
        ("/series/", f"{NO_IDS} Correct the address and try again."),
        ("/nothing/", "There is no page at this address. Check the address."),
        ("/compare.csv?a=trade&b=trade", "Name its kind and number in the address, such as a=category:125."),
        (
            "/series/GNPCA.pdf/",
            "csv, xlsx, json, xml, md, tex, txt, bib, ris, csl. Correct the address and try again.",
        ),
    ],
)
def test_error_in_plain_text_points_at_no_form(client: Client, path: str, told: str) -> None:
    """It said “correct it above” and “below”, where there is only a text."""
    save_labels([Label(kind="category", number=number, name="Trade") for number in (1, 2)])
    answer = client.get(path, headers={"Accept": "text/csv"})

    assert answer["Content-Type"].startswith("text/plain")
    assert answer.text.rstrip().endswith(told)
    assert "?." not in answer.text


@pytest.mark.parametrize(
    "path",
    [
        "/news/?kind=zz",
        "/tag/gdp/?order_by=zz",
        "/browse/overview/?kind=zz",
        "/series/GNPCA/?as_of=zz",
        f"/browse/?q={'x' * 999}",
        "/frozen/timemap?target=zz",
    ],
)
def test_error_of_a_link_points_at_the_address(client: Client, path: str) -> None:
    """It said “correct it above”, where the value is in the address alone."""
    page = client.get(path)

    assert page.status_code == 400
    assert alert(page).endswith("Correct the address and try again.")


@pytest.mark.parametrize("wanted", ["text/html", "text/csv"])
@pytest.mark.parametrize(
    "path",
    [
        "/tag/{}/",
        "/browse/?q={}",
        "/go?q={}",
        "/series/{}/",
        "/series/?ids={}",
        "/check/?ids={}",
        "/compare/?a={}&b=x",
        "/category/125/tags/?search_text={}",
        "/category/125/tags/?tag_group_id={}",
    ],
)
def test_error_repeats_no_control_character(client: Client, path: str, wanted: str) -> None:
    """Neither HTML nor a terminal has a meaning for them."""
    for sign in ("%00", "%1B", "%C2%80"):
        page = client.get(path.format(f"one{sign}two"), headers={"Accept": wanted}, follow=True)

        assert page.status_code in {400, 404}
        assert re.search(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]", page.text) is None
