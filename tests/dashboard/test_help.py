"""The help page, and the words in the head of every page."""

import pytest
from django.test import Client
from pytest_django import Settings

from econweb.dashboard.files.negotiation import MEDIA_TYPES
from econweb.dashboard.series.lateness import FREQUENCIES, LATE_AFTER
from econweb.upstream.queries import GROUP_LABELS, TAG_GROUPS
from tests.builders import a_series
from tests.dashboard.reading import canonical, document, links, words
from tests.fake_service import FakeService, a_tag

pytestmark = pytest.mark.django_db

ANCHORS = ["real-time-period", "popularity", "tag-groups", "seasonal-adjustment", "export", "cite", "links", "script"]


def test_help_has_every_linked_entry_once(client: Client) -> None:
    page = client.get("/help/")
    found = document(page).xpath("//main//h2/@id")

    assert set(ANCHORS) <= set(found)
    assert len(found) == len(set(found))
    assert sorted(link for link in links(page).values() if link.startswith("#")) == sorted(
        ["#main", *(f"#{anchor}" for anchor in found)]
    )


def test_help_names_every_file_format(client: Client) -> None:
    assert {f".{suffix}" for suffix in MEDIA_TYPES} <= {*words(client.get("/help/"), "//dd/code")}


@pytest.mark.parametrize("is_on", [True, False])
def test_help_names_the_address_for_assistants(client: Client, settings: Settings, is_on: bool) -> None:
    settings.MCP = is_on
    page = client.get("/help/")

    assert ("http://testserver/mcp" in words(page, "//main//p/code")) is is_on
    assert ("#assistant" in links(page).values()) is is_on


def test_help_says_what_numbers_are(client: Client) -> None:
    texts = " ".join(words(client.get("/help/"), "//main//p"))

    assert "Use it to rank; it is not a number of visits." in texts
    assert "The provider does not send the total, so “about 31 series” is the largest tag count." in texts


def test_help_says_what_a_fixed_link_keeps(client: Client) -> None:
    texts = " ".join(words(client.get("/help/"), "//main//p"))

    assert (
        "A fixed link, in Share, keeps title, units and notes. Coverage, last update and popularity may move on"
        in texts
    )
    assert "keeps what you see now" not in texts


def test_help_leads_to_news_and_to_what_was_kept(client: Client) -> None:
    found = links(client.get("/help/"))

    assert (found["your news"], found["Saved views"], found["frozen copies"]) == ("/me/news/", "/saved/", "/frozen/")


def test_footer_says_who_edits_names(client: Client) -> None:
    assert links(client.get("/help/"))["Edit names"] == "/me/names/"


@pytest.mark.parametrize(
    ("path", "terms"),
    [
        ("/category/125/tags/", {"real-time-period", "popularity", "tag-groups"}),
        ("/series/GNPCA/", {"real-time-period", "popularity", "seasonal-adjustment"}),
        ("/series/?ids=GNPCA,GDP", {"seasonal-adjustment"}),
        ("/compare/", {"real-time-period"}),
        ("/about/", {"stale"}),
    ],
)
def test_special_words_lead_to_their_entry(client: Client, stand_in: FakeService, path: str, terms: set[str]) -> None:
    stand_in.has("category", 125, [a_tag()])
    stand_in.seriess = {
        "GNPCA": [{**a_series(), "popularity": 39}],
        "GDP": [{**a_series(id="GDP"), "popularity": 39, "seasonal_adjustment": "Seasonally Adjusted"}],
    }
    found = set(document(client.get(path)).xpath("//main//a[starts-with(@href, '/help/#')]/@href"))

    assert {f"/help/#{term}" for term in terms} <= found
    assert {link.partition("#")[2] for link in found} <= set(document(client.get("/help/")).xpath("//h2/@id"))


def test_help_states_what_the_site_does_not_know(client: Client) -> None:
    text = client.get("/help/").text

    assert "no observations" in text
    assert "the series of a category or release" in text
    assert "or name the categories and the release of a series" in text


def test_series_page_says_that_its_category_is_not_known(client: Client, stand_in: FakeService) -> None:
    stand_in.seriess["GNPCA"] = [{**a_series(), "popularity": 39}]
    page = client.get("/series/GNPCA/")

    assert "cannot tell the category or release of a series." in " ".join(words(page, "//header/p"))
    assert links(page)["cannot tell the category or release"] == "/help/#scope"


@pytest.mark.parametrize("path", ["/", "/browse/", "/help/", "/about/", "/compare/", "/series/", "/no-such-page"])
def test_every_page_has_a_description(client: Client, path: str) -> None:
    (said,) = document(client.get(path)).xpath("//meta[@name='description']/@content")

    assert 50 <= len(said) <= 200


@pytest.mark.parametrize("path", ["/", "/browse/", "/help/", "/about/", "/compare/", "/series/"])
def test_canonical_link_is_absolute(client: Client, path: str) -> None:
    assert canonical(client.get(path)) == path


def test_help_names_the_code_of_each_tag_group(client: Client) -> None:
    named = words(client.get("/help/"), "//h2[@id='tag-groups']/following::dl[1]//dt")

    assert named == [f"{GROUP_LABELS[code]} {code}" for code in TAG_GROUPS]


def test_help_states_when_a_series_has_no_recent_data(client: Client) -> None:
    page = client.get("/help/")
    names, limits = (words(page, f"//h2[@id='late']/following::dl[1]//{part}") for part in ("dt", "dd"))

    assert dict(zip(names, limits, strict=True)) == {FREQUENCIES[key]: f"{LATE_AFTER[key]} days" for key in FREQUENCIES}


def test_help_says_which_pages_are_files_for_programs_and_have_their_request(
    client: Client, stand_in: FakeService
) -> None:
    """It said that any page is a file, and that all pages of the provider's data have a link to the request."""
    stand_in.seriess["GNPCA"] = [a_series() | {"popularity": 39}]
    stand_in.has("category", 125, [a_tag("gdp")])
    texts = " ".join(words(client.get("/help/"), "//main//p"))
    assert "The page of a series and that of the tags of a category or release have a link to the API request" in texts
    assert "A public page with the menu Export is a file for a program that asks for one" in texts

    has_code = []
    for link in ("/series/GNPCA/", "/category/125/tags/", "/series/?ids=GNPCA", "/browse/", "/news/", "/about/"):
        page, asked = client.get(link), client.get(link, headers={"Accept": "text/csv"})
        has_menu = "Export" in words(page, "//summary")
        assert asked["Content-Type"].startswith("text/csv" if has_menu else "text/html"), link
        has_code += [link] if any(one.endswith("/code") for one in links(page).values()) else []
    assert has_code == ["/series/GNPCA/", "/category/125/tags/"]


def test_help_says_that_columns_which_a_browser_hides_are_in_address_and_file(
    client: Client, stand_in: FakeService
) -> None:
    """It said that the address has the columns, also where the browser alone knows which are hidden."""
    stand_in.has("category", 125, [a_tag("gdp")])
    (said,) = words(client.get("/help/"), "//h2[@id='links']/following::p[1]")
    file = client.get("/category/125/tags.csv?comments=no").getvalue().decode("utf-8-sig")

    assert "The address in the browser holds the view: filters, order, columns and page." in said
    assert "your browser hides those that you hid before. The address and its files have them all." in said
    assert file.splitlines()[0] == "name,group_id,notes,created,popularity,series_count"
