"""A comparison on a phone, and sorted by keyboard."""

import re

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.served import Portal, number_of
from tests.builders import a_series
from tests.fake_service import a_tag, tags_of

pytestmark = pytest.mark.slow
# Tags of all of 1,000 series.
WHOLE = [a_tag("annual", group_id="freq", series_count=1000), a_tag("nsa", group_id="seas", series_count=1000)]


@pytest.fixture(scope="module")
def path(portal: Portal) -> str:
    numbers = []
    for count in (1, 2):
        whole = [a_tag(name, group_id=group) for name, group in (("annual", "freq"), ("nsa", "seas"))]
        path = portal.add_tags([*whole, a_tag("trade in goods and services", series_count=count)])
        numbers.append(number_of(path))
    return f"{portal.url}/compare/?a=category:{numbers[0]}&b=category:{numbers[1]}"


@pytest.mark.parametrize("width", [320, 345])
def test_comparison_on_a_phone_shows_picture_and_every_source(page: Page, path: str, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 700})
    page.goto(path)

    expect(page.locator(".dot-plot [role=img]")).to_be_visible()
    heads = ("Tag", "Group", "Category", "Category", "Difference", "Ratio")
    expect(page.locator("thead th:visible")).to_have_text([re.compile(x) for x in heads])
    expect(page.locator("tbody tr").first.locator(":scope > :visible")).to_have_count(6)
    assert page.locator(".table-scroll").evaluate("box => box.scrollWidth <= box.clientWidth")


@pytest.mark.parametrize("width", [320, 375])
def test_difference_stands_under_its_heading_on_a_phone_and_sorts(page: Page, path: str, width: int) -> None:
    """It was hidden there, and with it the order by difference."""
    page.set_viewport_size({"width": width, "height": 700})
    page.goto(path)
    page.get_by_role("link", name="Difference (points)").click()

    expect(page).to_have_url(f"{path}&order_by=difference")
    cell, heading = (page.locator(f"{part} .difference").first for part in ("tbody tr", "thead"))
    expect(cell).to_be_in_viewport()
    boxes = [one.bounding_box() for one in (cell, heading)]
    assert len({box and box["x"] for box in boxes}) == 1


def test_spread_of_three_sources_is_reached_sideways_on_a_phone(page: Page, path: str) -> None:
    page.set_viewport_size({"width": 375, "height": 700})
    page.goto(f"{path}&c=category:125")

    expect(page.locator("tbody tr").first.locator(":scope > :visible")).to_have_count(5)
    page.locator("tbody .difference").first.scroll_into_view_if_needed()
    expect(page.locator("tbody .difference").first).to_be_in_viewport()


def test_name_out_of_sight_takes_few_lines_on_a_phone(portal: Portal, page: Page) -> None:
    """A long name of the third source made the headings in sight 286 pixels high."""
    page.set_viewport_size({"width": 375, "height": 700})
    page.goto(f"{portal.url}/compare/?a=category:16&b=category:125&c=category:9")
    heads = page.locator("thead tr").bounding_box()

    assert heads
    assert heads["height"] < 180


def test_long_name_of_a_source_does_not_widen_the_table(portal: Portal, page: Page) -> None:
    page.set_viewport_size({"width": 1440, "height": 700})
    page.goto(f"{portal.url}/compare/?a=category:16&b=category:8&c=category:9")

    assert page.locator(".table-scroll").evaluate("box => box.scrollWidth <= box.clientWidth")


def test_comparison_on_a_desktop_shows_every_column(page: Page, path: str) -> None:
    page.goto(path)

    expect(page.locator("thead th:visible")).to_have_count(6)


def test_comparison_header_keeps_focus_after_sorting(page: Page, path: str) -> None:
    page.goto(path)
    page.locator("#by-ratio").focus()
    page.keyboard.press("Enter")

    expect(page).to_have_url(f"{path}&order_by=ratio")
    expect(page.locator("th[aria-sort=descending] a")).to_be_focused()
    expect(page.locator("th[aria-sort=descending] a")).to_have_id("by-ratio")
    page.keyboard.press("Enter")

    expect(page.locator("th[aria-sort=ascending] a")).to_be_focused()
    expect(page.locator("main")).to_have_count(1)


def second(page: Page, label: str) -> Locator:
    return page.get_by_role("group", name="Second").get_by_label(label)


def test_comparison_source_is_picked_from_suggestions(page: Page, portal: Portal, path: str) -> None:
    page.goto(path.partition("&")[0])
    box = second(page, "Name, id or link")
    expect(box).to_be_focused()
    page.keyboard.type("trade b")
    expect(page.get_by_role("option", name="Trade Balance")).to_be_visible()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(box).to_have_value("Trade Balance")
    page.keyboard.press("Enter")

    expect(page).to_have_url(f"{path.partition('&')[0]}&b=category:125")
    expect(page.get_by_role("heading", level=1)).to_contain_text("compared with Trade Balance")


def test_series_are_not_suggested_beside_a_category(page: Page, portal: Portal, path: str) -> None:
    portal.add_series(a_series(title="Trade Balance of Goods"))
    page.goto(path.partition("&")[0])
    expect(second(page, "Name, id or link")).to_be_focused()
    with page.expect_request(lambda request: "/suggest?" in request.url) as asked:
        page.keyboard.type("trade b")

    assert asked.value.url.endswith("q=trade+b&fill=1&beside=tags")
    expect(page.get_by_role("group", name="Categories")).to_be_visible()
    expect(page.get_by_role("group", name="Series")).to_have_count(0)


def test_text_in_the_first_field_decides_what_is_suggested_in_the_second(page: Page, portal: Portal, path: str) -> None:
    portal.add_series(a_series(title="Trade Balance of Goods"))
    page.goto(path.partition("?")[0])
    first = page.get_by_role("group", name="First").get_by_label("Name, id or link")
    for text in ("category 125", "Release 53"):
        first.fill(text)
        second(page, "Name, id or link").fill("")
        with page.expect_request(lambda request: "q=trade+b" in request.url) as asked:
            second(page, "Name, id or link").press_sequentially("trade b")

        assert asked.value.url.endswith(f"q=trade+b&fill=1&beside={text.replace(' ', '+')}")
        expect(page.get_by_role("group", name="Categories")).to_be_visible()
        expect(page.get_by_role("group", name="Series")).to_have_count(0)


def test_comparison_date_alone_means_first_source_without_javascript(browser: Browser, portal: Portal) -> None:
    series_id = portal.add_series(a_series())
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{portal.url}/compare/?a=series:{series_id}")
    second(page, "As of").fill("2014-01-01")
    page.get_by_role("button", name="Compare").click()

    expect(page).to_have_url(f"{portal.url}/compare/?a=series:{series_id}@2014-01-01&b=series:{series_id}")
    context.close()


def test_comparison_ambiguous_number_is_chosen_by_click(page: Page, portal: Portal) -> None:
    number = number_of(portal.add_tags([a_tag()]))
    page.goto(f"{portal.url}/compare/?a={number}&b=category:125")
    expect(page.get_by_role("heading", level=1)).to_contain_text(f"Category {number} compared with Trade Balance")
    page.goto(f"{portal.url}/compare/?a={number}&b=prices")
    page.get_by_role("link", name=f"Category {number}", exact=True).click()

    expect(page.get_by_role("group", name="First").get_by_label("Name, id or link")).to_have_value(f"category:{number}")


def test_comparison_picture_marks_are_to_scale_on_a_phone(page: Page, portal: Portal) -> None:
    paths = [portal.add_tags([*WHOLE, a_tag(series_count=count)]) for count in (613, 58)]
    first, other = map(number_of, paths)
    page.set_viewport_size({"width": 320, "height": 700})
    page.goto(f"{portal.url}/compare/?a=category:{first}&b=category:{other}")
    line = page.locator(".dot-plot .line").first
    width = line.evaluate("line => line.clientWidth")
    places = line.locator("use").evaluate_all("marks => marks.map((mark) => mark.x.baseVal.value)")

    assert places == pytest.approx([width * 0.613, width * 0.058], abs=0.1)
    assert page.locator(".dot-plot").evaluate("box => box.scrollWidth <= box.clientWidth")


@pytest.mark.parametrize(("width", "height", "lowest"), [(1440, 900, 365), (390, 844, 565)])
def test_first_comparison_row_is_high_on_the_page(page: Page, path: str, width: int, height: int, lowest: int) -> None:
    page.set_viewport_size({"width": width, "height": height})
    page.goto(path)

    box = page.locator("tbody tr").first.bounding_box()
    assert box
    assert box["y"] <= lowest


def test_comparison_form_opens_from_button_by_key(page: Page, path: str) -> None:
    page.goto(path)
    expect(page.get_by_role("group", name="First")).to_be_hidden()
    page.locator(".change > summary").focus()
    page.keyboard.press("Enter")

    expect(page.get_by_role("group", name="First").get_by_label("Name, id or link")).to_be_visible()


@pytest.mark.parametrize("count", [2, 3])
def test_names_of_tags_are_not_broken_on_a_tablet(portal: Portal, page: Page, count: int) -> None:
    numbers = [number_of(portal.add_tags([a_tag("international transactions"), *tags_of(9)])) for _ in range(count)]
    sources = "&".join(f"{letter}=category:{number}" for letter, number in zip("abc", numbers, strict=False))
    page.set_viewport_size({"width": 768, "height": 900})
    page.goto(f"{portal.url}/compare/?{sources}")
    lines = page.get_by_role("rowheader", name="international transactions").evaluate("""(cell) => {
      const inside = document.createRange();
      inside.selectNodeContents(cell);
      return [...inside.getClientRects()].length;
    }""")

    assert lines == 2


@pytest.mark.parametrize(
    "sources", ["a=category:16&b=category:125&tag_group_id=geo", "a=series:VERSIONS&b=series:VERSIONS@2014-01-01"]
)
def test_short_comparison_shows_all_rows_without_a_second_scroll_bar(portal: Portal, page: Page, sources: str) -> None:
    page.set_viewport_size({"width": 1440, "height": 500})
    page.goto(f"{portal.url}/compare/?{sources}")

    assert page.locator("tbody tr").count() > 10
    assert page.locator(".table-scroll").evaluate("each => each.scrollHeight - each.clientHeight") == 0


def test_choice_between_long_names_fits_on_a_phone(portal: Portal, page: Page) -> None:
    page.set_viewport_size({"width": 375, "height": 700})
    page.goto(f"{portal.url}/compare/?a=price&b=category:125")

    expect(page.locator(".meanings a").first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
