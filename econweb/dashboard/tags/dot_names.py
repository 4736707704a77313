"""Names beside the outermost dots of a scatter plot."""

from collections.abc import Iterator, Mapping, Sequence
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


def render_names(places: Mapping[tuple[int, int], Sequence[Tag]]) -> str:
    """Name the dots furthest from the middle, where a name covers neither a dot nor another name."""
    return "".join(_names(places))


def _names(places: Mapping[tuple[int, int], Sequence[Tag]]) -> Iterator[str]:
    # The begin, end and height of what a name would cover.
    taken = [(x - DOT, x + DOT, y) for x, y in places]
    named = 0
    outermost = sorted(places, key=lambda place: -_distance(*place))
    for x, height in outermost[: 4 * MAX_NAMES]:
        name, y = _short_name(places[x, height]), min(height, LOWEST)
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


def _short_name(tags: Sequence[Tag]) -> str:
    """Return the name of the first tag at a place, and how many more are there."""
    name = tags[0].name
    short = name if len(name) <= MAX_CHARACTERS else f"{name[: MAX_CHARACTERS - 1]}…"
    return f"{short} +{len(tags) - 1:,}" if len(tags) > 1 else short
