"""The label book under the strict policy: an editor names a category, and every page shows the name."""

from typing import Literal

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import BrowserContext, Page, expect
from pytest_django.live_server_helper import LiveServer

from econweb.shelf import labels
from econweb.shelf.models import Label
from tests.browser.test_accessibility import faults
from tests.stand_in import StandIn, a_tag

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def sign_in(page: Page, user: User) -> None:
    page.get_by_label("Username").fill(user.username)
    page.get_by_label("Password").fill("password")
    page.get_by_role("button", name="Log in").click()


def test_an_editor_names_a_category(
    live_server: LiveServer, page: Page, stand_in: StandIn, admin_user: User
) -> None:
    stand_in.has("category", 125, [a_tag()])
    page.goto(f"{live_server.url}/category/125/tags/")
    icon = page.locator("link[rel=icon]").get_attribute("href")
    page.get_by_role("link", name="name it").click()
    expect(page.locator("link[rel=icon]")).to_have_attribute("href", str(icon))
    sign_in(page, admin_user)
    expect(page.get_by_label("Id:")).to_have_value("125")
    page.get_by_label("Name:").fill("Trade Balance")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("was added successfully")).to_be_visible()
    page.goto(f"{live_server.url}/category/125/tags/")

    expect(page.get_by_role("heading", level=1)).to_have_text("Trade Balance")
    page.goto(f"{live_server.url}/admin/")
    expect(page.get_by_role("heading", level=1)).to_have_text("The label book")
    page.get_by_role("link", name="Back to the page").click()
    expect(page).to_have_url(f"{live_server.url}/")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_in_the_label_book(
    live_server: LiveServer, context: BrowserContext, admin_user: User, theme: Literal["light", "dark"]
) -> None:
    labels.put([Label(kind="category", number=125, name="Trade Balance", note="Exports less imports")])
    # What axe tries on a page that forbids inline styles is told in the console.
    page = context.new_page()
    page.emulate_media(color_scheme=theme)
    page.goto(f"{live_server.url}/admin/shelf/label/")
    found = {"sign in": faults(page)}
    sign_in(page, admin_user)
    for name, path in (("list", ""), ("add", "add/"), ("change", f"{Label.objects.get().pk}/change/")):
        page.goto(f"{live_server.url}/admin/shelf/label/{path}")
        expect(page.get_by_role("heading", level=1)).to_contain_text("ame")
        found[name] = faults(page)
        page.set_viewport_size({"width": 320, "height": 256})
        assert page.evaluate("document.documentElement.scrollWidth") <= 320
        page.set_viewport_size({"width": 1280, "height": 900})
    page.goto(f"{live_server.url}/admin/")

    assert found | {"index": faults(page)} == {name: [] for name in [*found, "index"]}
