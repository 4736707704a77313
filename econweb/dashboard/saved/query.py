"""The part of the saved views that a link asks for."""

from dataclasses import dataclass

from econweb.accounts.models import MAX_PERSON
from econweb.dashboard.list_pages import ListQuery
from econweb.dashboard.parameter_checks import MAX_OFFSET
from econweb.dashboard.parameters import choice, number, text, words

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
# Public pages name no person.
MY_PARSERS = {**PARSERS, "person": text(MAX_PERSON)}
