"""Find accessibility violations of the current page with axe."""

from functools import cache

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}
# Axe would also describe every element that passes, which takes longer than the check.
DETAILS = {"resultTypes": ["violations"]}


# What passes is not sent back: it takes longer to read than the check.
FIND = """async (options) => (await axe.run(options)).violations.flatMap(
    ({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`))"""


@cache
def _script() -> str:
    return str(Axe().axe_script)


def find_violations(page: Page, rules: dict[str, list[str]] = RULES) -> list[str]:
    if not page.evaluate("'axe' in window"):
        page.evaluate(_script())
    return list(page.evaluate(FIND, {**rules, **DETAILS}))


def find_violations_in_both_themes(page: Page) -> list[str]:
    """Only colours depend on the theme."""
    page.emulate_media(color_scheme="light")
    in_light = find_violations(page)
    page.emulate_media(color_scheme="dark")
    return in_light + find_violations(page, {"runOnly": ["color-contrast"]})
