"""The head of a page names its files and feed, and the head of each of these leads back to the page."""

import re

import pytest
from django.test import Client
from django.urls import resolve
from django.utils import timezone

from econweb.dashboard.files.negotiation import MEDIA_TYPES
from econweb.dashboard.rendering.response_head import ATOM
from econweb.dashboard.sharing import citations
from econweb.dashboard.urls import urlpatterns
from tests.builders import a_series
from tests.conftest import Loader
from tests.library.builders import a_saved_view
from tests.search_index.recorded import record_tags, tags

pytestmark = pytest.mark.django_db(transaction=True)
SITE = "http://testserver"
# A page with filters, and its first file.
PAGES = {
    "/category/125/tags/?tag_group_id=geo": "/category/125/tags.csv?tag_group_id=geo",
    "/series/GNPCA/": "/series/GNPCA.csv",
    "/series/?ids=GNPCA&columns=title": "/series.csv?ids=GNPCA&columns=title",
    "/check/?ids=GNPCA&since=2015-01-01": "/check.csv?ids=GNPCA&since=2015-01-01",
    "/compare/?a=category:125&b=release:53": "/compare.csv?a=category:125&b=release:53",
    "/search/?q=product&frequency=Annual": "/search.csv?q=product&frequency=Annual",
    "/tag/usa/?kind=category": "/tag/usa.csv?kind=category",
    "/browse/overview/?kind=release": "/browse/overview.csv?kind=release",
    "/browse/tags/?q=usa": "/browse/tags.csv?q=usa",
    "/check/?ids=GNPCA&since=2026-01-01": "/check.csv?ids=GNPCA&since=2026-01-01",
    "/changes/?q=gdp": "/changes/record.csv?q=gdp",
}
FEEDS = {
    "/news/?source=series:GNPCA&kind=gone": "/news/feed.atom?source=series:GNPCA",
    "/series/GNPCA/": "/news/feed.atom?source=series:GNPCA",
    "/category/125/tags/?tag_group_id=geo": "/news/feed.atom?source=category:125",
    "/saved/a/": "/saved/a/feed.atom",
}
# These have addresses of their own: below /me/, and copies, whose heads say more (test_response_heads.py).
OTHERS = {"my_compare_file", "my_frozen_file", "frozen_file"}


@pytest.fixture(autouse=True)
def catalogue_of_one(catalogue: Loader) -> None:
    catalogue(
        series=[a_series()],
        tags=[{"name": "usa", "group_id": "geo", "notes": "", "created": "2012-02-27 10:18:19-06", "popularity": "1"}],
        categories=[{"category_id": "125", "name": "Trade"}],
        releases=[{"release_id": "53", "name": "Product"}],
        series_categories=[{"series_id": "GNPCA", "category_id": "125"}],
        series_releases=[{"series_id": "GNPCA", "release_id": "53"}],
        series_tags=[{"series_id": "GNPCA", "tag_name": "usa"}],
    )
    record_tags("category", 125, tags(usa=1), 1, timezone.now())


def forms(head: str, rel: str = "alternate") -> dict[str, str]:
    """Return the links of a head by their media types."""
    found = re.findall(rf'<([^>]+)>; rel="{rel}"; type="([^"]+)"', head)
    return {media_type: link for link, media_type in found}


@pytest.mark.parametrize("page", PAGES)
def test_page_and_each_of_its_files_name_one_another(client: Client, page: str) -> None:
    named = forms(client.get(page)["Link"])
    files = {suffix: named.pop(media_type, "") for suffix, media_type in MEDIA_TYPES.items()}

    assert files["csv"] == PAGES[page]
    for suffix, link in files.items():
        file = client.get(link)
        assert (file.status_code, file["Content-Type"].split(";")[0]) == (200, MEDIA_TYPES[suffix])
        assert forms(file["Link"]) == {"text/html": SITE + page}
        file.close()
    assert named.keys() <= {ATOM}


def test_every_route_of_files_is_tried() -> None:
    routes = {route.name for route in urlpatterns if "<file:suffix>" in str(route.pattern)}

    assert routes - OTHERS == {resolve(link.partition("?")[0]).url_name for link in PAGES.values()}


@pytest.mark.parametrize("page", FEEDS)
def test_page_and_its_feed_name_one_another(client: Client, page: str) -> None:
    a_saved_view(slug="a", target="/series/GNPCA/", kind="series").save()
    link = forms(client.get(page)["Link"])[ATOM]
    feed = client.get(link)

    assert (link, feed.status_code, feed["Content-Type"].split(";")[0]) == (FEEDS[page], 200, ATOM)
    assert list(forms(feed["Link"])) == ["text/html"]
    assert client.get(forms(feed["Link"])["text/html"]).status_code == 200


def test_page_of_one_person_names_no_feed_of_all(client: Client) -> None:
    page = client.get("/me/news/")

    assert (page.status_code, "Link" in page) == (200, False)


def test_pack_of_a_saved_list_and_its_page_name_one_another(client: Client) -> None:
    a_saved_view(slug="a", target="/series/?ids=GNPCA", kind="list").save()
    pack = client.get(forms(client.get("/saved/a/")["Link"])["application/zip"])

    assert forms(pack["Link"]) == {"text/html": f"{SITE}/saved/a/"}
    pack.close()


@pytest.mark.parametrize("suffix", citations.MEDIA_TYPES)
def test_citation_says_what_it_describes(client: Client, suffix: str) -> None:
    link = "/series/GNPCA/?realtime_start=2020-05-05&realtime_end=2020-05-05"
    file = client.get(link.replace("/?", f".{suffix}?"))

    assert forms(file["Link"], "describes") == {"text/html": SITE + link}


def test_long_filters_leave_the_links_out(client: Client) -> None:
    """Six links of 600 characters do not fit the head."""
    page = client.get("/search/", {"q": "語" * 66})

    assert (page.status_code, "rel=" in page.get("Link", "")) == (200, False)
