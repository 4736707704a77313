"""API keys in addresses that users paste or open."""

from urllib.parse import quote, unquote, urljoin, urlsplit

import pytest
from django.test import Client

from tests.builders import a_series
from tests.dashboard.reading import alert
from tests.fake_service import FakeService, a_tag

pytestmark = pytest.mark.django_db
KEY = "abcdefghijklmnopqrstuvwxyz012345"


def test_search_box_removes_pasted_key_with_warning(client: Client) -> None:
    q = f"https://api.example.org/econ/category/tags?category_id=125&api_key={KEY}&limit=5"
    link = client.get("/go", {"q": q})["Location"]

    assert link == "/category/125/tags/?limit=5&notice=key"


def test_search_box_removes_key_from_several_urls_with_warning(client: Client) -> None:
    q = f"https://a.example/series?series_id=GDP&api_key={KEY} https://a.example/series?series_id=UNRATE"

    assert client.get("/go", {"q": q})["Location"] == "/series/?ids=GDP,UNRATE&notice=key"


def test_key_warning_is_shown_and_not_in_canonical_link(client: Client) -> None:
    page = client.get("/series/a-b/?notice=key")
    series = client.get("/go", {"q": f"/series/GNPCA/?api_key={KEY}"})

    assert KEY not in page.text
    assert series["Location"] == "/series/GNPCA/?notice=key"


@pytest.mark.parametrize("q", [f"https://api.example.org/econ/nothing?api_key={KEY}", f"a b c api_key={KEY}"])
def test_pasted_key_is_never_shown(client: Client, q: str) -> None:
    answer = client.get("/go", {"q": q})

    assert KEY not in answer.text + answer["Location"]
    assert "contained an API key" in alert(client.get(answer["Location"]))


KEYED = [
    ("/category/125/tags/", "realtime_end=2020-01-31"),
    ("/series/GNPCA/", "realtime_end=2020-01-31"),
    ("/category/125/tags/code", "realtime_end=2020-01-31"),
    ("/series/GNPCA/code", "realtime_end=2020-01-31"),
    ("/series/", "ids=GNPCA&realtime_end=2020-01-31"),
    ("/compare/", "a=category:125"),
    ("/compare/", "a=category:125&b=release:53"),
]


@pytest.mark.parametrize(("path", "words"), KEYED)
def test_page_url_removes_key_with_warning(client: Client, stand_in: FakeService, path: str, words: str) -> None:
    stand_in.seriess["GNPCA"] = [{**a_series(), "popularity": 39}]
    for kind, number in (("category", 125), ("release", 53)):
        stand_in.has(kind, number, [a_tag()])
    answer = client.get(f"{path}?{words}&API_key={'k' * 32}")

    assert answer.status_code == 302
    assert answer["Location"] == f"{path}?{words}&notice=key"
    assert "contained an API key" in alert(client.get(answer["Location"]))


@pytest.mark.parametrize(
    "address",
    [
        "/category/125/tags/?limit=5000",
        "/category/125/tags/code?limit=5000",
        "/category/7/tags/?limit=5",
        "/series/GNPCA/?realtime_start=soon",
        "/series/?ids=https://a.example/series?series_id=GDP&order_by=size",
        "/compare/?a=tag:1",
        "/nowhere/?x=1",
    ],
)
@pytest.mark.parametrize("name", ["api_key", "API_KEY"])
def test_error_page_url_removes_key(client: Client, stand_in: FakeService, address: str, name: str) -> None:
    answer = client.get(f"{address}&{name}={KEY}")

    told = client.get(answer["Location"], follow=True)
    assert KEY not in answer["Location"]
    assert told.status_code in {400, 404}
    assert "Your link contained an API key." in alert(told)


@pytest.mark.parametrize("path", [path for path, _ in KEYED if not path.endswith("code")])
@pytest.mark.parametrize("suffix", ["csv", "json", "xlsx"])
def test_export_url_without_key_stays_an_export(client: Client, path: str, suffix: str) -> None:
    words = dict(KEYED)[path]
    file = f"{path.rstrip('/')}.{suffix}"

    assert client.get(f"{file}?{words}&api_key={KEY}")["Location"] == f"{file}?{words}"


def test_citation_url_without_key_stays_a_citation(client: Client) -> None:
    assert client.get(f"/series/gnpca.bib?api_key={KEY}")["Location"] == "/series/gnpca.bib"


@pytest.mark.parametrize("path", ["/", "/about/", "/suggest", "/category/125/tags/names", "/admin//x"])
@pytest.mark.parametrize("method", ["get", "head"])
def test_every_page_redirects_url_with_key(client: Client, method: str, path: str) -> None:
    answer = getattr(client, method)(f"{path}?api%5Fkey={KEY}&q=money")

    assert (answer.status_code, answer["Location"]) == (302, f"{path}?q=money&notice=key")


PASTED = [
    f"https://api.example.org/econ/series?series_id=GDP&api_key={KEY}",
    f"api_key%3D{KEY}",
    f'{{"api_key": "{KEY}"}} GDP',
    f"API_KEY = '{KEY}' GDP",
]
WORDS_IN = ["/search/?q", "/search.csv?q", "/browse/?q", "/browse/categories/?q", "/category/125/tags/?search_text",
            "/category/125/tags/?tag_names", "/tag/usa/?kind", "/category/125/similar/?x", "/series/?ids"]  # fmt: skip


@pytest.mark.parametrize("pasted", PASTED)
@pytest.mark.parametrize("start", WORDS_IN)
def test_key_pasted_among_words_is_removed_from_every_page(
    client: Client, stand_in: FakeService, start: str, pasted: str
) -> None:
    stand_in.has("category", 125, [a_tag()])
    page = client.get(f"{start}={quote(pasted)}")
    follow = client.get(page["Location"])

    assert (page.status_code, KEY in page["Location"]) == (302, False)
    assert KEY.encode() not in str(follow.headers).encode() + b"".join(follow)
    assert follow.status_code != 302 or KEY not in follow["Location"]


@pytest.mark.parametrize("pasted", PASTED)
@pytest.mark.parametrize("path", ["/go", "/suggest", "/suggest.json"])
def test_key_pasted_into_the_search_box_is_never_shown(client: Client, path: str, pasted: str) -> None:
    answer = client.get(path, {"q": pasted})

    assert KEY not in f"{answer.headers}{answer.text}"


def test_key_in_the_name_of_a_tag_is_not_shown(client: Client) -> None:
    assert KEY not in client.get(f"/tag/api_key={KEY}/").text


@pytest.mark.parametrize("text", ["api_key:  GDP UNRATE", "my api_key = GDP", "monkey: 1 2", "keynes"])
def test_words_after_an_empty_key_stay(client: Client, text: str) -> None:
    assert client.get("/search/", {"q": text}).status_code == 200


@pytest.mark.parametrize("path", ["//evil.example/x", "///evil.example/", "/\\evil/", "/x?y=1", "/x#y", "/x%2e"])
@pytest.mark.parametrize("query", [f"api_key={KEY}", f"q=api_key%3D{KEY}"])
def test_key_redirect_stays_on_this_host_and_path(client: Client, path: str, query: str) -> None:
    answer = client.get("/", PATH_INFO=path, QUERY_STRING=query)
    to = urlsplit(urljoin("http://portal.example.org/", answer["Location"]))

    assert KEY not in answer["Location"]
    assert (to.netloc, unquote(to.path), to.fragment) == ("portal.example.org", path, "")
    assert "notice=key" in to.query
