"""Load a catalogue together with its names and titles: catalogue, label book and index do not import each other."""

from pathlib import Path

from econweb.accounts.changes import Edit, at_command_line, record_changes
from econweb.catalogue.loading import load as loading
from econweb.catalogue.loading.contents import Contents
from econweb.catalogue.models import Edition
from econweb.search_index.titles.sample import record_catalogue
from econweb.startup.series_titles import index_catalogue
from econweb.startup.supplied_labels import store_catalogue_names


def load_catalogue(path: Path, dry_run: bool = False, may_be_empty: bool = False) -> Contents | None:
    return loading.load(path, _store_names_and_titles, dry_run, may_be_empty)


def load_sample_if_due() -> None:
    loading.load_sample_if_due(_store_names_and_titles)
    edition = Edition.objects.first()
    # Once recorded, the sample stays known when a new version of econweb has another one.
    if edition and loading.is_sample(edition):
        record_catalogue(edition.identity, True)


def _store_names_and_titles(edition: Edition, found: Contents) -> None:
    """Store both, and record the load, in its transaction: all are stored, or nothing is."""
    index_catalogue(edition)
    # Until the transaction ends, nobody can edit a name: titles take minutes, and names seconds.
    store_catalogue_names(found)
    record_catalogue(edition.identity, loading.is_sample(edition))
    counts = {"versions of series": found.versions, "tags": len(found.tags)}
    record_changes(at_command_line(), "loaded", [Edit("catalogue", edition.identity, "the catalogue", None, counts)])
