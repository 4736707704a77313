"""Names beside the outermost dots of a scatter plot."""

from collections.abc import Iterator, Sequence
from html import escape

from econweb.upstream.records import Tag

WIDTH, HEIGHT = 300, 150
MAX_NAMES, MAX_CHARACTERS = 8, 22
# A line of text and a character of it, in units of the picture.
LINE, CHARACTER = 13, 7
# The radius of a dot, and the space between its middle and its name.
DOT, GAP = 4, 8
# The name of a dot on the lower axis is above the axis, which would strike it through.
LOWEST = HEIGHT - 9


def render_names(tags: Sequence[Tag], positions: Sequence[tuple[int, int]]) -> str:
    """Name the dots furthest from the middle, where a name covers neither a dot nor another name."""
    return "".join(_names(tags, positions))


def _names(tags: Sequence[Tag], positions: Sequence[tuple[int, int]]) -> Iterator[str]:
    # The begin, end and height of what a name would cover.
    taken = [(x - DOT, x + DOT, y) for x, y in positions]
    named = 0
    outermost = sorted(range(len(tags)), key=lambda at: -_distance(*positions[at]))
    for at in outermost[: 4 * MAX_NAMES]:
        (x, y), name = positions[at], _shorten(tags[at].name)
        y = min(y, LOWEST)
        if side := _find_side(x, y, CHARACTER * len(name), taken):
            css_class, begin, end = side
            taken.append((begin, end, y))
            named += 1
            yield f"<text class={css_class} x={x} y={y + 5}>{escape(name)}</text>"
        if named == MAX_NAMES:
            return


def _find_side(x: int, y: int, width: int, taken: Sequence[tuple[int, int, int]]) -> tuple[str, int, int] | None:
    """Return the side of a dot where its name fits; names on the right half lead back into the picture."""
    sides = [("behind", x + GAP, x + GAP + width), ("before", x - GAP - width, x - GAP)]
    near = [(left, right) for left, right, other in taken if abs(y - other) < LINE]
    for side in reversed(sides) if x > WIDTH / 2 else sides:
        _, begin, end = side
        if begin >= 0 and end <= WIDTH and not any(begin < right and left < end for left, right in near):
            return side
    return None


def _distance(x: int, y: int) -> int:
    """Return the squared distance from the middle, with both scales of one length."""
    return (x - WIDTH // 2) ** 2 + (2 * y - HEIGHT) ** 2


def _shorten(name: str) -> str:
    return name if len(name) <= MAX_CHARACTERS else f"{name[: MAX_CHARACTERS - 1]}…"
