"""Addresses of this site's own pages in the search box, and the ids of frozen copies."""

from collections.abc import Callable
from pathlib import Path

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from econweb.library.models import AUDIENCES, EVERYONE, FrozenCopy
from tests.builders import a_series, load_catalogue
from tests.dashboard.frozen.copies import freeze, view
from tests.dashboard.saved.people import OWNER, STRANGER, client_of, let_people_sign_in
from tests.fake_service import FakeService

__all__ = ["view"]
pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("site", ["http://testserver", ""])
@pytest.mark.parametrize(
    ("path", "link"),
    [
        ("/frozen/504ys0zq520fa/", "/frozen/504ys0zq520fa/"),
        ("/frozen/504ys0zq520fa", "/frozen/504ys0zq520fa/"),
        ("/frozen/504ys0zq520fa.csv", "/frozen/504ys0zq520fa/"),
        ("/frozen/504ys0zq520fa/check", "/frozen/504ys0zq520fa/check"),
        ("/frozen/504ys0zq520fa/?tag_group_id=geo&limit=25#rows", "/frozen/504ys0zq520fa/?tag_group_id=geo&limit=25"),
        ("/saved/trade-tags/", "/saved/trade-tags/"),
        ("/tag/gdp/", "/tag/gdp/"),
        ("/tag/a%3Fb%20c/", "/tag/a%3Fb%20c/"),
        ("/check/?ids=GDP,UNRATE", "/check/?ids=GDP,UNRATE"),
        ("/category/125/similar/", "/category/125/similar/"),
        ("/browse/tags/?q=oil", "/browse/tags/?q=oil"),
        ("/search/?q=oil+price", "/search/?q=oil+price"),
        ("/about/", "/about/"),
        ("/frozen/504ys0zq520fa.zip", "/frozen/504ys0zq520fa/"),
        ("/saved/trade-tags.zip", "/saved/trade-tags/"),
        ("/me/frozen/504ys0zq520fa.bib", "/me/frozen/504ys0zq520fa/"),
        ("/me/saved/trade-tags/", "/me/saved/trade-tags/"),
        ("/me/watches/", "/me/watches/"),
        ("/changes/?subject=label", "/changes/?subject=label"),
    ],
)
def test_search_box_opens_own_page_by_its_address(client: Client, site: str, path: str, link: str) -> None:
    page = client.get("/go", {"q": site + path})

    assert page.headers.get("Location") == link
    assert f'href="{link.replace("&", "&amp;")}"' in client.get("/suggest", {"q": site + path}).text


@pytest.mark.parametrize(
    "q",
    [
        "/me/",
        "/me/freeze/?target=/series/GDP/",
        "/me/frozen/504ys0zq520fa/withdraw/",
        "/me/changes/1/undo/",
        "/admin/",
        "/sign-in/",
        "/sign-in/ada/0123/",
        "/go?q=/go",
        "/suggest?q=a",
        "/suggest.json?q=a",
        "/mcp",
        "/opensearch.xml",
        "/frozen/timemap",
        "/static/site.css",
        "/no-such-page/",
        "//example.org/frozen/504ys0zq520fa/",
        "http://testserver//example.org/",
        "http://testserver@example.org/frozen/504ys0zq520fa/",
        "http://testserver:1/about/",
        r"/\example.org/about/",
        "https://example.org/about/",
        "https://example.org/tag/gdp/",
        "https://example.org/saved/trade-tags/",
    ],
)
def test_search_box_opens_no_other_address(client: Client, q: str) -> None:
    assert client.get("/go", {"q": q}).status_code == 404


def test_search_box_removes_key_from_address_of_own_page(client: Client) -> None:
    q = f"http://testserver/tag/gdp/?kind=release&api_key={'a' * 32}"

    assert client.get("/go", {"q": q})["Location"] == "/tag/gdp/?kind=release&notice=key"


CITED = [
    "[frozen copy {}]",
    "Frozen copy {}",
    "[{}]",
    "({})",
    "{}_2026-11-28",
    "{{{}_2026-11-28}},",
    "testserver/frozen/{}/",
    "testserver/frozen/{}.zip",
    "(http://testserver/frozen/{}/)",
    "‹http://testserver/frozen/{}/›.",
    "see ‘http://testserver/frozen/{}/’.",
    "<testserver/frozen/{}/>",
    "Tags [frozen copy {0}]. Category 125: 60 rows, frozen 2026-11-28. The Bank. http://testserver/frozen/{0}/",
    "Tags [frozen copy {0}]. Category 125: 60 rows. The Bank. https://elsewhere.example.org/frozen/{0}/",
    "testserver/frozen/{0}/, testserver/frozen/{0}, [frozen  copy {0}]",
]


@pytest.mark.parametrize("cited", CITED)
@pytest.mark.parametrize("number", ["504ys0zq520fa", "c65g52zxmgf26"])
def test_search_box_opens_copy_as_citations_name_it(client: Client, view: str, cited: str, number: str) -> None:
    freeze(client, view)
    FrozenCopy.objects.update(id=number)

    page = client.get("/go", {"q": cited.format(number)})

    assert page.status_code in {301, 302}
    assert page["Location"] == f"/frozen/{number}/"
    assert f'href="/frozen/{number}/"' in client.get("/suggest", {"q": cited.format(number)}).text


def test_search_box_keeps_filters_of_a_cited_address(client: Client, settings: Settings) -> None:
    settings.ALLOWED_HOSTS = ["127.0.0.1"]
    q = "Tags [frozen copy 504ys0zq520fa]. 127.0.0.1:8321/frozen/504ys0zq520fa/?tag_group_id=geo."
    page = client.get("/go", {"q": q}, headers={"host": "127.0.0.1:8321"})

    assert page.headers.get("Location") == "/frozen/504ys0zq520fa/?tag_group_id=geo"


LINE = "Real Gross National Product [GNPCA]. Annual. As of 2014-01-01. The Bank. "
DAY = "realtime_start=2014-01-01&realtime_end=2014-01-01"


@pytest.mark.parametrize(
    ("q", "link"),
    [
        (f"{LINE}http://testserver/series/GNPCA/?{DAY} (accessed 2026-11-28).", f"/series/GNPCA/?{DAY}"),
        (f"Annual. testserver/series/GNPCA.csv?{DAY}.", f"/series/GNPCA/?{DAY}"),
        ("See ‹http://testserver/series/?ids=GDP,UNRATE›", "/series/?ids=GDP,UNRATE"),
        (f"{LINE}https://elsewhere.example.org/series/GDP/", "/series/GNPCA/"),
        ("Real Gross National Product [GNPCA]", "/series/GNPCA/"),
        ("All Employees, Total Nonfarm [gnpca]", "/series/GNPCA/"),
        ("GNPCA_2014-01-01", f"/series/GNPCA/?{DAY}"),
        ("{gnpca_2014-01-01},", f"/series/GNPCA/?{DAY}"),
    ],
)
def test_search_box_opens_series_as_citations_name_it(client: Client, tmp_path: Path, q: str, link: str) -> None:
    """The line of `/series/GNPCA.txt` had no match."""
    load_catalogue(tmp_path, series=[a_series()])

    assert client.get("/go", {"q": q}).headers.get("Location") == link
    assert f'href="{link.replace("&", "&amp;")}"' in client.get("/suggest", {"q": q}).text


@pytest.mark.parametrize(
    "q",
    [
        "Gross Product [GNPCA] and [GDP]",
        "Gross Product [NOSUCHID]",
        "NOSUCHID_2026-11-28",
        "Gross Product http://testserver@example.org/series/GNPCA/",
        "Gross Product https://example.org/testserver/series/GNPCA/",
    ],
)
def test_search_box_opens_no_series_by_another_text(client: Client, tmp_path: Path, q: str) -> None:
    load_catalogue(tmp_path, series=[a_series(), a_series(id="GDP")])

    assert client.get("/go", {"q": q}).status_code == 404


def test_search_box_removes_key_from_address_in_a_text(client: Client) -> None:
    q = f"Gross Product http://testserver/series/GNPCA/?api_key={'a' * 32}"

    assert client.get("/go", {"q": q})["Location"] == "/series/GNPCA/?notice=key"


@pytest.mark.parametrize(
    "q",
    [
        "[frozen copy {}] and [frozen copy 0000000000000]",
        "{} {}",
        "copy {}",
        "[frozen copy {}0]",
        "(http://testserver@example.org/frozen/{}/)",
        "(http://example.org/testserver/frozen/{}/)",
        "(https://example.org/frozen/{}/)",
        "(nottestserver/frozen/{}/)",
    ],
)
def test_search_box_opens_copy_by_no_other_text(client: Client, view: str, q: str) -> None:
    freeze(client, view)
    FrozenCopy.objects.update(id="c65g52zxmgf26")

    assert client.get("/go", {"q": q.replace("{}", "c65g52zxmgf26")}).status_code == 404


@pytest.mark.parametrize("change", [str.lower, str.upper])
def test_search_box_opens_copy_by_its_id(client: Client, view: str, change: Callable[[str], str]) -> None:
    path = freeze(client, view)
    copy_id = FrozenCopy.objects.get().pk

    page = client.get("/go", {"q": f" {change(copy_id)} "})

    assert (page.status_code, page["Location"]) == (302, path)
    assert f'href="{path}"' in client.get("/suggest", {"q": copy_id}).text
    assert client.get("/go", {"q": copy_id, "kind": "series"}).headers.get("Location") != path


def test_series_comes_before_copy_of_its_name(client: Client, view: str, stand_in: FakeService) -> None:
    freeze(client, view)
    copy_id = FrozenCopy.objects.get().pk.upper()
    stand_in.seriess[copy_id] = [{**a_series(id=copy_id), "popularity": 39}]
    client.get(f"/series/{copy_id}/")

    assert client.get("/go", {"q": copy_id})["Location"] == f"/series/{copy_id}/"


@pytest.mark.parametrize("audience", [one for one in AUDIENCES if one != EVERYONE])
@pytest.mark.parametrize("page", ["/go", "/suggest"])
@pytest.mark.parametrize("cited", ["{}", *CITED])
def test_search_box_does_not_tell_whether_hidden_copy_exists(
    view: str, settings: Settings, audience: str, page: str, cited: str
) -> None:
    let_people_sign_in(settings)
    freeze(client_of(OWNER), view, audience=audience)
    client = client_of(STRANGER)
    copy_id = FrozenCopy.objects.get().pk

    def answer() -> tuple[int, str, set[str]]:
        with CaptureQueriesContext(connection) as captured:
            found = client.get(page, {"q": cited.format(copy_id)})
        # Each look for changed names is one statement, which is left out while another thread looks.
        return found.status_code, found.text, {query["sql"] for query in captured}

    answer()
    with_copy = answer()
    FrozenCopy.objects.all().delete()
    assert answer() == with_copy
