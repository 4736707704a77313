"""The part of the record of changes that a link asks for."""

from dataclasses import dataclass

from econweb.accounts.changes import KINDS_OF_ACCOUNTS
from econweb.dashboard.list_pages import ListQuery
from econweb.dashboard.parameter_checks import MAX_OFFSET
from econweb.dashboard.parameters import choice, number, words
from econweb.label_book import editing
from econweb.library import freezing, saved_views
from econweb.watching import watches

# Of what the record holds; a catalogue and an API key are changed by commands alone.
KINDS = (editing.KIND, saved_views.KIND, freezing.KIND, watches.KIND, "catalogue", "api key", *KINDS_OF_ACCOUNTS)


@dataclass(frozen=True)
class ChangesQuery(ListQuery):
    """Words of person or title, a kind of thing, and the first row of a page."""

    page = "changes"
    q: str = ""
    kind: str = ""
    offset: int = 0


PARSERS = {"q": words(), "kind": choice(("", *KINDS)), "offset": number(0, MAX_OFFSET)}
