"""Name, logo, links and contact of the site: on pages, errors, feeds and in the admin."""

from pathlib import Path

import pytest
from django.test import Client
from pytest_django import Settings

from econweb.config.site_config import Site
from econweb.dashboard.rendering import etags
from econweb.startup.bundles import bundle_static_files

pytestmark = pytest.mark.django_db
SITE = Site(
    "Zahlen & Fakten",
    imprint="https://www.example.org/imprint",
    privacy="https://www.example.org/privacy",
    contact="data@example.org",
)
SVG = b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 2 1"><path d="M0 0h2v1H0"/></svg>'


def wordmark(page: str) -> str:
    return page.partition('<a class="wordmark" href="/">')[2].partition("</a>")[0].strip()


@pytest.fixture
def own(settings: Settings) -> None:
    settings.SITE = SITE


@pytest.mark.usefixtures("own")
@pytest.mark.parametrize("path", ["/", "/help/", "/about/", "/browse/", "/compare/"])
def test_page_has_name_and_links_of_the_site(client: Client, path: str) -> None:
    page = client.get(path).text

    assert "Zahlen &amp; Fakten" in page.partition("</title>")[0]
    assert wordmark(page) == "Zahlen &amp; Fakten"
    for link in (f'"{SITE.imprint}">Imprint', f'"{SITE.privacy}">Privacy', '"mailto:data@example.org">Contact'):
        assert link in page.partition("<footer")[2]


@pytest.mark.usefixtures("own")
@pytest.mark.parametrize("path", ["/no/such/page", "/series/%00/", "/series/GNPCA/?realtime_start=x"])
def test_error_names_the_contact(client: Client, path: str) -> None:
    response = client.get(path)

    assert response.status_code >= 400
    assert 'Questions: <a href="mailto:data@example.org">data@example.org</a>' in response.text


def test_page_without_these_settings_has_no_such_links(client: Client) -> None:
    page = client.get("/no/such/page").text

    assert wordmark(page) == "econweb"
    assert not any(word in page for word in ("Imprint", "Privacy", "Contact", "Questions:"))


@pytest.mark.usefixtures("own")
def test_browsers_and_feeds_know_the_name(client: Client) -> None:
    assert "<ShortName>Zahlen &amp; Fakten</ShortName>" in client.get("/opensearch.xml").text
    assert "<name>Zahlen &amp; Fakten</name>" in client.get("/news/feed.atom").text


def test_logo_is_a_static_file_with_the_name_as_its_text(client: Client, settings: Settings, tmp_path: Path) -> None:
    file = tmp_path / "Own.SVG"
    file.write_bytes(SVG)
    settings.SITE = Site("Zahlen", str(file))
    made = settings.DATA_DIR / "made"
    (made / "logo.png").write_bytes(b"of another day")

    bundle_static_files()

    assert {path.name: path.read_bytes() for path in made.glob("logo.*")} == {"logo.svg": SVG}
    assert wordmark(client.get("/help/").text) == '<img src="/static/logo.svg" alt="Zahlen">'
    (made / "logo.svg").unlink()


def test_etag_depends_on_the_settings_of_the_site(settings: Settings, tmp_path: Path) -> None:
    """A browser must not keep the old name or logo."""
    (tmp_path / "a.svg").write_bytes(SVG)
    (tmp_path / "b.svg").write_bytes(SVG + b" ")
    found = set()
    for site in (Site(), SITE, Site(logo=str(tmp_path / "a.svg"))):
        settings.SITE = site
        found.add(etags.build_id.__wrapped__())
    (tmp_path / "a.svg").write_bytes((tmp_path / "b.svg").read_bytes())

    assert len({*found, etags.build_id.__wrapped__()}) == 4


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("SIGN_IN", "oidc"),
        ("FRAME_ANCESTORS", ["https://portal.example.org"]),
        ("ECON_BASE_URL", "https://data.example.org"),
        ("ECON_MAY_STORE", False),
    ],
)
def test_etag_depends_on_what_else_pages_show(settings: Settings, name: str, value: object) -> None:
    before = etags.build_id.__wrapped__()
    setattr(settings, name, value)

    assert etags.build_id.__wrapped__() != before
