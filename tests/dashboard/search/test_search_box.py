"""The one box: what it understands, and where it leads."""

from urllib.parse import unquote, urljoin, urlsplit

import pytest
from django.test import Client
from django.urls import path as route
from pytest_django import Settings

from econweb import urls
from econweb.dashboard.files.negotiation import MEDIA_TYPES
from econweb.dashboard.series import citations
from econweb.dashboard.views import home
from econweb.label_book import lookup as labels
from econweb.label_book.models import Label
from tests.builders import a_series
from tests.dashboard.reading import alert, document, links
from tests.fake_service import FakeService, a_tag

pytestmark = pytest.mark.django_db
KEY = "abcdefghijklmnopqrstuvwxyz012345"


@pytest.fixture(autouse=True)
def label_book() -> None:
    labels.save_labels(
        [
            Label(kind="category", number=125, name="Trade Balance"),
            Label(kind="category", number=95, name="Énergie & Prices"),
            Label(kind="release", number=53, name="Gross Domestic Product"),
            Label(kind="release", number=10, name="Consumer Price Index"),
        ]
    )


@pytest.mark.parametrize(
    ("q", "link"),
    [
        ("GNPCA", "/series/GNPCA/"),
        ("gnpca", "/series/GNPCA/"),
        ("  GNPCA ", "/series/GNPCA/"),
        ("category 125", "/category/125/tags/"),
        ("Cat:125", "/category/125/tags/"),
        ("release 53", "/release/53/tags/"),
        ("trade balance", "/category/125/tags/"),
        ("BALANCE  trade", "/category/125/tags/"),
        ("energie prices", "/category/95/tags/"),
        ("consumer pri", "/release/10/tags/"),
        ("/category/125/tags/?tag_group_id=geo", "/category/125/tags/?tag_group_id=geo"),
        ("https://econweb.example.org/release/53/tags/?order_by=name", "/release/53/tags/?order_by=name"),
        ("data.example.org/series/UNRATE", "/series/UNRATE/"),
        ("https://data.example.org/categories/125?t=nsa;usa", "/category/125/tags/?tag_names=nsa%3Busa"),
        ("https://data.example.org/release?rid=53&t=a%2Bb", "/release/53/tags/?tag_names=a%2Bb"),
        ("https://api.example.org/econ/series?series_id=gnpca&file_type=json", "/series/GNPCA/"),
        (
            "https://api.example.org/econ/category/tags?category_id=125&tag_group_id=freq&file_type=xml",
            "/category/125/tags/?tag_group_id=freq",
        ),
        ("http://127.0.0.1/econ/release/tags?release_id=53&limit=5", "/release/53/tags/?limit=5"),
        ("GDP, UNRATE", "/series/?ids=GDP,UNRATE"),
        ("GDP UNRATE\nS_1", "/series/?ids=GDP,UNRATE,S_1"),
        ("gdp;unrate", "/series/?ids=GDP,UNRATE"),
        ('c("GDP", "UNRATE")', "/series/?ids=GDP,UNRATE"),
        ("https://a.example/series/GDP https://a.example/series/UNRATE/", "/series/?ids=GDP,UNRATE"),
        ("https://a.example/series/?ids=GDP,UNRATE&columns=title", "/series/?ids=GDP,UNRATE&columns=title"),
        ("/series.csv?ids=GDP,UNRATE", "/series/?ids=GDP,UNRATE"),
        (
            "/compare/?a=category:125&b=release:53@2020-01-31",
            "/compare/?a=category:125&b=release:53@2020-01-31",
        ),
        ("/category/125/tags.csv?order_by=name", "/category/125/tags/?order_by=name"),
        ("/release/53/tags/code?limit=5", "/release/53/tags/?limit=5"),
        ("/series/GNPCA.bib", "/series/GNPCA/"),
    ],
)
def test_a_text_that_is_understood_leads_to_its_page(client: Client, q: str, link: str) -> None:
    assert client.get("/go", {"q": q})["Location"] == link


urlpatterns = [route("series/<str:series_id>/neighbours", home, name="neighbours"), *urls.urlpatterns]


def test_any_page_about_a_series_is_understood(client: Client, settings: Settings) -> None:
    settings.ROOT_URLCONF = __name__

    answer = client.get("/go", {"q": "https://econweb.example.org/series/gnpca/neighbours?limit=5"})

    assert answer["Location"] == "/series/GNPCA/neighbours?limit=5"


def test_a_list_takes_no_id_from_another_request(client: Client) -> None:
    other = "https://api.example.org/econ/series/categories?series_id=GNPCA"
    page = client.get("/series/", {"ids": f"GDP {other}"}, follow=True)

    assert "CATEGORIES" not in page.text


@pytest.mark.parametrize("suffix", [*MEDIA_TYPES, *citations.MEDIA_TYPES])
def test_any_file_of_ours_leads_to_its_view(client: Client, suffix: str) -> None:
    assert client.get("/go", {"q": f"/series/GNPCA.{suffix}"})["Location"] == "/series/GNPCA/"


def test_a_key_is_dropped_with_a_warning(client: Client) -> None:
    q = f"https://api.example.org/econ/category/tags?category_id=125&api_key={KEY}&limit=5"
    link = client.get("/go", {"q": q})["Location"]

    assert link == "/category/125/tags/?limit=5&notice=key"


def test_a_key_among_several_addresses_is_dropped_with_a_warning(client: Client) -> None:
    q = f"https://a.example/series?series_id=GDP&api_key={KEY} https://a.example/series?series_id=UNRATE"

    assert client.get("/go", {"q": q})["Location"] == "/series/?ids=GDP,UNRATE&notice=key"


def test_words_in_capitals_may_be_ids_or_a_name(client: Client) -> None:
    page = client.get("/go", {"q": "PRICE IN"})

    assert {"2 series", "Release 10 Consumer Price Index"} <= set(links(page))


def test_the_warning_is_shown_and_leaves_the_short_link_alone(client: Client) -> None:
    page = client.get("/series/a-b/?notice=key")
    series = client.get("/go", {"q": f"/series/GNPCA/?api_key={KEY}"})

    assert KEY not in page.text
    assert series["Location"] == "/series/GNPCA/?notice=key"


@pytest.mark.parametrize("q", [f"https://api.example.org/econ/nothing?api_key={KEY}", f"a b c api_key={KEY}"])
def test_a_key_is_never_repeated(client: Client, q: str) -> None:
    answer = client.get("/go", {"q": q})

    assert KEY not in answer.text + answer["Location"]
    assert "held a key of the service" in alert(client.get(answer["Location"]))


def test_a_bare_number_may_be_either(client: Client) -> None:
    page = client.get("/go", {"q": "53"})

    found = document(page).xpath("//main//li/a/@href")

    assert found == ["/category/53/tags/", "/release/53/tags/", "/series/53/"]


def test_words_that_several_names_hold_give_a_choice(client: Client) -> None:
    page = client.get("/go", {"q": "price"})

    assert {"Release 10 Consumer Price Index", "Category 95 Énergie & Prices"} <= set(links(page))


@pytest.mark.parametrize(
    "q",
    [
        "a b",
        "x" * 26,
        "<script>alert(1)</script>",
        "//evil.example",
        "https://evil.example/",
        "javascript:alert(1)",
        "/category/1/../../admin/",
        "category 99999999999999999999",
        "ＧＮＰ",
        "G\x00N",
        "/\\evil/",
        "http://[",
        "https://api.example.org/econ/series/categories?series_id=GNPCA",
        "https://data.example.org/a/series/GNPCA",
        "/series/GNPCA/nothing",
    ],
)
def test_anything_else_is_told_and_stays_in_the_box(client: Client, q: str) -> None:
    page = client.get("/go", {"q": q})

    assert page.status_code == 400
    assert "for example GNPCA" in alert(page)
    assert "<script>alert" not in page.text
    assert document(page).xpath("string(//input[@id='go-box']/@value)") == q.replace("\x00", "\ufffd")


@pytest.mark.parametrize("query", ["", "q=", "q=%20"])
def test_an_empty_box_is_told(client: Client, query: str) -> None:
    assert "The box is empty" in alert(client.get(f"/go?{query}"))


@pytest.mark.parametrize(
    ("kind", "q", "link"),
    [
        ("series", "unrate", "/series/UNRATE/"),
        ("series", "unrate gdp", "/series/?ids=UNRATE,GDP"),
        ("series", "S&P", None),
        ("category", "125", "/category/125/tags/"),
        ("release", "gross", "/release/53/tags/"),
        ("nonsense", "125 category", None),
    ],
)
def test_a_form_may_say_of_which_kind_its_text_is(client: Client, kind: str, q: str, link: str | None) -> None:
    assert client.get("/go", {"kind": kind, "q": q}).get("Location") == link


def test_a_past_day_is_carried_along(client: Client) -> None:
    answer = client.get("/go", {"q": "category 125", "realtime_start": "2014-01-01", "realtime_end": ""})

    assert answer["Location"] == "/category/125/tags/?realtime_start=2014-01-01"


def test_names_are_suggested_as_one_types(client: Client) -> None:
    answer = client.get("/suggest", {"q": "prod", "realtime_end": "2014-01-01"})

    assert links(answer) == {"Gross Domestic Product Release 53": "/release/53/tags/?realtime_end=2014-01-01"}


def test_nothing_is_suggested_for_nothing(client: Client) -> None:
    assert client.get("/suggest").text.strip() == ""


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
def test_a_key_in_the_address_of_a_page_is_dropped_and_the_reader_is_told(
    client: Client, stand_in: FakeService, path: str, words: str
) -> None:
    stand_in.seriess["GNPCA"] = [{**a_series(), "popularity": 39}]
    for kind, number in (("category", 125), ("release", 53)):
        stand_in.has(kind, number, [a_tag()])
    answer = client.get(f"{path}?{words}&API_key={'k' * 32}")

    assert answer.status_code == 302
    assert answer["Location"] == f"{path}?{words}&notice=key"
    assert "held a key of the service" in alert(client.get(answer["Location"]))


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
def test_a_key_in_the_address_of_a_page_that_cannot_be_shown_is_dropped_too(
    client: Client, stand_in: FakeService, address: str, name: str
) -> None:
    answer = client.get(f"{address}&{name}={KEY}")

    told = client.get(answer["Location"], follow=True)
    assert KEY not in answer["Location"]
    assert told.status_code in {400, 404}
    assert "The address held a key of the service." in alert(told)


@pytest.mark.parametrize("path", [path for path, _ in KEYED if not path.endswith("code")])
@pytest.mark.parametrize("suffix", ["csv", "json", "xlsx"])
def test_a_key_in_the_address_of_a_file_is_dropped_and_it_stays_a_file(client: Client, path: str, suffix: str) -> None:
    words = dict(KEYED)[path]
    file = f"{path.rstrip('/')}.{suffix}"

    assert client.get(f"{file}?{words}&api_key={KEY}")["Location"] == f"{file}?{words}"


def test_a_citation_stays_one_when_a_key_is_dropped(client: Client) -> None:
    assert client.get(f"/series/gnpca.bib?api_key={KEY}")["Location"] == "/series/gnpca.bib"


@pytest.mark.parametrize("path", ["/", "/about/", "/suggest", "/category/125/tags/names", "/admin//x"])
@pytest.mark.parametrize("method", ["get", "head"])
def test_no_page_at_all_is_shown_under_an_address_with_a_key(client: Client, method: str, path: str) -> None:
    answer = getattr(client, method)(f"{path}?api%5Fkey={KEY}&q=money")

    assert (answer.status_code, answer["Location"]) == (302, f"{path}?q=money&notice=key")


@pytest.mark.parametrize("path", ["//evil.example/x", "///evil.example/", "/\\evil/", "/x?y=1", "/x#y", "/x%2e"])
@pytest.mark.parametrize("query", [f"api_key={KEY}", f"q=api_key%3D{KEY}"])
def test_who_is_sent_on_without_a_key_stays_at_this_place(client: Client, path: str, query: str) -> None:
    answer = client.get("/", PATH_INFO=path, QUERY_STRING=query)
    to = urlsplit(urljoin("http://portal.example.org/", answer["Location"]))

    assert KEY not in answer["Location"]
    assert (to.netloc, unquote(to.path), to.fragment) == ("portal.example.org", path, "")
    assert "notice=key" in to.query
