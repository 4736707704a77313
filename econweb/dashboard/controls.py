"""Links that change a view: a chip sets a filter or drops one, a head sorts by its column."""

from msgspec import Struct

DIRECTIONS = {"asc": "ascending", "desc": "descending"}


class Chip(Struct, frozen=True):
    """A link that sets a filter or drops one; the count is None where it would have to be asked for."""

    key: str
    name: str
    link: str
    count: int | None = 0
    current: bool = False


class Head(Struct, frozen=True):
    """A head of a table; without a link it sorts nothing."""

    key: str
    name: str
    link: str = ""
    sorted: str = ""
    next: str = ""
    kind: str = ""
    # What the name is short for; it holds the name.
    title: str = ""
