"""Whatever the service says is text: no script runs, nothing becomes a link, an attribute or a style."""

from urllib.parse import quote

import pytest
from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer

from econweb.shelf import labels
from econweb.shelf.models import Label
from econweb.upstream.errors import Refused
from tests.builders import a_series
from tests.stand_in import StandIn, a_tag

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
HOSTILE = {
    "script": "<script>window.hurt = 1</script>",
    "handler": '"><img src=x onerror="window.hurt = 1">',
    "tick": "' onmouseover='window.hurt = 1' x='",
    "scheme": '<a href="javascript:window.hurt=1" id="hurt">x</a>',
    "style": '<style>body { display: none }</style><b style="color: red" id="hurt">',
    "htmx": '<b hx-get="/nowhere/" hx-trigger="load" id="hurt">x</b>',
    "end": "</title></textarea></script></svg><script>window.hurt = 1</script>",
    "template": "{{ 7|add:7 }} {% now 'Y' %} ${window.hurt = 1}",
    "bidi": "abc\u202eFED\u2066ghi\u2069",
    "zero": "a\u200bb\ufeffc\u200dd",
    "long": "x" * 10_000,
}
ALL = " ".join(text for key, text in HOSTILE.items() if key != "scheme")
TAG_FIELDS = ("name", "group_id", "notes")
SERIES_FIELDS = [
    "title",
    "frequency",
    "frequency_short",
    "units",
    "units_short",
    "seasonal_adjustment",
    "seasonal_adjustment_short",
    "notes",
]


def is_harmless(page: Page) -> bool:
    # Enough for a handler of an image that does not load, and for what htmx does on load.
    page.wait_for_timeout(40)
    return bool(page.evaluate("window.hurt === undefined && document.querySelector('main #hurt') === null"))


def no_stray_attributes(page: Page) -> list[str]:
    found = "[...document.querySelectorAll('main *')].flatMap((e) => e.getAttributeNames())"
    names = set(page.evaluate(found))
    return [name for name in names if name.startswith("on") or name in {"style", "srcdoc", "formaction"}]


def test_every_field_of_a_tag_is_text(live_server: LiveServer, page: Page, stand_in: StandIn) -> None:
    """On the page, in a fragment, in chips, in completion and in the pictures."""
    tags = [
        a_tag(**({"name": f"{field} {key}"} | {field: text}))
        for key, text in HOSTILE.items()
        for field in TAG_FIELDS
    ]
    stand_in.has("category", 1, tags)
    labels.put([Label(kind="category", number=1, name="".join(HOSTILE.values())[:200], note=ALL)])
    page.goto(f"{live_server.url}/category/1/tags/")
    assert is_harmless(page)
    page.locator("#by-created").click()
    page.locator("[aria-sort] #by-created").wait_for()
    page.locator("#add-name").focus()
    page.locator("#names option").first.wait_for(state="attached")
    assert is_harmless(page)

    # Long notes are folded, with a sign between their two parts.
    shown = page.evaluate("document.querySelector('.tag-table tbody').textContent").replace(" …", "")
    assert {key: shown.count(text) for key, text in HOSTILE.items() if shown.count(text) < 3} == {}
    assert no_stray_attributes(page) == []


def test_every_field_of_a_series_is_text(live_server: LiveServer, page: Page, stand_in: StandIn) -> None:
    first = {**a_series(realtime_end="2014-12-31"), "popularity": 39}
    second = first | dict.fromkeys(SERIES_FIELDS, ALL) | {"realtime_start": "2015-01-01"}
    stand_in.seriess["GNPCA"] = [second, first, second]
    page.goto(f"{live_server.url}/series/GNPCA/")

    assert is_harmless(page)
    assert no_stray_attributes(page) == []
    shown = page.evaluate("document.querySelector('main').textContent")
    assert shown.count(ALL) >= len(SERIES_FIELDS)
    page.goto(live_server.url)
    page.get_by_role("heading", name="Recently opened").wait_for()
    assert is_harmless(page)


@pytest.mark.parametrize(
    "place",
    [
        "/go?q={}",
        "/category/1/tags/?tag_names={}",
        "/category/1/tags/?search_text={}",
        "/category/1/tags/?limit={}",
        "/category/1/tags/?tag_group_id={}&search_text=a",
        "/series/X/?realtime_end={}",
        "/series/{}/",
        "/series/?ids={}",
        "/series/?ids=X&columns={}",
        "/compare/?a={}&b=category:1",
        "/compare/?a=category:1&b=category:1&tag_group_id={}",
        "/category/1/tags/code?search_text={}",
        "/category/1/tags/?embed=1&search_text={}",
    ],
)
def test_every_echo_of_a_parameter_is_text(
    live_server: LiveServer, page: Page, stand_in: StandIn, place: str
) -> None:
    stand_in.has("category", 1, [a_tag()])
    for text in HOSTILE.values():
        page.goto(live_server.url + place.format(quote(text[:95], safe="")))
        assert is_harmless(page)
        assert no_stray_attributes(page) == []


def test_the_words_of_a_refusal_are_text(live_server: LiveServer, page: Page, stand_in: StandIn) -> None:
    stand_in.error = Refused(ALL)
    page.goto(f"{live_server.url}/category/1/tags/")

    assert is_harmless(page)
    assert ALL in page.evaluate("document.querySelector('[role=alert]').textContent")


def test_htmx_runs_nothing_that_stands_in_data_and_asks_nobody_else(
    live_server: LiveServer, page: Page
) -> None:
    page.goto(f"{live_server.url}/category/125/tags/")
    said = page.evaluate(
        "[htmx.config.allowEval, htmx.config.selfRequestsOnly, htmx.config.historyCacheSize]"
    )

    assert said == [False, True, 0]
