"""The part of the saved views that a link asks for."""

from dataclasses import dataclass

from econweb.accounts.models import MAX_PERSON
from econweb.dashboard.list_pages import ListQuery
from econweb.dashboard.parameter_checks import MAX_OFFSET
from econweb.dashboard.parameters import choice, number, text, words
from econweb.library.models import MAX_SLUG

# The kinds of saved views, as people read them.
KINDS = {"tags": "Tags", "series": "Series", "list": "Series lists", "compare": "Comparisons"}


@dataclass(frozen=True)
class SavedQuery(ListQuery):
    """Words of title or note, a kind, and the first row of a page; for people also the name of the owner."""

    page = "saved"
    q: str = ""
    person: str = ""
    kind: str = ""
    offset: int = 0


class MySavedQuery(SavedQuery):
    page = "my_saved"


PARSERS = {"q": words(), "kind": choice(("", *KINDS)), "offset": number(0, MAX_OFFSET)}
# Public pages name no person. `removed` is the view that the person has just removed.
MY_PARSERS = {**PARSERS, "person": text(MAX_PERSON), "removed": text(MAX_SLUG)}
