"""A query and its query string are equivalent."""

from dataclasses import fields
from datetime import date
from typing import Any

from django.http import QueryDict
from hypothesis import given
from hypothesis import strategies as st

from econweb.upstream.queries import ORDER_BYS, SORT_ORDERS, SeriesQuery, TagQuery, join_names, split_names

# Any text that UTF-8 can carry; the awkward characters come up often.
words = st.text(st.one_of(st.sampled_from("+ &;%#é=\\"), st.characters(codec="utf-8")), max_size=8)
days = st.none() | st.dates()
queries = st.builds(
    TagQuery,
    tag_names=st.lists(words, max_size=4).map(tuple),
    tag_group_id=words,
    search_text=words,
    order_by=st.sampled_from(sorted(ORDER_BYS)),
    sort_order=st.sampled_from(SORT_ORDERS),
    limit=st.integers(1, 1000),
    offset=st.integers(0, 10**6),
    realtime_start=days,
    realtime_end=days,
)


def read(query_string: str) -> TagQuery:
    values: dict[str, Any] = QueryDict(query_string).dict()
    for name in values.keys() & {"limit", "offset"}:
        values[name] = int(values[name])
    for name in values.keys() & {"realtime_start", "realtime_end"}:
        values[name] = date.fromisoformat(values[name])
    if "tag_names" in values:
        values["tag_names"] = split_names(values["tag_names"])
    return TagQuery(**values)


@given(queries)
def test_tag_query_string_round_trips(query: TagQuery) -> None:
    assert read(query.query_string()) == query


@given(queries, queries)
def test_tag_query_string_is_unique(one: TagQuery, other: TagQuery) -> None:
    assert (one.query_string() == other.query_string()) == (one == other)


@given(queries)
def test_tag_query_string_has_parameters_in_contract_order(query: TagQuery) -> None:
    order = [field.name for field in fields(TagQuery)]

    names = list(QueryDict(query.query_string()))

    assert names == [name for name in order if name in names]


# Values that a caller may give: in any order, twice, with blanks.
changes = st.fixed_dictionaries(
    {},
    optional={
        "tag_names": st.lists(words, max_size=4),
        "search_text": st.text(" ab", max_size=6),
        "tag_group_id": words,
        "order_by": st.sampled_from(sorted(ORDER_BYS)),
        "limit": st.integers(1, 1000),
        "offset": st.integers(0, 1000),
        "realtime_end": days,
    },
)


@given(queries, changes.filter(bool))
def test_tag_query_string_with_changes_equals_changed_query(query: TagQuery, changed: dict[str, Any]) -> None:
    said = {field.name: getattr(query, field.name) for field in fields(query)}
    made = TagQuery(**said | {"offset": 0} | changed)

    # A query does not take over cached values of another.
    assert query.query_string() == TagQuery(**said).query_string()
    assert query.replace(**changed) == made
    assert query.query_string(**changed) == query.replace(**changed).query_string() == made.query_string()


def test_tag_query_string_omits_defaults() -> None:
    assert TagQuery().query_string() == ""


def test_tag_query_string_encodes_names_once() -> None:
    query = TagQuery(tag_names=("a+b", "c d", "e&f", "50%"))

    assert query.query_string() == "tag_names=50%25%3Ba%2Bb%3Bc+d%3Be%26f"


@given(st.lists(words.filter(bool)).map(tuple))
def test_tag_names_round_trip_joining(names: tuple[str, ...]) -> None:
    assert split_names(join_names(names)) == names


def test_tag_query_ignores_order_and_repetition_of_names() -> None:
    assert TagQuery(tag_names=("usa", "", "nsa", "usa")) == TagQuery(tag_names=("nsa", "usa"))


def test_tag_query_ignores_extra_spaces_in_search_text() -> None:
    assert TagQuery(search_text=" gross  national ") == TagQuery(search_text="gross national")


@given(queries, st.sampled_from(["tag_group_id", "search_text"]))
def test_tag_query_restarts_at_first_row_after_changed_filter(query: TagQuery, name: str) -> None:
    assert query.replace(**{name: "other"}).offset == 0


def test_tag_query_with_changed_offset_keeps_filters() -> None:
    query = TagQuery(tag_group_id="geo", limit=20, offset=20)

    assert query.replace(offset=40) == TagQuery(tag_group_id="geo", limit=20, offset=40)


def test_sort_order_of_a_column_alternates_from_its_default() -> None:
    assert TagQuery().next_sort_order("name") == "asc"
    assert TagQuery(order_by="name", sort_order="asc").next_sort_order("name") == "desc"
    assert TagQuery(order_by="name", sort_order="desc").next_sort_order("name") == "asc"
    assert TagQuery().next_sort_order("series_count") == "asc"
    assert TagQuery(sort_order="asc").next_sort_order("series_count") == "desc"


def test_tag_query_without_a_name_restarts_at_first_row() -> None:
    query = TagQuery(tag_names=("usa", "annual"), offset=50)

    assert query.names_without_one() == [("usa",), ("annual",)]
    links = [query.query_string(tag_names=names) for names in query.names_without_one()]
    assert links == ["tag_names=usa", "tag_names=annual"]


@given(queries, st.lists(words))
def test_tag_query_links_of_values_equal_changed_queries(query: TagQuery, groups: list[str]) -> None:
    views = [query.replace(tag_group_id=group) for group in groups]

    assert [query.query_string(tag_group_id=group) for group in groups] == [view.query_string() for view in views]


def test_tag_query_without_filters_keeps_order_and_limit() -> None:
    query = TagQuery(("usa",), "geo", "gross", "name", "asc", 20, 40)

    assert query.without_filters() == TagQuery(order_by="name", sort_order="asc", limit=20)


def test_series_query_link_has_period_only() -> None:
    query = SeriesQuery("GNPCA", date(2020, 1, 31), date(9999, 12, 31))

    assert SeriesQuery("GNPCA").query_string() == ""
    assert query.query_string() == "realtime_start=2020-01-31&realtime_end=9999-12-31"
    assert query.service_parameters() == {
        "series_id": "GNPCA",
        "realtime_start": "2020-01-31",
        "realtime_end": "9999-12-31",
    }


def test_tag_query_request_has_search_text_and_period_only() -> None:
    query = TagQuery(("usa",), "geo", "gross", "name", "asc", 20, 40, date(2020, 1, 31), date(2020, 2, 29))

    assert query.service_parameters() == {
        "search_text": "gross",
        "realtime_start": "2020-01-31",
        "realtime_end": "2020-02-29",
    }


def test_spaces_around_tag_names_are_no_part_of_them() -> None:
    """People and programs write one after a semicolon, and the name after it was lost."""
    query = TagQuery(tag_names=split_names("usa; nsa ; ;a b"))

    assert query.tag_names == ("a b", "nsa", "usa")
    assert query.query_string() == "tag_names=a+b%3Bnsa%3Busa"
