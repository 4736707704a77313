"""Every tag group has a visible hue; the checks in a browser leave out badges of one letter."""

import re

import pytest
from django.conf import settings

from econweb.dashboard.display.groups import STYLED

# WCAG 2.2, 1.4.3 and 1.4.11.
TEXT, MARK = 4.5, 3.0
Colour = tuple[float, ...]
THEMES = {"light": 0, "dark": 1}
# Chips lie on the first, cells of a table on the second, and on the third where the pointer is.
GROUNDS = ("paper", "sheet", "tint")


def part(name: str) -> str:
    return (settings.BASE_DIR / "static" / "styles" / name).read_text()


def tokens(theme: str) -> dict[str, Colour]:
    pairs = re.findall(r"--([\w-]+): light-dark\(#(\w+), #(\w+)\)", part("tokens.css"))
    return {name: colour(both[THEMES[theme]]) for name, *both in pairs}


def colour(digits: str) -> Colour:
    digits = "".join(digit * 2 for digit in digits) if len(digits) == 3 else digits
    return tuple(int(digits[i : i + 2], 16) / 255 for i in (0, 2, 4))


def over(ground: Colour, hue: Colour, percent: float) -> Colour:
    return tuple(below + (above - below) * percent / 100 for below, above in zip(ground, hue, strict=True))


def contrast(one: Colour, other: Colour) -> float:
    bright, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


def luminance(colour: Colour) -> float:
    linear = [value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in colour]
    return sum(share * value for share, value in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def percent_in(name: str, pattern: str) -> float:
    found = re.search(pattern, part(name))
    assert found, f"static/styles/{name} no longer has {pattern!r}: check how a hue is drawn."
    return float(found[1])


@pytest.mark.parametrize("group", STYLED)
def test_every_tag_group_has_a_colour(group: str) -> None:
    assert group in tokens("light"), f"--{group} is missing in static/styles/tokens.css."
    # Unknown groups have the hue of this one.
    if group != "cc":
        rule = rf'\.{group} {{\s*--letter: ".";\s*--hue: var\(--{group}\);'
        assert re.search(rule, part("filters.css")), f".{group} is missing in static/styles/filters.css."


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("group", STYLED)
def test_tag_group_colour_has_contrast_on_every_background(group: str, theme: str) -> None:
    tinted = percent_in("filters.css", r"color-mix\(in srgb, var\(--hue, var\(--cc\)\) (\d+)%, transparent")
    opaque = percent_in("profile.css", r"fill: var\(--hue, var\(--cc\)\);\s*fill-opacity: (\d+)%")
    known = tokens(theme)
    hue = known[group]
    for ground in GROUNDS:
        below = known[ground]
        letter, dot = contrast(hue, over(below, hue, tinted)), contrast(over(below, hue, opaque), below)
        assert letter >= TEXT, f"The letter of {group} on {ground} ({theme}) has {letter:.2f}:1."
        assert dot >= MARK, f"A dot of {group} on {ground} ({theme}) has {dot:.2f}:1."
