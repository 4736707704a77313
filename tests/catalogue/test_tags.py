"""The tags of a category and of a release."""

import pytest

from tests.builders import a_series
from tests.catalogue.api_calls import Ask, a_catalogue, a_tag
from tests.conftest import Loader

pytestmark = pytest.mark.django_db(transaction=True)
OWNERS = [("category/tags", {"category_id": "125"}), ("release/tags", {"release_id": "53"})]


def names(reply: dict[str, list[dict[str, str]]]) -> list[str]:
    return [tag["name"] for tag in reply["tags"]]


@pytest.mark.parametrize(("path", "owner"), OWNERS)
def test_answer_has_fields_in_contract_order(catalogue: Loader, ask: Ask, path: str, owner: dict[str, str]) -> None:
    catalogue(**a_catalogue({"A": ["usa"]}))

    status, reply = ask(path, **owner, realtime_start="2014-01-01", realtime_end="2014-12-31")

    assert status == 200
    assert list(reply.items()) == [
        ("realtime_start", "2014-01-01"),
        ("realtime_end", "2014-12-31"),
        ("order_by", "series_count"),
        ("sort_order", "asc"),
        ("count", 1),
        ("offset", 0),
        ("limit", 1000),
        ("tags", [{**a_tag("usa"), "popularity": 50, "series_count": 1}]),
    ]
    assert list(reply["tags"][0]) == ["name", "group_id", "notes", "created", "popularity", "series_count"]


def test_xml_is_the_default_and_equals_json(catalogue: Loader, ask: Ask) -> None:
    hostile = "a \"b\" <c> & 'd' \r\n\t é 𝔸 ]]>"
    catalogue(**a_catalogue({"A": ["usa"]}, [a_tag("usa", notes=hostile)]))

    _, reply = ask("release/tags", release_id="53", file_type="xml")

    assert reply["tags"] == [{**a_tag("usa", notes=hostile), "series_count": "1"}]


@pytest.mark.parametrize("sort_order", ["asc", "desc"])
@pytest.mark.parametrize("order_by", ["series_count", "popularity", "created", "group_id"])
def test_tags_with_ties_are_sorted_by_name(catalogue: Loader, ask: Ask, order_by: str, sort_order: str) -> None:
    catalogue(**a_catalogue({"A": ["b", "c", "a"]}))

    _, reply = ask("release/tags", release_id="53", order_by=order_by, sort_order=sort_order)

    assert names(reply) == ["a", "b", "c"]


def test_tags_by_created_are_sorted_across_offsets(catalogue: Loader, ask: Ask) -> None:
    earlier = a_tag("earlier", created="2020-01-02 00:00:00+05")
    later = a_tag("later", created="2020-01-01 23:00:00-06")
    catalogue(**a_catalogue({"A": ["earlier", "later"]}, [earlier, later]))

    _, reply = ask("release/tags", release_id="53", order_by="created")

    assert names(reply) == ["earlier", "later"]


def test_category_without_series_has_no_tags(catalogue: Loader, ask: Ask) -> None:
    catalogue(**a_catalogue({"A": ["usa"]}))

    status, reply = ask("category/tags", category_id="7")

    assert (status, reply["count"], reply["tags"]) == (200, 0, [])


@pytest.mark.parametrize("kind", ["category", "release"])
def test_unknown_owner_is_a_bad_request(catalogue: Loader, ask: Ask, kind: str) -> None:
    catalogue(**a_catalogue({"A": ["usa"]}))

    reply = ask(f"{kind}/tags", **{f"{kind}_id": "999"})

    assert reply == (400, {"error_code": 400, "error_message": f"Bad Request.  The {kind} does not exist."})


def test_tags_count_is_that_of_all_matches_at_any_offset(catalogue: Loader, ask: Ask) -> None:
    catalogue(**a_catalogue({"A": ["a", "b", "c"]}))

    _, second = ask("release/tags", release_id="53", order_by="name", limit="1", offset="1")
    _, beyond = ask("release/tags", release_id="53", offset="3")

    assert (second["count"], names(second)) == (3, ["b"])
    assert (beyond["count"], names(beyond)) == (3, [])


@pytest.mark.parametrize("name", ["two words", "a+b", "a&b", "100%", "été", "q?=#/"])
def test_tag_names_may_have_any_character(catalogue: Loader, ask: Ask, name: str) -> None:
    catalogue(**a_catalogue({"A": [name, "other", "third"]}))

    _, reply = ask("release/tags", release_id="53", tag_names=f"{name};third;unknown", order_by="name")

    assert sorted(names(reply)) == sorted([name, "third"])


def test_tag_names_are_separated_by_plain_semicolon(catalogue: Loader, api_key: str, client: object) -> None:
    catalogue(**a_catalogue({"A": ["a b", "c", "d"]}))
    query = f"file_type=json&api_key={api_key}&release_id=53&tag_names=a+b;c"

    reply = client.get(f"/econ/release/tags?{query}").json()  # type: ignore[attr-defined]

    assert names(reply) == ["a b", "c"]


def test_tag_names_in_decomposed_form_match(catalogue: Loader, ask: Ask) -> None:
    """B11"""
    catalogue(**a_catalogue({"A": ["\u00e9t\u00e9"]}))

    _, reply = ask("release/tags", release_id="53", tag_names="e\u0301te\u0301")

    assert reply["count"] == 1


@pytest.mark.parametrize(
    ("search_text", "found"),
    [
        ("FARM", ["non-farm"]),
        ("non-f", ["non-farm"]),
        ("arm", []),
        ("(nsa", ["plain"]),
        ("nsa rat", ["plain"]),
        ("rat nsa", ["plain"]),
        ("rat farm", []),
        ("%", ["plain"]),
        ("_", []),
        ("*", []),
        ('"rates"', []),
        ("NEAR(", []),
        ("' OR 1=1 --", []),
    ],
)
def test_search_words_match_word_prefixes_of_name_or_notes(
    catalogue: Loader, ask: Ask, search_text: str, found: list[str]
) -> None:
    """B12: no sign has a meaning."""
    plain = a_tag("plain", notes="Rates in % (NSA)")
    catalogue(**a_catalogue({"A": ["plain", "non-farm"]}, [plain, a_tag("non-farm")]))

    _, reply = ask("release/tags", release_id="53", search_text=search_text)

    assert names(reply) == found


def test_series_with_a_gap_counts_once_outside_the_gap(catalogue: Loader, ask: Ask) -> None:
    files = a_catalogue({"A": ["usa"]})
    files["series"] = [
        a_series(id="A", realtime_start="2010-01-01", realtime_end="2010-12-31"),
        a_series(id="A", realtime_start="2012-01-01"),
    ]
    catalogue(**files)

    counts = {}
    for start, end in [
        ("2010-12-31", "2012-01-01"),
        ("2011-01-01", "2011-12-31"),
        ("2011-06-01", "2012-01-01"),
    ]:
        _, reply = ask("release/tags", release_id="53", realtime_start=start, realtime_end=end)
        counts[start, end] = [tag["series_count"] for tag in reply["tags"]]

    assert list(counts.values()) == [[1], [], [1]]


def test_period_with_one_bound_is_open_at_the_other(catalogue: Loader, ask: Ask) -> None:
    catalogue(**a_catalogue({"A": ["usa"]}))

    _, after = ask("release/tags", release_id="53", realtime_start="2014-01-01")
    _, before = ask("release/tags", release_id="53", realtime_end="2014-01-01")

    assert (after["realtime_start"], after["realtime_end"]) == ("2014-01-01", "9999-12-31")
    assert (before["realtime_start"], before["realtime_end"]) == ("1776-07-04", "2014-01-01")
