"""The part of the record of changes that a link asks for."""

from dataclasses import dataclass

from econweb.dashboard.list_pages import ListQuery
from econweb.dashboard.parameter_checks import MAX_OFFSET
from econweb.dashboard.parameters import number, text, words


@dataclass(frozen=True)
class ChangesQuery(ListQuery):
    """Words of person or title, a kind of thing, and the first row of a page."""

    page = "changes"
    q: str = ""
    kind: str = ""
    offset: int = 0


PARSERS = {"q": words(), "kind": text(40), "offset": number(0, MAX_OFFSET)}
