"""Addresses in the search box: of this site, of the service and of the provider's site."""

import pytest
from django.test import Client
from django.urls import path as route
from django.utils import timezone
from pytest_django import Settings

from econweb import urls
from econweb.dashboard.files.negotiation import MEDIA_TYPES
from econweb.dashboard.sharing import citations
from econweb.dashboard.views import home
from econweb.label_book.models import Label
from econweb.label_book.storing import save_labels
from tests.dashboard.reading import alert, links, words
from tests.fake_service import FakeService
from tests.search_index.recorded import record_tags, tags

pytestmark = pytest.mark.django_db
SITE, ARCHIVE = "https://fred.stlouisfed.org", "https://alfred.stlouisfed.org"


@pytest.mark.parametrize(
    ("q", "link"),
    [
        (f"{SITE}/series/GNPCA", "/series/GNPCA/"),
        (f"{SITE}/series/GNPCA?utm_source=mail#0", "/series/GNPCA/?utm_source=mail"),
        (f"{SITE}/graph/fredgraph.csv?id=GNPCA", "/series/GNPCA/"),
        (f"{SITE}/graph/fredgraph.png?id=gnpca&width=600", "/series/GNPCA/"),
        (f"{SITE}/graph/?id=GNPCA,UNRATE", "/series/?ids=GNPCA,UNRATE"),
        (f"{SITE}/graph/?id=GNPCA&cosd=2000-01-01&coed=2020-01-01", "/series/GNPCA/"),
        (f"{SITE}/graph/?id=GNPCA,GDP&vintage_date=2014-01-01,2015-01-01", "/series/?ids=GNPCA,GDP"),
        (
            f"{ARCHIVE}/graph/?id=GNPCA&vintage_date=2014-01-01",
            "/series/GNPCA/?realtime_start=2014-01-01&realtime_end=2014-01-01",
        ),
        (
            f"{ARCHIVE}/series?seid=GNPCA&realtime_start=2014-01-01&realtime_end=2014-12-31",
            "/series/GNPCA/?realtime_start=2014-01-01&realtime_end=2014-12-31",
        ),
        (f"{SITE}/data/GNPCA", "/series/GNPCA/"),
        (f"{SITE}/data/GNPCA.txt", "/series/GNPCA/"),
        (f"{ARCHIVE}/series?seid=GNPCA", "/series/GNPCA/"),
        (f"{ARCHIVE}/series/downloaddata?seid=gnpca", "/series/GNPCA/"),
        (f"{SITE}/categories/125", "/category/125/tags/"),
        (f"{SITE}/categories/125/downloaddata", "/category/125/tags/"),
        (f"{SITE}/release?rid=53", "/release/53/tags/"),
        (f"{SITE}/release/tables?rid=53&eid=12", "/release/53/tags/"),
        (f"{SITE}/releases/calendar?rid=53", "/release/53/tags/"),
        (f"{SITE}/tags/series?t=gdp", "/go?q=gdp"),
        (f"{SITE}/tags/series?t=gdp%3Busa", "/go?q=gdp+usa"),
        (f"{SITE}/searchresults?st=gross+domestic", "/go?q=gross+domestic"),
        (f"{SITE}/searchresults/?st=gdp&ob=sr", "/go?q=gdp"),
    ],
)
def test_search_box_redirects_provider_url_to_page(client: Client, q: str, link: str) -> None:
    assert client.get("/go", {"q": q})["Location"] == link
    assert client.get("/go", {"q": q.removeprefix("https://")})["Location"] == link


@pytest.mark.parametrize(
    "q",
    [
        f"{SITE}/graph/?g=1abC",
        f"{SITE}/graph/fredgraph.csv?id=a-b",
        f"{SITE}/data/",
        f"{SITE}/searchresults?st=",
        # Two searches that name each other would send the browser in a circle.
        f"{SITE}/searchresults?st=https://fred.stlouisfed.org/searchresults?st=gdp",
    ],
)
def test_search_box_explains_provider_url_without_source(client: Client, q: str) -> None:
    assert client.get("/go", {"q": q}).status_code == 404


@pytest.mark.parametrize("q", ["https://bea.gov/data/GDP", "www.bea.gov/data/gdp", "https://bea.gov/categories/125"])
def test_search_box_says_that_address_belongs_to_another_site(client: Client, q: str) -> None:
    """An address of another agency opened a series of the provider."""
    page = client.get("/go", {"q": q})

    assert page.status_code == 404
    assert "bea.gov is neither this site nor its data provider" in alert(page)


@pytest.mark.parametrize("q", ["https://bea.gov/data/gross-domestic-product", "/gross-domestic-product"])
def test_search_box_offers_words_of_an_unknown_address(client: Client, stand_in: FakeService, q: str) -> None:
    save_labels([Label(kind="release", number=53, name="Gross Domestic Product")])

    page = client.get("/go", {"q": q})

    assert links(page)["Release 53 Gross Domestic Product"] == "/release/53/tags/"


@pytest.mark.parametrize("q", [f"{SITE}/graph/?g=abcd", "http://example.com/foo", "http://testserver/federal/foo"])
def test_search_box_offers_nothing_for_the_letters_of_an_address(client: Client, q: str) -> None:
    """The letters of “fred” were those of Federal Funds Data, and “foo” was the beginning of food."""
    save_labels([Label(kind="category", number=7, name="Federal Funds Data")])
    record_tags("category", 7, tags(food=3, fred=2), 3, timezone.now())
    page = client.get("/go", {"q": q})

    assert page.status_code == 404
    assert not words(page, "//*[@class='destination-list']//a")
    assert ("This kind of link of the data provider cannot be read." in alert(page)) == q.startswith(SITE)


@pytest.mark.parametrize("setting", ["ECON_WEBSITE", "ECON_WEBSITE_CATEGORY", "ECON_WEBSITE_RELEASE", "ECON_BASE_URL"])
def test_search_box_reads_addresses_of_provider_in_settings(client: Client, settings: Settings, setting: str) -> None:
    setattr(settings, setting, "https://data.example.org/pages/{series_id}")

    assert client.get("/go", {"q": "https://data.example.org/data/GNPCA"})["Location"] == "/series/GNPCA/"


urlpatterns = [route("series/<str:series_id>/neighbours", home, name="neighbours"), *urls.urlpatterns]


def test_search_box_accepts_any_series_subpage(client: Client, settings: Settings) -> None:
    settings.ROOT_URLCONF = __name__

    answer = client.get("/go", {"q": "https://econweb.example.org/series/gnpca/neighbours?limit=5"})

    assert answer["Location"] == "/series/GNPCA/neighbours?limit=5"


def test_search_box_takes_ids_from_series_list_urls_only(client: Client) -> None:
    other = "https://api.example.org/econ/series/categories?series_id=GNPCA"
    page = client.get("/series/", {"ids": f"GDP {other}"}, follow=True)

    assert "CATEGORIES" not in page.text


@pytest.mark.parametrize("suffix", [*MEDIA_TYPES, *citations.MEDIA_TYPES])
def test_search_box_redirects_export_url_to_its_view(client: Client, suffix: str) -> None:
    assert client.get("/go", {"q": f"/series/GNPCA.{suffix}"})["Location"] == "/series/GNPCA/"
