"""What stands around the rows is made once for all pages of a view, and anew when anything in it changed."""

import pytest
from django.core.cache import cache
from django.test import Client

from econweb.dashboard import tag_frame, template_words
from econweb.upstream import service
from econweb.upstream.queries import ORDER_BYS, TagQuery
from tests.dashboard.reading import document, links, words
from tests.stand_in import StandIn, a_tag, tags_of

pytestmark = pytest.mark.django_db
PATH = "/category/1/tags/"


@pytest.fixture(autouse=True)
def category_1(stand_in: StandIn) -> None:
    stand_in.has("category", 1, tags_of(120))


@pytest.fixture
def rendered(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The templates of frames, as often as they were filled."""
    names: list[str] = []

    def noted(name: str, **words: object) -> str:
        names.append(name)
        return template_words.html_of(name, **words)

    monkeypatch.setattr(tag_frame, "html_of", noted)
    tag_frame._selects.cache_clear()
    return names


def kept() -> dict[object, object]:
    return service.category_tags(1, TagQuery()).beside


def test_all_pages_of_a_view_have_one_frame(client: Client, rendered: list[str]) -> None:
    first = links(client.get(f"{PATH}?order_by=name"))
    once = len(rendered)
    second = links(client.get(f"{PATH}?order_by=name&offset=50"))

    assert once == len(set(rendered)) == len(rendered) == 2
    assert first["CConcept 15"] == second["CConcept 15"] == f"{PATH}?tag_group_id=gen&order_by=name"


def test_a_profile_is_that_of_its_filters_alone(client: Client, stand_in: StandIn) -> None:
    """Of tags with as many series the same ones are drawn, whichever order was asked for first."""
    stand_in.has("category", 1, [a_tag(f"t{n}", group_id="gen", popularity=n % 101) for n in range(40)])
    drawn = []
    for orders in (("name", "popularity"), ("popularity", "name")):
        service.upstream.cache_clear()
        cache.clear()
        drawn += [
            words(client.get(f"{PATH}?tag_group_id=gen&limit=9&order_by={order}"), "//figure")
            for order in orders
        ]

    assert drawn[0] == drawn[1] == drawn[2] == drawn[3] != []


@pytest.mark.parametrize(
    ("query", "group", "counts"),
    # Of the second view no tag is shown, whichever set it is of: what is shown does not tell them apart.
    [("", "All", (120, 1)), ("tag_group_id=rls&tag_names=usa", "All", (0, 1)), ("", "GGeography", (15, 1))],
)
def test_a_set_that_was_fetched_again_is_seen(
    client: Client, stand_in: StandIn, query: str, group: str, counts: tuple[int, int]
) -> None:
    assert f"{group} {counts[0]}" in links(client.get(f"{PATH}?{query}"))
    stand_in.has("category", 1, [a_tag("usa")])
    service.upstream.cache_clear()
    cache.clear()

    assert f"{group} {counts[1]}" in links(client.get(f"{PATH}?{query}"))


def test_a_group_that_a_search_hides_is_seen_as_soon_as_it_is_known(
    client: Client, stand_in: StandIn
) -> None:
    stand_in.has("category", 1, [a_tag("usa", group_id="new"), a_tag("monthly", group_id="freq")])
    searched = f"{PATH}?search_text=monthly"
    assert "·new 0" not in links(client.get(searched))
    client.get(PATH)

    assert "·new 0" in links(client.get(searched))


def test_rows_outlive_the_frames_around_them(client: Client) -> None:
    client.get(f"{PATH}?limit=50")
    (made,) = [rows for rows in kept().values() if isinstance(rows, dict)]
    for limit in range(1, 20):
        client.get(f"{PATH}?limit={limit}")

    assert [rows for rows in kept().values() if isinstance(rows, dict)] == [made]
    assert len(made) == 50


def test_a_few_are_kept_and_no_more(client: Client) -> None:
    for limit in range(1, 20):
        client.get(f"{PATH}?limit={limit}")

    # Of 120 tags; a set is weighed by its tags, and what is beside it by nothing.
    assert len(kept()) == 6


def test_next_to_nothing_is_kept_beside_a_few_tags(client: Client, stand_in: StandIn) -> None:
    stand_in.has("category", 1, tags_of(9))
    for limit in range(1, 20):
        client.get(f"{PATH}?limit={limit}")

    assert len(kept()) == 3


def test_a_frame_full_of_names_is_not_kept(client: Client) -> None:
    """Each of its links holds all of them."""
    client.get(PATH, {"tag_names": ";".join(f"{n:03} {'語' * 30}" for n in range(20))})

    assert not [frame for frame in kept().values() if isinstance(frame, tag_frame.TagFrame)]


def test_what_is_made_of_a_set_goes_with_it(client: Client) -> None:
    client.get(PATH)
    assert kept()
    service.upstream.cache_clear()
    cache.clear()

    assert kept() == {}


def test_a_column_that_sorts_nothing_has_a_plain_head_wherever_the_table_is_shown(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(tag_frame.COLUMNS, "rarity", "Rarity")

    for path in (PATH, f"{PATH}?embed=1"):
        page = document(client.get(path))
        *sorting, notes, rarity = page.xpath("//thead//th")
        assert len(sorting) == len(ORDER_BYS)
        assert [head.text_content().strip() for head in (notes, rarity)] == ["Notes", "Rarity"]
        assert page.xpath("//thead//th[a]") == ([] if "embed" in path else sorting)
    assert document(client.get(PATH)).xpath("//tfoot//td/@colspan") == [str(len(tag_frame.COLUMNS))]
    assert "Rarity" not in document(client.get(PATH)).xpath("//select[@id='order_by']/option/text()")
