"""Parts that all pages of a view share are rendered once, and again after their data changed."""

import gc
import weakref
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from threading import Barrier

import pytest
from django.core.cache import cache
from django.test import Client

from econweb.dashboard.rendering.jinja import render
from econweb.dashboard.tags import rows, shared_parts
from econweb.dashboard.tags.columns import TAG_COLUMNS, Scale, TagColumn
from econweb.dashboard.tags.view_cache import ViewCache, view_cache
from econweb.upstream import service
from econweb.upstream.cache import answers
from econweb.upstream.queries import ORDER_BYS, TagQuery
from econweb.upstream.records import Tag
from tests.dashboard.reading import document, links, words
from tests.fake_service import FakeService, a_tag, tags_of

pytestmark = pytest.mark.django_db
PATH = "/category/1/tags/"


@pytest.fixture(autouse=True)
def category_1(stand_in: FakeService) -> None:
    stand_in.has("category", 1, tags_of(120))


@pytest.fixture
def rendered(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Names of the templates of shared parts, one for each time that they were rendered."""
    names: list[str] = []

    def noted(name: str, **context: object) -> str:
        names.append(name)
        return render(name, **context)

    monkeypatch.setattr(shared_parts, "render", noted)
    shared_parts._sort_select.cache_clear()
    shared_parts._limit_select.cache_clear()
    return names


def chips(client: Client, query: str) -> list[str]:
    return words(client.get(f"{PATH}?{query}"), "//nav[@aria-label='Groups']/*")


def test_shared_parts_are_rendered_once_for_all_pages(client: Client, rendered: list[str]) -> None:
    first = links(client.get(f"{PATH}?order_by=name"))
    once = len(rendered)
    second = links(client.get(f"{PATH}?order_by=name&offset=50"))

    assert once == len(set(rendered)) == len(rendered) == 3
    assert first["Topic 15"] == second["Topic 15"] == f"{PATH}?tag_group_id=gen&order_by=name"


def test_profile_depends_on_filters_only(client: Client, stand_in: FakeService) -> None:
    """Tags with equally many series: the same ones are drawn, whichever order came first."""
    stand_in.has("category", 1, [a_tag(f"t{n}", group_id="gen", popularity=n % 101) for n in range(40)])
    drawn = []
    for orders in (("name", "popularity"), ("popularity", "name")):
        service.upstream.cache_clear()
        cache.clear()
        drawn += [
            words(client.get(f"{PATH}?tag_group_id=gen&limit=9&order_by={order}"), "//figure") for order in orders
        ]

    assert drawn[0] == drawn[1] == drawn[2] == drawn[3] != []


@pytest.mark.parametrize(
    ("query", "group", "counts"),
    # The second view shows no tag of either set, so its tags do not tell the sets apart.
    [("", "All", (120, 1)), ("tag_group_id=rls&tag_names=usa", "All", (0, 1)), ("", "Geography", (15, 1))],
)
def test_shared_parts_change_with_a_new_fetch(
    client: Client, stand_in: FakeService, query: str, group: str, counts: tuple[int, int]
) -> None:
    assert f"{group} {counts[0]}" in chips(client, query)
    stand_in.has("category", 1, [a_tag("usa")])
    service.upstream.cache_clear()
    cache.clear()

    assert f"{group} {counts[1]}" in chips(client, query)


def test_group_hidden_by_a_search_appears_once_the_whole_list_is_cached(client: Client, stand_in: FakeService) -> None:
    stand_in.has("category", 1, [a_tag("usa", group_id="new"), a_tag("monthly", group_id="freq")])
    assert "new 0" not in chips(client, "search_text=monthly")
    client.get(PATH)

    assert "new 0" in chips(client, "search_text=monthly")


def test_tag_row_is_rendered_once_for_all_views(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    row_names = list[str]()
    name, *others = TAG_COLUMNS

    def noted(tag: Tag, scale: Scale) -> str:
        row_names.append(tag.name)
        return name.cell(tag, scale)

    monkeypatch.setattr(rows, "TAG_COLUMNS", (replace(name, cell=noted), *others))
    for limit in range(1, 51):
        client.get(f"{PATH}?limit={limit}")

    assert len(row_names) == len(set(row_names)) == 50


@pytest.mark.parametrize(("tags", "cached"), [(9, 0), (120, 3)])
def test_shared_parts_are_bounded_by_number_of_tags(
    client: Client, stand_in: FakeService, rendered: list[str], tags: int, cached: int
) -> None:
    """The upstream cache weighs a set by its tags alone, so what is made of the set must follow them."""
    stand_in.has("category", 1, tags_of(tags))
    for limit in range(1, 20):
        client.get(f"{PATH}?limit={limit}")
    rendered.clear()
    for limit in range(19, 0, -1):
        client.get(f"{PATH}?limit={limit}")

    # One part more holds the top tags, which all these views share.
    assert rendered.count("tags/_filters.html") == 19 - cached


def test_parts_with_long_names_are_not_cached(client: Client, rendered: list[str]) -> None:
    """Each link of the parts holds all names."""
    for _ in range(2):
        client.get(PATH, {"tag_names": ";".join(f"{n:03} {'語' * 30}" for n in range(14))})

    assert rendered.count("tags/_filters.html") == 2


def test_shared_parts_are_freed_with_their_tag_set(client: Client) -> None:
    client.get(PATH)
    cached = weakref.ref(view_cache(service.tags("category", 1, TagQuery())))
    assert cached()
    service.upstream.cache_clear()
    cache.clear()
    gc.collect()

    assert cached() is None


def test_threads_share_one_part() -> None:
    parts, both_made = ViewCache(max_parts=2), Barrier(2)

    def make() -> object:
        both_made.wait(timeout=10)
        return object()

    with ThreadPoolExecutor(2) as pool:
        first, second = [one.result() for one in [pool.submit(parts.get, "kind", "part", make) for _ in range(2)]]

    assert first is second is parts.get("kind", "part", object)


def test_column_without_order_has_plain_header(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    rarity = TagColumn("rarity", "Rarity", "rarity", lambda _tag, _scale: "<td>rare")
    monkeypatch.setattr(shared_parts, "TAG_COLUMNS", columns := (*TAG_COLUMNS, rarity))

    for path in (PATH, f"{PATH}?embed=1"):
        page = document(client.get(path))
        *sorting, notes, last = page.xpath("//thead//th")
        assert len(sorting) == len(ORDER_BYS)
        assert [head.text_content().strip() for head in (notes, last)] == ["Notes", "Rarity"]
        assert page.xpath("//thead//th[a]") == ([] if "embed" in path else sorting)
    assert document(client.get(PATH)).xpath("//tfoot//td/@colspan") == [str(len(columns))]
    assert "Rarity" not in document(client.get(PATH)).xpath("//select[@id='sort']/option/text()")


def test_bars_under_a_search_follow_the_whole_list(
    client: Client, stand_in: FakeService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answers, "MIN_REFRESH_INTERVAL", 0.0)

    def bar() -> str:
        (rect,) = document(client.get(f"{PATH}?search_text=rent")).xpath(
            "//td[contains(@class, 'count')]//*[@d or @width]"
        )
        return str(rect.attrib)

    stand_in.has("category", 1, [a_tag("rent", series_count=10), a_tag("all", series_count=20)])
    client.get(PATH)
    half = bar()
    stand_in.has("category", 1, [a_tag("rent", series_count=10), a_tag("all", series_count=40)])
    client.get(f"{PATH}?renew=1")

    assert bar() != half
