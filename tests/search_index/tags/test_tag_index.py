"""The index of tags: what is recorded, replaced, removed and swapped."""

from datetime import UTC, datetime, timedelta
from itertools import groupby

import pytest
from django.conf import LazySettings
from django.db import connection
from pytest_django import DjangoAssertNumQueries

from econweb.label_book.models import Label
from econweb.label_book.storing import save_labels
from econweb.search_index.models import IndexedTag, OccurrenceBlock, TaggedOwner
from econweb.search_index.tags import tag_index
from econweb.search_index.tags.blocks import Block, OwnerTags, TagFacts, take_out
from econweb.search_index.tags.occurrences import find_occurrences
from tests.search_index.recorded import record_tags, tag, tags

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 1, 2, tzinfo=UTC)


def stored() -> dict[tuple[int, str], tuple[int, int]]:
    return {
        (row.number, tag.name): (row.series_count, row.share)
        for tag in IndexedTag.objects.all()
        for row in find_occurrences(tag).rows
    }


def test_record_replaces_the_tags_of_an_owner() -> None:
    record_tags("category", 1, tags(usa=10, gdp=4), 10, NOW)
    record_tags("category", 2, tags(usa=3), 12, NOW)
    record_tags("category", 1, tags(usa=8, cpi=2), 8, NOW)

    assert stored() == {(1, "usa"): (8, 1_000_000), (1, "cpi"): (2, 250_000), (2, "usa"): (3, 250_000)}


def test_record_without_a_number_of_series_takes_the_largest_count() -> None:
    record_tags("category", 1, tags(usa=8, gdp=2), None, NOW)

    assert stored()[1, "gdp"] == (2, 250_000)


def test_record_of_the_same_tags_changes_the_time_only() -> None:
    record_tags("category", 1, tags(usa=10), 10, NOW)
    before = tag_index.state()
    record_tags("category", 1, tags(usa=10), 10, NOW + timedelta(hours=1))

    assert tag_index.state() == before
    assert tag_index.fetch_times() == {("category", 1): NOW + timedelta(hours=1)}


def test_record_keeps_each_tag_as_it_was_last_seen() -> None:
    record_tags("category", 1, [tag("usa", popularity=1, notes=None)], 10, NOW)
    record_tags("category", 2, [tag("usa", popularity=2, notes="A country")], 10, NOW)

    assert [*IndexedTag.objects.values_list("name", "popularity", "notes")] == [("usa", 2, "A country")]


def test_record_has_shares_by_frequency_adjustment_and_end() -> None:
    of_owner = [
        tag("monthly", group_id="freq", series_count=40),
        tag("annual", group_id="freq", series_count=10),
        tag("sa", group_id="seas", series_count=20),
        tag("saar", group_id="seas", series_count=5),
        tag("nsa", group_id="seas", series_count=25),
        tag("discontinued", group_id="gen", series_count=1),
    ]
    record_tags("release", 53, of_owner, 50, NOW)
    owner = TaggedOwner.objects.get()

    assert (owner.monthly, owner.annual, owner.daily, owner.adjusted, owner.discontinued) == (8000, 2000, 0, 5000, 200)


def test_record_leaves_out_names_that_are_too_long() -> None:
    record_tags("category", 1, [tag("x" * 501), tag("y" * 500)], 10, NOW)

    assert [name for _, name in stored()] == ["y" * 500]


def test_removed_owner_leaves_no_occurrence() -> None:
    record_tags("category", 1, tags(usa=10), 10, NOW)
    tag_index.remove("category", 1)

    assert (stored(), tag_index.coverage().read) == ({}, 0)


def test_nothing_is_recorded_where_nothing_may_be_stored(settings: LazySettings) -> None:
    settings.ECON_MAY_STORE = False
    record_tags("category", 1, tags(usa=10), 10, NOW)

    assert not IndexedTag.objects.exists()


def test_index_is_emptied_where_nothing_may_be_stored_any_more(settings: LazySettings) -> None:
    record_tags("category", 1, tags(usa=10), 10, NOW)
    settings.ECON_MAY_STORE = False
    tag_index.remove_foreign("")

    assert not IndexedTag.objects.exists()
    assert not TaggedOwner.objects.exists()


def test_index_of_another_service_is_emptied() -> None:
    record_tags("category", 1, tags(usa=10), 10, NOW)
    tag_index.remove_foreign("")
    before = stored()
    tag_index.remove_foreign("other")

    assert (len(before), stored()) == (1, {})


def test_coverage_counts_known_owners_and_names_the_oldest() -> None:
    save_labels(Label(kind="category", number=number, name=f"C{number}") for number in (1, 2, 3))
    record_tags("category", 1, tags(usa=10), 10, NOW)
    record_tags("release", 9, tags(usa=10), 10, NOW - timedelta(minutes=10))

    assert tag_index.coverage() == (4, 2, NOW - timedelta(minutes=10))


def test_rebuild_stands_beside_the_index_until_it_is_finished() -> None:
    record_tags("category", 1, tags(usa=10, old=1), 10, NOW)
    generation, before = tag_index.begin_rebuild(), stored()
    record_tags("category", 2, tags(usa=5), 5, NOW, generation=generation)
    beside = stored()
    tag_index.remove_generation(tag_index.publish(generation))

    assert before == beside
    assert stored() == {(2, "usa"): (5, 1_000_000)}
    assert {*IndexedTag.objects.values_list("name", flat=True)} == {"usa"}


def test_rebuild_that_was_not_finished_is_dropped_by_the_next() -> None:
    record_tags("category", 2, tags(usa=5), 5, NOW, generation=tag_index.begin_rebuild())
    tag_index.publish(tag_index.begin_rebuild())

    assert not OccurrenceBlock.objects.exists()


def test_owner_of_a_shared_block_changes_alone() -> None:
    block = Block()
    for number in (1, 2, 3):
        block.add("category", number, OwnerTags({"usa": number}, {"usa": TagFacts("usa", "geo", 50, "")}, 10, NOW))
    tag_index.write(block)
    record_tags("category", 1, tags(gdp=10), 10, NOW)
    tag_index.remove("category", 3)

    assert stored() == {(1, "gdp"): (10, 1_000_000), (2, "usa"): (2, 200_000)}


def test_rows_of_a_block_stay_together_in_whatever_order_they_are_read() -> None:
    facts = {name: TagFacts(name, "gen", 50, "") for name in ("usa", "gdp")}
    for first in (1, 2):
        block = Block()
        for number in (first, first + 2):
            block.add("category", number, OwnerTags({"usa": 4, "gdp": 2}, facts, 10, NOW))
        tag_index.write(block)
    rows = [*OccurrenceBlock.objects.order_by("tag", "block").values()]
    OccurrenceBlock.objects.all().delete()
    OccurrenceBlock.objects.bulk_create(OccurrenceBlock(**row | {"id": None}) for row in rows)
    with connection.cursor() as cursor:
        # Without it, SQLite reads the rows as they are stored.
        cursor.execute("DROP INDEX block_by_number")
    take_out(TaggedOwner.objects.filter(number__in=[1, 2]))

    blocks = OccurrenceBlock.objects.order_by("pk").values_list("block", flat=True)
    assert len([*groupby(blocks)]) == len({*blocks}) == 2


def test_coverage_is_counted_again_only_after_a_change(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    record_tags("category", 1, tags(usa=1), 1, NOW)
    labels = [Label(kind="category", number=number, name=f"Name {number}") for number in (1, 2)]
    save_labels(labels[:1])
    first = tag_index.coverage()
    # The stamp of the label book, and the state of the index.
    with django_assert_num_queries(2):
        again = tag_index.coverage()
    save_labels(labels[1:])

    assert (first.known, first.read, again) == (1, 1, first)
    assert tag_index.coverage().known == 2
