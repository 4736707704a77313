"""The query of a link to the list of what a person follows."""

from dataclasses import dataclass

from econweb.dashboard.list_pages import ListQuery
from econweb.dashboard.parameter_checks import MAX_OFFSET
from econweb.dashboard.parameters import choice, number, words
from econweb.dashboard.watches.targets import KINDS


@dataclass(frozen=True)
class WatchQuery(ListQuery):
    """Words of name, kind or filters, a kind, the first row of a page, and the watch that has just ended."""

    page = "my_watches"
    q: str = ""
    kind: str = ""
    offset: int = 0
    ended: int = 0

    def kept(self) -> dict[str, str]:
        """Return what stays when the words change."""
        return {"kind": self.kind} if self.kind else {}

    def in_words(self) -> str:
        return f"with “{self.q}”" if self.q else ""


PARSERS = {
    "q": words(),
    "kind": choice(("", *KINDS)),
    "offset": number(0, MAX_OFFSET),
    "ended": number(0, MAX_OFFSET),
}
