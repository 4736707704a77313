"""The menu Share lies within the window, also where a fixed view says so beside it."""

import pytest
from playwright.sync_api import Page

from tests.browser.served import Portal
from tests.fake_service import tags_of

pytestmark = pytest.mark.slow
FIXED = "?tag_group_id=freq&realtime_start=2026-01-05&realtime_end=2026-01-05"


@pytest.mark.parametrize("width", [320, 768, 1280, 1366])
def test_share_menu_of_a_fixed_view_is_within_the_window(portal: Portal, page: Page, width: int) -> None:
    category = portal.add_tags(tags_of(6))
    page.set_viewport_size({"width": width, "height": 700})
    page.goto(f"{portal.url}{category}{FIXED}")
    for name in ("Share", "Export"):
        page.get_by_text(name, exact=True).click()
        box = page.locator(".view-menu [open] > div").bounding_box()
        assert box
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
