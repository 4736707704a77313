"""The query of a link to a list of frozen copies."""

from dataclasses import dataclass

from econweb.dashboard.list_pages import ListQuery
from econweb.dashboard.parameter_checks import MAX_OFFSET
from econweb.dashboard.parameters import number, text, words
from econweb.library.models import MAX_TARGET


@dataclass(frozen=True)
class CopiesQuery(ListQuery):
    """Words of title, reason or person, ids or digests, the live view of the copies, and the first row of a page."""

    page = "copies"
    q: str = ""
    target: str = ""
    offset: int = 0


class MyCopiesQuery(CopiesQuery):
    page = "my_copies"


PARSERS = {"q": words(), "target": text(MAX_TARGET), "offset": number(0, MAX_OFFSET)}
