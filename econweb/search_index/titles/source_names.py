"""The names of sources in mails."""

from django.conf import settings

from econweb.label_book import lookup as labels
from econweb.search_index.titles.title_index import find_by_ids


def source_name(kind: str, key: str) -> str:
    """Return the name of a category or release, or the id of a series with its title, if texts may be stored."""
    if kind == "series" and settings.ECON_MAY_STORE and (found := find_by_ids([key])):
        return f"{key} · {found[key].title}"
    return labels.source_name(kind, key)
