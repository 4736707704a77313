"""A reader with a task: each act is counted, and is done by mouse, by keyboard alone, or without JavaScript."""

import re
from dataclasses import dataclass
from typing import Literal

from playwright.sync_api import Locator, Page, expect

from tests.browser.steps import walk_to

Way = Literal["mouse", "keyboard", "no script"]
SEARCH_BOX = re.compile("^Search: ")


@dataclass
class Reader:
    """One act is a click or Enter on a control, or a field that is filled in; walking to it with Tab is none."""

    page: Page
    way: Way
    acts: int = 0

    def follow(self, name: str | re.Pattern[str], within: Locator | None = None) -> None:
        """Follow a link, whose name begins with the words or matches the pattern."""
        place = within or self.page.locator("body")
        self.use(place.get_by_role("link", name=_beginning(name)).first)

    def press(self, name: str | re.Pattern[str]) -> None:
        self.use(self.page.get_by_role("main").get_by_role("button", name=_beginning(name)).first)

    def unfold(self, name: str) -> None:
        """Open a menu or a part that is folded away."""
        self.use(self.page.locator("summary", has_text=name).first)

    def use(self, control: Locator) -> None:
        self.acts += 1
        if self.way == "keyboard":
            walk_to(self.page, control)
            self.page.keyboard.press("Enter")
        else:
            control.click()

    def search(self, words: str) -> None:
        """Type into the search box of the page, and press Enter."""
        box = self.page.get_by_role("combobox", name=SEARCH_BOX)
        if self.way == "no script":
            box = self.page.get_by_role("searchbox", name=SEARCH_BOX).or_(box)
        self.fill(box.last, words)
        self.page.keyboard.press("Enter")

    def fill(self, field: Locator, words: str) -> None:
        self.acts += 1
        if self.way == "keyboard":
            walk_to(self.page, field)
            self.page.keyboard.press("ControlOrMeta+A")
            self.page.keyboard.type(words)
        else:
            field.fill(words)

    def download(self, name: str) -> str:
        """Follow a link to a file, and return the name of the file."""
        with self.page.expect_download() as file:
            self.follow(name)
        return file.value.suggested_filename

    def sees_title(self, words: str | re.Pattern[str]) -> None:
        expect(self.page.get_by_role("heading", level=1)).to_have_text(words)


def _beginning(name: str | re.Pattern[str]) -> re.Pattern[str]:
    return re.compile(f"^{re.escape(name)}", re.IGNORECASE) if isinstance(name, str) else name
