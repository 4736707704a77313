"""Edges and hints of fields can be seen, and buttons stay where they are."""

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.served import Portal
from tests.fake_service import a_tag, tags_of

pytestmark = pytest.mark.slow
CONTRAST = """selector => {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const light = (color) => {
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3)
      .map((part) => part / 255).map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ratio = (one, other) => (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
  const input = document.querySelector(selector);
  const edge = input.closest("form").matches(".search-form") ? input.closest("form") : input;
  const paper = light(getComputedStyle(document.documentElement).backgroundColor);
  const hint = light(getComputedStyle(input, "::placeholder").color);
  return [ratio(light(getComputedStyle(edge).borderTopColor), paper), ratio(hint, paper)];
}"""


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_field_edges_and_placeholders_can_be_seen(portal: Portal, page: Page, theme: str) -> None:
    page.emulate_media(color_scheme="light" if theme == "light" else "dark")
    page.goto(portal.url + portal.add_tags(tags_of(3)))

    for field in ("#go-box", "#words"):
        edge, placeholder = page.evaluate(CONTRAST, field)
        assert edge >= 3
        assert placeholder >= 4.5


def test_copying_a_link_moves_no_button(portal: Portal, page: Page, context: BrowserContext) -> None:
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(portal.url + portal.add_tags(tags_of(3)))
    page.get_by_text("Share", exact=True).click()
    places = """() => [...document.querySelectorAll(".view-menu .plain, .view-menu li")]
      .map((part) => JSON.stringify(part.getBoundingClientRect()))"""
    before = page.evaluate(places)
    page.get_by_role("button", name="Copy link").click()
    expect(page.locator(".copy-link")).to_have_text("Link copied")

    assert page.evaluate(places) == before


@pytest.mark.parametrize("width", [320, 390])
def test_button_of_the_earlier_version_is_below_its_fields_on_a_phone(portal: Portal, page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 700})
    page.goto(f"{portal.url}/series/VERSIONS/")
    form = page.locator("#period")

    for is_open in (False, True):
        if is_open:
            form.get_by_text("More dates").click()
        boxes = [
            part.bounding_box() for part in (*form.locator("input:visible, summary").all(), form.locator("button"))
        ]
        tops = [box["y"] for box in boxes if box]
        bottoms = [box["y"] + box["height"] for box in boxes if box]
        assert len(boxes) == (5 if is_open else 3)
        assert tops[-1] >= max(bottoms[:-1])


@pytest.mark.parametrize(
    "path", ["/me/names/category/16/", "/me/follow/?target=/category/16/tags/", "/compare/", "/browse/"]
)
def test_buttons_of_a_form_have_one_size_and_the_sending_one_a_colour(portal: Portal, page: Page, path: str) -> None:
    page.goto(portal.url + path)
    look = """(button) => {
      const { fontSize, textDecorationLine } = getComputedStyle(button);
      return [fontSize, textDecorationLine];
    }"""
    sending = page.locator("main form button[type=submit]")

    for button in [*sending.all(), *page.locator("main a.plain").all()]:
        assert button.evaluate(look) == ["13px", "none"]
    accent = page.get_by_role("navigation", name="Site").get_by_role("link").first
    page.goto(f"{portal.url}/browse/")
    colour = accent.evaluate("(link) => getComputedStyle(link).color")
    page.goto(portal.url + path)
    assert sending.first.evaluate("(button) => getComputedStyle(button).color") == colour


@pytest.mark.parametrize("path", ["/me/save/?target=/category/16/tags/", "/me/names/category/16/"])
def test_fields_are_as_wide_as_their_form_on_a_phone(portal: Portal, page: Page, path: str) -> None:
    page.set_viewport_size({"width": 320, "height": 700})
    page.goto(portal.url + path)
    boxes = [field.bounding_box() for field in page.locator("main form :is(input:not([type]), textarea, select)").all()]

    assert len({round(box["width"]) for box in boxes if box}) == 1


def test_popularity_is_not_cut_on_a_phone(portal: Portal, page: Page) -> None:
    page.set_viewport_size({"width": 320, "height": 700})
    page.goto(portal.url + portal.add_tags([a_tag("usa", group_id="seas", popularity=100, notes="word " * 20)]))
    cells = page.locator("tbody td:is(.rank, .notes)").all()
    boxes = [box for cell in cells if (box := cell.bounding_box())]

    assert cells[0].evaluate("(cell) => cell.scrollWidth - cell.clientWidth") == 0
    assert boxes[0]["y"] + boxes[0]["height"] <= boxes[1]["y"]


def test_long_text_in_the_search_box_is_kept(portal: Portal, page: Page) -> None:
    ids = [f"SERIES{number:05}" for number in range(200)]
    page.goto(portal.url)
    page.locator("#home-box").fill(" ".join(ids))
    page.locator("#home-box").press("Enter")
    expect(page).to_have_url(f"{portal.url}/series/?ids={','.join(ids)}")
    page.goto(portal.url)
    page.locator("#home-box").fill("abcd " * 1000)
    page.locator("#home-box").press("Enter")

    expect(page.get_by_role("alert")).to_contain_text("No match for")
    expect(page.locator("#go-box")).to_have_value(("abcd " * 1000).strip())


def test_text_that_no_address_can_hold_stays_in_the_search_box(portal: Portal, page: Page) -> None:
    page.goto(portal.url)
    page.locator("#home-box").fill("x" * 100_000)
    page.locator("#home-box").press("Enter")

    expect(page.get_by_role("alert")).to_contain_text("This text is too long. Shorten it")
    expect(page.locator("#home-box")).to_have_value("x" * 100_000)


@pytest.mark.parametrize(("label", "most"), [("Title (at most 200 characters)", 200), ("Note", 500)])
def test_long_text_of_a_saved_view_is_kept_and_refused(portal: Portal, page: Page, label: str, most: int) -> None:
    page.goto(f"{portal.url}/me/save/?target=/series/GNPCA/")
    page.get_by_label(label).fill("x" * (most + 1))
    page.get_by_role("button", name="Save").click()

    expect(page.get_by_text(f"at most {most} characters. Shorten it.")).to_be_visible()
    expect(page.get_by_label(label)).to_have_value("x" * (most + 1))
