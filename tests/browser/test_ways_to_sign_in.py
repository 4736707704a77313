"""In each way to sign in, an editor signs in, edits a name, sees it in the record, undoes it and signs out."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.accounts.oidc.stand_in import CLIENT, SECRET, StandIn
from tests.accounts.oidc.stand_in import serve as serve_provider
from tests.server import ROOT, environment, served
from tests.startup.prepared import prepare

pytestmark = pytest.mark.slow
WAYS = ["password", "proxy", "oidc"]
# A proxy writes these; here the browser takes its place.
NAMED_BY_PROXY = {"EconwebUser": "ada", "EconwebGroups": "staff,data-desk"}
PASSWORD = "a long pass phrase of ada"


@pytest.fixture(scope="module")
def provider() -> Iterator[StandIn]:
    stand_in = StandIn()
    with serve_provider(stand_in):
        yield stand_in


@pytest.fixture(scope="module", params=WAYS)
def site(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str, Path]]:
    """The way, the address and the data of a site where ada is an editor."""
    way, data = request.param, prepare(tmp_path_factory.mktemp("data"))
    settings: dict[str, Any] = {"SIGN_IN": way}
    if way == "proxy":
        settings |= {"BEHIND_PROXY": "true", "PROXY_ADDRESSES": "127.0.0.1", "EDITOR_GROUPS": "data-desk"}
    else:
        settings |= {"EDITORS": "ada"}
    if way == "oidc":
        provider: StandIn = request.getfixturevalue("provider")
        settings |= {"OIDC_ISSUER": provider.issuer, "OIDC_CLIENT_ID": CLIENT, "OIDC_CLIENT_SECRET": SECRET}
    with served(data, **settings) as (address, _):
        yield way, address, data


def invite(data: Path) -> str:
    """Return the path of a link with which ada chooses a password."""
    invited = subprocess.run(
        [sys.executable, "manage.py", "invite", "ada"],
        cwd=ROOT,
        env=environment(data) | {"SIGN_IN": "password"},
        capture_output=True,
        text=True,
        check=True,
    )
    return "/sign-in/" + invited.stdout.strip().partition("/sign-in/")[2]


def sign_in_by_keyboard(page: Page, site: tuple[str, str, Path]) -> None:
    """Sign in where that takes a step, and open the form of a name."""
    way, url, data = site
    if way == "password":
        page.goto(url + invite(data))
        page.get_by_label("New password", exact=True).focus()
        page.keyboard.type(PASSWORD)
        page.get_by_label("New password confirmation").focus()
        page.keyboard.type(PASSWORD)
        page.keyboard.press("Enter")
        expect(page.locator(".kicker")).to_have_text("ada")
    if way == "oidc":
        page.goto(f"{url}/changes/")
        expect(page.get_by_role("heading", level=1)).to_have_text("Record of changes")
    page.goto(f"{url}/category/125/tags/")
    page.get_by_role("link", name="Rename").focus()
    page.keyboard.press("Enter")


def rename(page: Page, name: str) -> None:
    field = page.get_by_label("Name (at most 200 characters)")
    expect(field).to_be_focused()
    page.keyboard.press("Control+a")
    page.keyboard.type(name)
    page.keyboard.press("Enter")
    expect(page.get_by_text(f"Saved: {name}")).to_be_visible()


def test_editor_edits_a_name_by_keyboard(site: tuple[str, str, Path], browser: Browser) -> None:
    way, url, _ = site
    context = browser.new_context(extra_http_headers=NAMED_BY_PROXY if way == "proxy" else {})
    page = context.new_page()
    sign_in_by_keyboard(page, site)
    rename(page, "Trade by keyboard")
    page.goto(f"{url}/changes/?q=keyboard")
    expect(page.get_by_role("cell", name="ada")).to_be_visible()
    page.get_by_role("button", name="Undo").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("rowheader", name="undone Trade by keyboard")).to_be_visible()
    sign_out(page, way, url)
    context.close()


def sign_out(page: Page, way: str, url: str) -> None:
    page.goto(f"{url}/me/")
    expect(page.locator(".kicker")).to_have_text("ada")
    if way == "proxy":
        expect(page.get_by_text("You sign in and out at the proxy of your organization.")).to_be_visible()
        return
    page.get_by_role("button", name="Sign out", exact=True).focus()
    page.keyboard.press("Enter")
    page.wait_for_url(lambda address: address != f"{url}/me/")
    answer = page.request.get(f"{url}/changes/", max_redirects=0)
    assert answer.status == 302


def test_editor_edits_a_name_on_a_phone_without_javascript(site: tuple[str, str, Path], browser: Browser) -> None:
    way, url, data = site
    headers = NAMED_BY_PROXY if way == "proxy" else {}
    phone = {"width": 375, "height": 800}
    context = browser.new_context(java_script_enabled=False, viewport=phone, extra_http_headers=headers)  # type: ignore[arg-type]
    page = context.new_page()
    if way == "password":
        page.goto(url + invite(data))
        page.get_by_label("New password", exact=True).fill(PASSWORD)
        page.get_by_label("New password confirmation").fill(PASSWORD)
        page.get_by_role("button", name="Save").click()
        expect(page.locator(".kicker")).to_have_text("ada")
    page.goto(f"{url}/category/125/tags/")
    page.get_by_role("link", name="Rename").click()
    page.get_by_label("Name (at most 200 characters)").fill("Trade by phone")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved: Trade by phone")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 375
    page.goto(f"{url}/changes/?q=phone")
    page.get_by_role("button", name="Undo").first.click()

    expect(page.get_by_role("rowheader", name="undone").first).to_be_visible()
    context.close()
