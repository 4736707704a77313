"""A view leads to its files, its pinned link and its request, and they show what it shows."""

import csv
import json
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.test import Client
from pytest_django import Settings

from econweb.dashboard.files.negotiation import MEDIA_TYPES
from econweb.upstream.replies.decode import decode_series, decode_tags
from tests.builders import a_series
from tests.conftest import Loader
from tests.dashboard.reading import canonical, document, links

pytestmark = pytest.mark.django_db(transaction=True)
TAGS = [
    {"name": name, "group_id": group, "notes": "", "created": "2012-02-27 10:18:19-06", "popularity": str(i)}
    for i, (name, group) in enumerate([("usa", "geo"), ("japan", "geo"), ("annual", "freq"), ("nsa", "seas")])
]


@pytest.fixture
def category(catalogue: Loader) -> None:
    """Category 125 holds one series, of the USA."""
    catalogue(
        series=[a_series()],
        tags=TAGS,
        categories=[{"category_id": "125", "name": "Trade"}],
        series_categories=[{"series_id": "GNPCA", "category_id": "125"}],
        series_tags=[{"series_id": "GNPCA", "tag_name": name} for name in ("usa", "annual", "nsa")],
    )


def rows_of(response: Any) -> list[dict[str, str]]:
    text = b"".join(response.streaming_content).decode()
    return list(csv.DictReader(line for line in text.splitlines() if not line.startswith("#")))


def test_export_has_all_rows_in_order_of_view(client: Client, category: None) -> None:
    rows = rows_of(client.get("/category/125/tags.csv?order_by=name&sort_order=asc&limit=1&offset=2"))

    assert [row["name"] for row in rows] == ["annual", "nsa", "usa"]


def test_export_follows_filters_and_is_named_after_them(client: Client, category: None) -> None:
    response = client.get("/category/125/tags.csv?tag_group_id=geo&realtime_start=2026-11-20&realtime_end=2026-11-20")

    assert [row["name"] for row in rows_of(response)] == ["usa"]
    assert response["Content-Disposition"] == 'attachment; filename="category-125-tags-geo-2026-11-20.csv"'


@pytest.mark.parametrize("file_type", ["json", "xml"])
def test_export_is_readable_by_a_client_of_the_service(client: Client, category: None, file_type: str) -> None:
    body = client.get(f"/category/125/tags.{file_type}").getvalue()

    reply = decode_tags(body, file_type)

    assert [(tag.name, tag.series_count) for tag in reply.tags] == [("annual", 1), ("nsa", 1), ("usa", 1)]
    assert (reply.count, reply.offset, reply.order_by, reply.sort_order) == (3, 0, "series_count", "desc")


@pytest.mark.parametrize("file_type", ["json", "xml"])
def test_series_export_is_readable_like_a_reply(client: Client, catalogue: Loader, file_type: str) -> None:
    catalogue(series=[a_series(notes=""), a_series(id="OTHER")])
    body = client.get(f"/series/GNPCA.{file_type}").getvalue()

    (series,) = decode_series(body, file_type).seriess

    assert (series.id, series.title, series.notes) == ("GNPCA", "Real Gross National Product", None)


@pytest.mark.parametrize(
    ("accept", "media_type"),
    [
        ("text/csv", "text/csv"),
        ("application/json, text/html;q=0.5", "application/json"),
        ("application/xml", "text/xml"),
        ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "text/html"),
        ("*/*", "text/html"),
        ("image/png", "text/html"),
    ],
)
@pytest.mark.parametrize("path", ["/category/125/tags/", "/series/GNPCA/"])
def test_export_format_is_negotiated_by_accept_header(
    client: Client, category: None, path: str, accept: str, media_type: str
) -> None:
    response = client.get(path, headers={"accept": accept})

    assert response["Content-Type"].split(";")[0] == media_type
    assert "Accept" in response["Vary"].split(", ")
    response.close()


@pytest.mark.parametrize("path", ["/category/125/tags.pdf", "/category/125/tags/x.csv"])
def test_export_with_unknown_suffix_is_not_found(client: Client, category: None, path: str) -> None:
    assert client.get(path).status_code == 404


def test_page_links_its_exports_in_header(client: Client, category: None) -> None:
    page = client.get("/category/125/tags/?tag_group_id=geo")

    assert '</category/125/tags.csv?tag_group_id=geo>; rel="alternate"; type="text/csv"' in page["Link"]
    assert 'href="/category/125/tags.xlsx?tag_group_id=geo">Excel (.xlsx)</a>' in page.text


@pytest.mark.parametrize("suffix", ["txt", "bib", "ris", "csl"])
def test_series_citation_uses_pinned_link(client: Client, category: None, suffix: str) -> None:
    response = client.get(f"/series/GNPCA.{suffix}?realtime_start=2020-05-05&realtime_end=2020-05-05")

    assert "http://testserver/series/GNPCA/?realtime_start=2020-05-05&realtime_end=2020-05-05" in response.text
    assert response["Content-Disposition"] == f'attachment; filename="GNPCA-2020-05-05.{suffix}"'


def test_code_page_requests_exactly_the_view(client: Client, category: None) -> None:
    page = client.get("/category/125/tags/code?tag_names=usa&limit=20&offset=40")

    assert (
        "http://testserver/econ/category/tags?category_id=125&amp;tag_names=usa&amp;order_by=series_count"
        "&amp;sort_order=desc&amp;limit=20&amp;offset=40&amp;file_type=json&amp;api_key=&lt;API_KEY&gt;"
    ) in page.text


def test_code_page_names_configured_service(client: Client, settings: Settings) -> None:
    settings.ECON_BASE_URL, settings.ECON_SERVICE_PATH = "https://data.example.org", "fred"
    settings.ECON_API_KEY = "0123456789abcdef0123456789abcdef"

    page = client.get("/series/GNPCA/code").text

    assert "https://data.example.org/fred/series?series_id=GNPCA" in page
    assert settings.ECON_API_KEY not in page


def test_link_preview_describes_the_view(client: Client, category: None) -> None:
    page = client.get("/category/125/tags/?realtime_start=2026-11-20&realtime_end=2026-11-20").text

    assert 'content="3 tags of category 125, Trade, as of 2026-11-20; top: annual, nsa, usa"' in page


def test_embedded_tag_page_is_table_without_layout(client: Client, category: None, settings: Settings) -> None:
    page = client.get("/category/125/tags/?embed=1&tag_group_id=geo")

    assert "<table" in page.text
    assert "masthead" not in page.text
    assert "<script" not in page.text
    assert canonical(page) == "/category/125/tags/?tag_group_id=geo"


def test_export_names_invalid_parameter(client: Client, category: None) -> None:
    response = client.get("/category/125/tags.json?order_by=size")

    assert response.status_code == 400
    assert "is not known. Choose: " in response.text


def test_json_export_without_rows_is_valid(client: Client, category: None) -> None:
    body = client.get("/category/125/tags.json?tag_names=none").getvalue()

    assert json.loads(body)["tags"] == []


@pytest.mark.parametrize("path", ["/series/?ids=GNPCA", "/series/GNPCA/?", "/compare/?a=category:125&b=category:125"])
def test_embedded_views_have_no_layout(client: Client, category: None, path: str) -> None:
    page = client.get(f"{path}&embed=1").text

    assert '<base target="_blank">' in page
    layout = ("masthead", "<script", "<textarea", 'class="view-menu"', 'class="query-form"', 'class="onward"')
    assert [name for name in layout if name in page] == []


def test_embedded_view_cannot_be_framed_by_default(client: Client, category: None) -> None:
    assert "frame-ancestors 'none'" in client.get("/category/125/tags/?embed=1")["Content-Security-Policy"]


@pytest.mark.parametrize(
    ("q", "status"),
    [
        ("https://fred.stlouisfed.org/categories/125", 301),
        ("/release?rid=53", 301),
        ("https://example.org/econ/series?series_id=GNPCA", 301),
        ("https://example.org/econ/series?series_id=GNPCA&api_key=0123456789abcdef0123456789abcdef", 302),
        ("GNPCA", 302),
    ],
)
def test_search_box_redirects_permanently_only_without_key(client: Client, category: None, q: str, status: int) -> None:
    assert client.get("/go", {"q": q}).status_code == status


def test_id_has_one_spelling(client: Client, category: None) -> None:
    assert canonical(client.get("/series/gnpca/")) == "/series/GNPCA/"


@pytest.mark.parametrize(
    ("path", "accept", "status"),
    [
        ("/category/125/tags.json?order_by=size", "*/*", 400),
        ("/category/125/tags/?order_by=size", "application/json", 400),
        ("/category/999/tags.csv", "*/*", 404),
        ("/series/NONE.xml", "*/*", 404),
        ("/series/GNPCA.md?realtime_start=soon", "*/*", 400),
        ("/series.csv", "*/*", 400),
        ("/compare.csv?a=tag:1", "*/*", 400),
        ("/compare.md", "*/*", 400),
        ("/compare.xlsx?a=category:125", "text/html", 400),
        ("/compare/", "text/csv", 400),
    ],
)
def test_export_error_is_plain_text(client: Client, category: None, path: str, accept: str, status: int) -> None:
    response = client.get(path, headers={"accept": accept})

    assert (response.status_code, response["Content-Type"]) == (status, "text/plain; charset=utf-8")
    assert len(response.text.splitlines()) == 1


def test_embedded_view_can_be_framed_by_configured_sites(client: Client, category: None, settings: Settings) -> None:
    settings.FRAME_ANCESTORS = ["https://wiki.example.org"]

    policy = client.get("/category/125/tags/?embed=1")["Content-Security-Policy"]

    assert "frame-ancestors https://wiki.example.org" in policy


@pytest.mark.parametrize(
    "path", ["/category/125/tags/", "/series/?ids=GNPCA", "/compare/?a=category:125&b=category:125"]
)
def test_export_menu_names_formats_and_row_count(client: Client, category: None, path: str) -> None:
    (menu,) = document(client.get(path)).xpath("//details[summary='Export']")

    rows = 1 if "ids" in path else 3
    assert menu.xpath("string(.//p)") == f"{rows} row{'' if rows == 1 else 's'}"
    formats = ["Excel (.xlsx)", "CSV", "CSV without comments", "JSON", "XML", "Markdown table", "LaTeX table"]
    assert menu.xpath(".//li/a/text()") == formats
    assert {urlsplit(link).path.rpartition(".")[2] for link in menu.xpath(".//li/a/@href")} == {*MEDIA_TYPES}
    (plain,) = menu.xpath(".//a[.='CSV without comments']/@href")
    assert b"#" not in client.get(plain).getvalue()


def test_share_menu_offers_embedding_if_allowed(client: Client, category: None, settings: Settings) -> None:
    label = "View to embed in another page"
    before = links(client.get("/category/125/tags/?tag_group_id=geo"))
    settings.FRAME_ANCESTORS = ["https://wiki.example.org"]

    assert label not in before
    assert links(client.get("/category/125/tags/?tag_group_id=gen"))[label].endswith("?tag_group_id=gen&embed=1")
