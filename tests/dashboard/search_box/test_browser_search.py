"""The site as a search engine of browsers: OpenSearch and its suggestions."""

import pytest
from django.test import Client
from lxml import etree

from econweb.label_book.models import Label
from econweb.label_book.storing import save_labels
from econweb.search_index.titles import title_index
from econweb.search_index.titles.places import Record
from tests.dashboard.reading import document

pytestmark = pytest.mark.django_db
OPEN_SEARCH = {"o": "http://a9.com/-/spec/opensearch/1.1/"}


def templates(client: Client, **headers: str) -> dict[str, str]:
    answer = client.get("/opensearch.xml", headers=headers)
    found = etree.fromstring(answer.content).findall("o:Url", OPEN_SEARCH)
    assert answer["Content-Type"] == "application/opensearchdescription+xml"
    return {str(url.get("type")): str(url.get("template")) for url in found}


@pytest.mark.parametrize("path", ["/", "/about/", "/browse/tags/", "/nowhere/"])
def test_every_page_names_the_description(client: Client, path: str) -> None:
    """Some browsers offer it on the home page alone, others on the page that is open."""
    link = "//link[@rel='search'][@type='application/opensearchdescription+xml']/@href"

    assert document(client.get(path)).xpath(link) == ["/opensearch.xml"]


def test_description_leads_to_the_search_box(client: Client) -> None:
    save_labels([Label(kind="category", number=125, name="Trade Balance")])
    link = templates(client)["text/html"].replace("{searchTerms}", "trade%20balance")

    assert client.get(link)["Location"] == "/category/125/tags/"


def test_description_names_the_host_of_the_request(client: Client) -> None:
    assert templates(client, Host="127.0.0.1:8000")["text/html"] == "http://127.0.0.1:8000/go?q={searchTerms}"


def test_suggestions_of_the_description_are_names_with_links(client: Client) -> None:
    names = {125: "Trade Balance", 16: "Trade & more", 17: "Trade Balance"}
    save_labels(Label(kind="category", number=number, name=name) for number, name in names.items())
    link = templates(client)["application/x-suggestions+json"].replace("{searchTerms}", "trade")
    answer = client.get(link)

    assert answer["Content-Type"] == "application/x-suggestions+json"
    text, found, kinds, addresses = answer.json()
    assert (text, sorted(found)) == ("trade", ["Trade & more", "Trade Balance"])
    assert dict(zip(found, kinds, strict=True))["Trade & more"] == "Category 16"
    assert dict(zip(found, addresses, strict=True))["Trade & more"] == "http://testserver/category/16/tags/"


@pytest.mark.parametrize("text", ["", "  ", "zzqqxx", "\x00", "x" * 5000])
def test_suggestions_may_be_none(client: Client, text: str) -> None:
    assert client.get("/suggest.json", {"q": text}).json()[1:] == [[], [], []]


def test_suggestions_repeat_no_key(client: Client) -> None:
    key = "abcdefghijklmnopqrstuvwxyz012345"

    assert key not in client.get("/suggest.json", {"q": f"https://x.example/?api_key={key}"}).text


def test_suggestions_to_browsers_mark_discontinued_series(client: Client) -> None:
    title_index.add([Record("A", "Zinc"), Record("B", "Old zinc (DISCONTINUED)")], title_index.FETCHED)

    assert client.get("/suggest.json?q=zinc").json()[2] == ["Series A", "Series B, discontinued"]
