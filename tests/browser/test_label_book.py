"""The label book under the strict policy: an editor names a category, and every page shows the name."""

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.stand_in import StandIn, a_tag

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_an_editor_names_a_category(
    live_server: LiveServer, page: Page, stand_in: StandIn, admin_user: User
) -> None:
    stand_in.has("category", 125, [a_tag()])
    page.goto(f"{live_server.url}/category/125/tags/")
    page.get_by_role("link", name="name it").click()
    page.get_by_label("Username").fill(admin_user.username)
    page.get_by_label("Password").fill("password")
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_label("Id:")).to_have_value("125")
    page.get_by_label("Name:").fill("Trade Balance")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("was added successfully")).to_be_visible()
    page.goto(f"{live_server.url}/category/125/tags/")

    expect(page.get_by_role("heading", level=1)).to_have_text("Trade Balance")
