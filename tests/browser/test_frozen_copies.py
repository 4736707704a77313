"""Freeze a view, send its link, see what differs after the service changed, and withdraw the copy."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser import served
from tests.browser.axe import find_violations_in_both_themes
from tests.browser.served import Portal
from tests.fake_service import a_tag

pytestmark = pytest.mark.slow
PHONE = {"width": 375, "height": 800}


@pytest.fixture(scope="module")
def storing_portal() -> Iterator[Portal]:
    # The answers are stale at once: a page sees what the service sends now.
    with served.portal(ECON_MAY_STORE="true", ECON_FRESH_SECONDS="0") as found:
        yield found


@pytest.fixture(params=["keyboard", "phone without scripts"])
def reader(request: pytest.FixtureRequest, browser: Browser) -> Iterator[Page]:
    if request.param == "keyboard":
        context = browser.new_context()
    else:
        context = browser.new_context(java_script_enabled=False, viewport=PHONE)  # type: ignore[arg-type]
    yield context.new_page()
    context.close()


def press(page: Page, name: str, role: str = "link") -> None:
    """Use a link or button by keyboard, which also works without scripts."""
    control = page.get_by_role(role, name=name, exact=True)  # type: ignore[arg-type]
    control.focus()
    page.keyboard.press("Enter")


def test_copy_is_frozen_sent_checked_and_withdrawn(storing_portal: Portal, reader: Page, browser: Browser) -> None:
    path = storing_portal.add_tags([a_tag("usa", series_count=9), a_tag("nation", series_count=5)])
    reader.goto(storing_portal.url + path)
    reader.get_by_text("Share", exact=True).press("Enter")
    press(reader, "Save or freeze")
    press(reader, "Freeze it instead")
    reader.get_by_label("Title", exact=True).fill("Tags of table 2")
    reader.get_by_label("Reason").fill("Cited in the working paper")
    press(reader, "Freeze", "button")
    expect(reader.get_by_role("heading", level=1)).to_have_text("Tags of table 2")
    link = reader.url
    storing_portal.service.has("category", int(path.split("/")[2]), [a_tag("usa", series_count=3), a_tag("new one")])

    other = browser.new_context().new_page()
    other.goto(link)
    expect(other.get_by_role("rowheader")).to_have_count(2)
    expect(other.get_by_text("Cited in the working paper")).to_be_visible()
    expect_difference(reader)
    reader.goto(link)
    press(reader, "Change or withdraw")
    press(reader, "Withdraw")
    reader.get_by_label("Reason").fill("The wrong category")
    press(reader, "Withdraw", "button")
    expect(reader.get_by_role("heading", level=1)).to_contain_text("This frozen copy was withdrawn")
    other.reload()
    expect(other.get_by_role("heading", level=1)).to_contain_text("This frozen copy was withdrawn")
    other.context.close()


def expect_difference(page: Page) -> None:
    """Compare with today until the site has asked the service again."""
    press(page, "Compare with today")
    for _ in range(20):
        if page.get_by_role("heading", level=1).inner_text() == "Different":
            break
        page.wait_for_timeout(250)
        page.reload()
    expect(page.get_by_role("heading", level=1)).to_have_text("Different")
    expect(page.get_by_role("heading", name="Gone (1)")).to_be_visible()
    expect(page.get_by_role("heading", name="New (1)")).to_be_visible()
    expect(page.get_by_role("cell", name="3", exact=True)).to_be_visible()


def test_axe_finds_no_violation_in_frozen_copies(storing_portal: Portal, page: Page) -> None:
    found = []
    for target in ("/category/125/tags/?tag_group_id=geo", "/series/VERSIONS/", "/series/?ids=GNPCA,VERSIONS,UNKNOWN"):
        page.goto(storing_portal.url + target)
        page.goto(f"{storing_portal.url}/me/freeze/?target={target}")
        press(page, "Freeze", "button")
        expect(page.get_by_text("Its content never changes.")).to_be_visible()
        page.get_by_text("Proof").click()
        found += find_violations_in_both_themes(page)
        press(page, "Check it")
        expect(page.get_by_role("link", name="Compare with today")).to_be_visible()
        found += find_violations_in_both_themes(page)
    page.goto(f"{storing_portal.url}/me/frozen/")
    assert found + find_violations_in_both_themes(page) == []
