"""The facts of a source: what counts as a change, and what is said about it."""

from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from econweb.upstream.records import Tag
from econweb.watching.facts import ABSENT, FactChange, Facts, find_difference, pack, series_facts, tag_facts
from tests.library.builders import a_series_record, a_tag

DAY = date(2020, 1, 1)
tags = st.lists(
    st.builds(
        a_tag,
        name=st.sampled_from("abcdef"),
        count=st.integers(0, 9),
        group_id=st.sampled_from(["geo", "gen", "cc"]),
        popularity=st.integers(0, 2),
        notes=st.sampled_from([None, "", "n", "m"]),
    ),
    max_size=10,
    unique_by=lambda tag: (tag.name, tag.group_id),
)


def series(**fields: object) -> Facts:
    return series_facts(a_series_record("GDP", DAY, **fields))


def changes(before: Facts, after: Facts) -> tuple[str, list[FactChange]]:
    found = find_difference(pack(before, is_plain=True), after)
    return (found.kind, list(found.changes)) if found else ("", [])


def apply(facts: dict[tuple[str, str], str], found: list[FactChange]) -> dict[tuple[str, str], str]:
    """Carry out the changes on the notes of tags by name and group."""
    facts = dict(facts)
    for name, group, field, before, _after in found:
        if field == "group_id":
            facts[name, group] = facts.pop((name, before or ""))
    for name, group, field, before, after in found:
        if field == "presence" and after is None:
            facts.pop((name, group))
        elif field == "presence":
            facts[name, group] = "*"
        elif field == "notes":
            assert facts[name, group] == before
            facts[name, group] = after or ""
    return facts


def notes(tags: list[Tag]) -> dict[tuple[str, str], str]:
    return {(tag.name, tag.group_id): tag.notes or "" for tag in tags}


@given(tags, tags)
def test_changes_applied_to_the_former_facts_give_the_new_ones(before: list[Tag], after: list[Tag]) -> None:
    _, found = changes(tag_facts(before), tag_facts(after))
    result, wanted = apply(notes(before), found), notes(after)

    assert result == {key: "*" if result.get(key) == "*" else value for key, value in wanted.items()}
    assert bool(found) == (notes(before) != wanted)


@given(tags, tags)
def test_fingerprints_see_the_same_changes_and_tell_no_text(before: list[Tag], after: list[Tag]) -> None:
    plain = find_difference(pack(tag_facts(before), is_plain=True), tag_facts(after))
    state = pack(tag_facts(before), is_plain=False)
    hashed = find_difference(state, tag_facts(after))

    assert (plain is None) == (hashed is None)
    assert plain is None or hashed is None or (plain.kind, plain.is_loss) == (hashed.kind, hashed.is_loss)
    assert hashed is None or (hashed.changes == () and hashed.count > 0)
    assert len(state) % 16 == 1


@given(tags)
def test_equal_facts_give_equal_bytes_in_any_order(found: list[Tag]) -> None:
    for is_plain in (True, False):
        assert pack(tag_facts(found), is_plain) == pack(tag_facts(reversed(found)), is_plain)


@given(st.integers(0, 100), st.integers(0, 10**6))
def test_counts_and_popularity_and_new_observations_are_no_change(popularity: int, count: int) -> None:
    assert not changes(tag_facts([a_tag()]), tag_facts([a_tag("usa", count, popularity=popularity)]))[0]
    moved = series(popularity=popularity, observation_end=date(2024, 5, 1), last_updated="2024-05-02 08:00:00-05")
    assert not changes(series(), moved)[0]


def test_change_has_a_kind() -> None:
    ended = series(title="Old (DISCONTINUED)")

    assert changes(series(title="Old"), ended) == (
        "discontinued",
        [FactChange("", "", "title", "Old", "Old (DISCONTINUED)")],
    )
    assert changes(series(title="Old"), series(title="New", units="y"))[0] == "renamed"
    assert changes(series(), series(units="y", units_short="y")) == (
        "changed",
        [FactChange("", "", "units", "x", "y"), FactChange("", "", "units_short", "x", "y")],
    )
    assert changes(series(), ABSENT) == ("gone", [FactChange("", "", "presence", "", None)])
    assert changes(ABSENT, series()) == ("back", [FactChange("", "", "presence", None, "")])
    for before, after in ((series(title="Old"), ended), (series(), ABSENT), (ABSENT, series())):
        hashed = find_difference(pack(before, is_plain=False), after)
        assert hashed
        assert (hashed.kind, hashed.count) == (changes(before, after)[0], 2 if after is ended else 1)


def test_tag_that_moved_to_another_group_is_one_change() -> None:
    before, after = tag_facts([a_tag(), a_tag("b")]), tag_facts([a_tag(group_id="gen"), a_tag("b")])

    assert changes(before, after) == ("changed", [FactChange("usa", "gen", "group_id", "geo", "gen")])


def test_white_space_and_control_characters_are_no_change() -> None:
    assert not changes(series(notes="a\r\n\r\nb "), series(notes="a b\0"))[0]
    assert not changes(series(notes=None), series(notes=""))[0]


def test_loss_of_most_tags_is_marked() -> None:
    many = tag_facts(a_tag(str(number)) for number in range(10))
    few, most = (tag_facts(a_tag(str(number)) for number in range(size)) for size in (4, 6))

    for is_plain in (True, False):
        found = [find_difference(pack(many, is_plain), facts) for facts in (few, most, ABSENT)]
        assert [one and one.is_loss for one in found] == [True, False, True]
