"""The index is replaced and added to as a whole: words that are gone find nothing."""

import pytest

from econweb.search_index.titles import title_index
from econweb.search_index.titles.find import TitleQuery, find
from econweb.search_index.titles.places import ADJUSTMENTS, FREQUENCIES, Record, facets_of, place_of

pytestmark = pytest.mark.django_db


def found(text: str) -> list[str]:
    return sorted(row.series_id for row in find(TitleQuery(text)).rows)


def test_catalogue_replaces_the_titles_of_the_one_before() -> None:
    title_index.add([Record("I", "Imported zinc")], title_index.IMPORTED)
    title_index.replace_catalogue([Record("A", "Old zinc"), Record("B", "Tin")], "one")
    before = title_index.revision()
    title_index.replace_catalogue([Record("B", "Lead"), Record("C", "New zinc")], "other")

    assert (found("zinc"), found("tin"), found("lead"), found("old")) == (["C", "I"], [], ["B"], [])
    assert title_index.catalogue_identity() == "other"
    assert title_index.revision() != before


def test_title_that_changes_is_found_by_its_new_words_only() -> None:
    title_index.add([Record("A", "Old zinc")], title_index.FETCHED)
    title_index.add([Record("A", "New tin", popularity=7), Record("A", "New lead", popularity=9)], title_index.FETCHED)

    assert (found("old"), found("zinc"), found("tin"), found("new lead")) == ([], [], [], ["A"])


def test_import_does_not_replace_what_the_service_said() -> None:
    title_index.add([Record("A", "Zinc")], title_index.FETCHED)

    assert title_index.add([Record("A", "Tin"), Record("B", "Lead")], title_index.IMPORTED) == 1
    assert (found("zinc"), found("tin"), found("lead")) == (["A"], [], ["B"])


@pytest.mark.parametrize("source", [title_index.FETCHED, title_index.IMPORTED])
@pytest.mark.parametrize("title", ["Zinc", "Zinc price " * 200])
def test_same_title_is_not_written_again(source: str, title: str) -> None:
    """A title that is longer than the index holds was new each time."""
    title_index.add([Record("A", title)], source)
    before = title_index.revision()

    assert (title_index.add([Record("A", title)], source), title_index.revision()) == (0, before)
    assert title_index.add([Record("A", f"Tin {title}")], source) == 1


def test_titles_of_another_service_are_removed() -> None:
    title_index.add([Record("I", "Imported zinc")], title_index.IMPORTED)
    title_index.remove_foreign("one", [title_index.IMPORTED, title_index.FETCHED])
    title_index.add([Record("A", "Zinc")], title_index.FETCHED)
    title_index.remove_foreign("one", [title_index.IMPORTED, title_index.FETCHED])
    kept = found("zinc")
    title_index.remove_foreign("other", [title_index.IMPORTED, title_index.FETCHED])

    assert (kept, found("zinc")) == (["A", "I"], ["I"])


def test_words_that_are_gone_are_no_correction() -> None:
    title_index.add([Record("A", "Molybdenum")], title_index.FETCHED)
    title_index.add([Record("A", "Zinc")], title_index.FETCHED)

    assert not find(TitleQuery("molybdenom")).meaning.is_corrected


@pytest.mark.parametrize("frequency", [*FREQUENCIES[1:-1], "Weekly, Ending Friday", "", "Every blue moon"])
@pytest.mark.parametrize("adjustment", [*ADJUSTMENTS[1:-1], "", "Nearly Adjusted"])
def test_place_holds_the_facets(frequency: str, adjustment: str) -> None:
    record = Record("A", "T" * 1000 + " (discontinued)", frequency, adjustment, popularity=-5)
    facets = facets_of(place_of(record, 2**30 - 1))

    family = frequency.partition(",")[0]
    assert facets.frequency == {"": "Not known", "Every blue moon": "Other"}.get(frequency, family)
    assert facets.seasonal_adjustment == {"": "Not known", "Nearly Adjusted": "Other"}.get(adjustment, adjustment)
    assert facets.discontinued == "yes"
    assert place_of(record, 2**30 - 1) < 2**63


@pytest.mark.parametrize("batch", [1, 1000])
def test_imported_title_comes_back_with_a_catalogue_without_the_series(
    monkeypatch: pytest.MonkeyPatch, batch: int
) -> None:
    monkeypatch.setattr(title_index, "BATCH", batch)
    title_index.add([Record("A", "Imported zinc"), Record("C", "Imported zinc too")], title_index.IMPORTED)
    title_index.replace_catalogue([Record("A", "Tin"), Record("C", "Tin")], "one")
    replaced = found("zinc")
    title_index.replace_catalogue([Record("B", "Lead")], "other")

    assert (replaced, found("zinc"), found("tin")) == ([], ["A", "C"], [])


def test_imported_title_comes_back_when_the_service_that_replaced_it_is_gone() -> None:
    title_index.add([Record("A", "Tin")], title_index.FETCHED)
    title_index.add([Record("A", "Imported zinc")], title_index.IMPORTED)
    title_index.remove_foreign("other", [title_index.IMPORTED, title_index.FETCHED])

    assert (found("zinc"), found("tin")) == (["A"], [])
