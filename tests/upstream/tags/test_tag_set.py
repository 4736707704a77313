"""Pages of a complete tag set, compared with a plain model."""

from datetime import UTC, date, datetime
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from econweb.upstream.queries import ORDER_BYS, SORT_ORDERS, TAG_GROUPS, TagQuery
from econweb.upstream.records import FetchedTags, Freshness, Tag, TagPage
from econweb.upstream.tags.tag_set import TagSet
from tests.upstream.fake_tag_service import ListingService, fetched
from tests.upstream.sample_replies import a_tag

KEPT = Freshness(datetime(2026, 11, 20, tzinfo=UTC))
NAMES = ["usa", "nsa", "a;b", "Zürich", "annual"]
GROUPS = ["geo", "seas", "xx", "freq"]
STAMPS = [
    "2012-02-27 10:18:19-06",
    "2012-02-27 11:18:19-05",
    "2020-07-01 00:00:00+05",
    "0000-00-00 24:00:00-05",
]
tags = st.builds(
    Tag,
    name=st.sampled_from(NAMES),
    group_id=st.sampled_from(GROUPS),
    created=st.sampled_from(STAMPS),
    popularity=st.integers(-3, 3),
    series_count=st.integers(0, 3),
)
sets = st.lists(tags, max_size=12, unique_by=lambda tag: (tag.name, tag.group_id))
queries = st.builds(
    TagQuery,
    tag_names=st.lists(st.sampled_from([*NAMES, "nobody"]), max_size=3).map(tuple),
    tag_group_id=st.sampled_from(["", *GROUPS, "nowhere"]),
    order_by=st.sampled_from(sorted(ORDER_BYS)),
    sort_order=st.sampled_from(SORT_ORDERS),
    limit=st.integers(1, 5),
    offset=st.integers(0, 14),
)


def page(records: list[Tag], query: TagQuery) -> TagPage:
    days = date(2026, 11, 20), date(2026, 11, 21)
    asked, echoed = {"offset": "0", "limit": "1000"}, {"offset": "0", "limit": "50"}
    fetched = FetchedTags(*days, tuple(records), 47, ("a warning",), True, asked, echoed)
    return TagSet(fetched).page(query, KEPT)


def named(records: list[Tag], query: TagQuery) -> list[Tag]:
    return [tag for tag in records if not query.tag_names or tag.name in query.tag_names]


def moment(stamp: str) -> float:
    return float("-inf") if stamp.startswith("0000") else datetime.fromisoformat(stamp).timestamp()


@given(sets, queries)
def test_tag_set_page_has_matching_tags_only(records: list[Tag], query: TagQuery) -> None:
    shown = page(records, query)

    matching = {tag for tag in named(records, query) if query.tag_group_id in {"", tag.group_id}}
    assert set(shown.matches) == matching
    assert shown.count == len(shown.matches) == len(matching)
    assert shown.total == len(records)


@given(sets, queries)
def test_tag_set_pages_are_all_matches_in_order(records: list[Tag], query: TagQuery) -> None:
    first = page(records, query.replace(offset=0))
    offsets = range(0, first.count, query.limit)

    together = [tag for offset in offsets for tag in page(records, query.replace(offset=offset)).tags]

    assert tuple(together) == first.matches


@given(sets, queries)
def test_tag_set_page_starts_at_offset(records: list[Tag], query: TagQuery) -> None:
    shown = page(records, query)

    assert shown.tags == shown.matches[query.offset : query.offset + query.limit]


@given(sets, queries)
def test_tag_set_is_sorted_with_ties_by_name(records: list[Tag], query: TagQuery) -> None:
    def key(tag: Tag) -> Any:
        return moment(tag.created) if query.order_by == "created" else getattr(tag, query.order_by)

    matches = page(records, query).matches

    for one, other in pairwise(matches):
        assert key(one) <= key(other) if query.sort_order == "asc" else key(one) >= key(other)
        assert key(one) != key(other) or (one.name, one.group_id) < (other.name, other.group_id)


@given(sets, queries)
def test_tag_set_counts_groups_under_other_filters(records: list[Tag], query: TagQuery) -> None:
    counts = page(records, query).group_counts

    assert set(counts) == {tag.group_id for tag in records}
    for group, count in counts.items():
        assert count == sum(tag.group_id == group for tag in named(records, query))
        assert count == page(records, query.replace(tag_group_id=group)).count


@given(sets, queries)
def test_tag_set_groups_are_in_contract_order_with_unknown_last(records: list[Tag], query: TagQuery) -> None:
    groups = list(page(records, query).group_counts)

    assert groups == [group for group in ("freq", "geo", "seas", "xx") if group in groups]


@given(sets, queries, st.randoms())
def test_tag_set_does_not_depend_on_service_order(records: list[Tag], query: TagQuery, random: Any) -> None:
    shuffled = list(records)
    random.shuffle(shuffled)

    first, second = page(records, query), page(shuffled, query)
    # Each fetch has a set of its own.
    assert replace(first, tag_set=None) == replace(second, tag_set=None)


def test_tag_set_can_be_sorted_repeatedly() -> None:
    records = [
        Tag("a", "geo", STAMPS[0], 1, 3),
        Tag("b", "geo", STAMPS[1], 2, 2),
        Tag("c", "geo", STAMPS[2], 0, 1),
    ]
    fetched = FetchedTags(date(2026, 11, 20), date(2026, 11, 20), tuple(records), None, (), False, {}, {})
    tag_set, orders = TagSet(fetched), []
    for order_by in ("series_count", "popularity", "name", "created", "series_count"):
        for sort_order in SORT_ORDERS:
            matches = tag_set.page(TagQuery(order_by=order_by, sort_order=sort_order), KEPT).matches
            orders.append("".join(tag.name for tag in matches))

    assert orders == ["cba", "abc", "cab", "bac", "abc", "cba", "abc", "cab", "cba", "abc"]


def test_tag_set_filters_each_order_of_each_known_group_once() -> None:
    records = tuple(Tag("usa", group, STAMPS[0], 0, 3) for group in TAG_GROUPS)
    tag_set = TagSet(FetchedTags(date(2026, 11, 20), date(2026, 11, 20), records, None, (), False, {}, {}))
    orders = [TagQuery(order_by=order_by, sort_order=sort) for order_by in ORDER_BYS for sort in SORT_ORDERS]
    views = [order.replace(tag_group_id=group) for order in orders for group in ("", *TAG_GROUPS)]

    first, again = ([tag_set.page(view, KEPT).matches for view in views] for _ in range(2))

    assert all(one is other for one, other in zip(first, again, strict=True))


def test_tag_set_page_has_period_warnings_and_freshness() -> None:
    shown = page([], TagQuery())

    assert shown.series == 47
    assert shown.warnings == (
        "The data provider was asked for limit 1000 and says that it applied 50.",
        "a warning",
    )
    assert (shown.realtime_start, shown.realtime_end) == (date(2026, 11, 20), date(2026, 11, 21))
    assert shown.freshness == KEPT


@given(sets)
def test_tag_set_names_are_unique_and_sorted(records: list[Tag]) -> None:
    assert page(records, TagQuery()).names == tuple(sorted({tag.name for tag in records}))


@pytest.mark.parametrize(
    ("counts", "series"),
    [
        ({"freq": [30, 17], "seas": [40, 7], "geo": [47]}, 47),
        ({"freq": [30, 17], "seas": [40, 7], "geo": [46]}, None),
        ({"freq": [30, 17], "seas": [40, 8], "geo": [47]}, None),
        ({"freq": [30, 17], "seas": [40, 7], "geo": [48]}, None),
        ({"freq": [47], "geo": [47]}, None),
        ({}, 0),
    ],
)
def test_tag_set_knows_series_total_if_groups_agree(counts: dict[str, list[int]], series: int | None) -> None:
    service = ListingService(0)
    service.tags = [
        a_tag(name=f"{group} {number}", group_id=group, series_count=number)
        for group, numbers in counts.items()
        for number in numbers
    ]
    if counts.get("geo") == [46]:
        service.tags.append(a_tag(name="most", group_id="gen", series_count=48))

    assert fetched(service).series == series
    assert fetched(service, search_text="x").series is None


def test_most_series_is_the_total_or_that_of_the_largest_tag() -> None:
    records = (Tag("usa", "geo", STAMPS[0], 0, 3), Tag("nsa", "seas", STAMPS[0], 0, 7))
    day = date(2026, 11, 20)
    known, unknown, empty = (
        TagSet(FetchedTags(day, day, tags, series, (), False, {}, {})).most_series
        for tags, series in ((records, 9), (records, None), ((), None))
    )

    assert (known, unknown, empty) == (9, 7, 0)
