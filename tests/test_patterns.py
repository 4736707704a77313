"""A6: no pattern of the program takes more than linear time, whatever text it meets."""

import ast
import functools
import importlib
import pkgutil
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import econweb
from econweb.dashboard.display.notes import notes_cell, notes_html

ROOT = Path(__file__).resolve().parent.parent
Pattern = re.Pattern[Any]
# In characters. Of five sizes the largest is 16 times the smallest: quadratic time is 256 times as long.
SIZES = (1_000, 2_000, 4_000, 8_000, 16_000)
MAX_GROWTH = 64.0
# A time below this at the largest size is too short to compare.
TOO_QUICK = 0.02
# These meet nothing but templates and code of the program itself.
OWN_TEXT = {"econweb/dashboard/rendering/filters.py"}
PIECES = (
    *"a-A1 \n\t\"'<>/\\.,:;=&%?()[]{}_+#é🙂",
    *("-a", "a.", "a b", "\r\n", " \n", "\\n", "%25", "%C3", "&amp;", "''", "<a ", "<a href=", "</a>"),
    *('<a href="http://a" ', '<a href="http://a">', "http://a", "http://", "https://a.", "//a", "a/", "a.b/"),
    *("api_key=", "api_key%3D", "api_key = '", "cat ", "category:", "/series/", "series_id=", "f(", "a.b("),
    *(
        "<?xml ",
        "<?xml encoding=",
        "<html",
        "<!doctype ",
        "\\u0000",
        "\\\\",
        "1:",
        "0.",
        ";q=0",
        "\x00",
        "\x7f",
    ),
)


def modules() -> Iterator[Any]:
    for found in pkgutil.walk_packages(econweb.__path__, "econweb."):
        # To import these starts the program, or changes the database's tables.
        if found.name not in {"econweb.wsgi"} and ".migrations" not in found.name:
            yield importlib.import_module(found.name)


def compiled() -> dict[str, Pattern]:
    """The patterns that modules hold, by where they are."""
    found = {}
    for module in modules():
        for name, value in vars(module).items():
            for number, one in enumerate(value if isinstance(value, list | tuple) else [value]):
                if isinstance(one, re.Pattern):
                    found[f"{module.__name__}.{name}.{number}"] = one
    return found


def inline() -> dict[str, Pattern]:
    """The patterns in calls like `re.sub`, and of the fields of forms, where they are plain text."""
    found = {}
    for path in sorted((ROOT / "econweb").rglob("*.py")):
        location, code = str(path.relative_to(ROOT)), path.read_text(encoding="utf-8")
        # To parse every module takes a second in each process of a run.
        has_patterns = location not in OWN_TEXT and re.search(r"\bre\.|\b(regex|pattern)\b *=", code)
        for node in ast.walk(ast.parse(code)) if has_patterns else ():
            if isinstance(node, ast.Call):
                for text in patterns_of(node):
                    found[f"{location}:{node.lineno}"] = re.compile(text)
    return found


def patterns_of(call: ast.Call) -> Iterator[str | bytes]:
    is_re = isinstance(call.func, ast.Attribute) and isinstance(call.func.value, ast.Name)
    first = call.args[:1] if is_re and ast.unparse(call.func).startswith("re.") else []
    named = [word.value for word in call.keywords if word.arg in {"regex", "pattern"}]
    for value in [*first, *named]:
        if isinstance(value, ast.Constant) and isinstance(value.value, str | bytes):
            yield value.value


PATTERNS = {
    location: pattern
    for location, pattern in {**compiled(), **inline()}.items()
    if f"{location.rpartition('.')[0].rpartition('.')[0].replace('.', '/')}.py" not in OWN_TEXT
}


def literals(pattern: Pattern) -> set[str]:
    """Pieces of the pattern that stand for themselves, and joined: what leads far into it."""
    source = pattern.pattern.decode("latin-1") if isinstance(pattern.pattern, bytes) else pattern.pattern
    plain = re.sub(r"\\[a-zA-Z]|\(\?[^)<=!:]*|[\^$?*+|(){}\[\]]|\\", "\0", source)
    pieces = {piece for piece in plain.split("\0") if piece}
    return {*pieces, "".join(re.findall(r"[\w:/<>=\"'. ]", plain)) or "a"}


def seconds(use: Callable[[Any], object], text: Any) -> float:
    """The least of three, in time of the processor: another program may disturb one of them."""
    taken = []
    for _ in range(3):
        begun = time.process_time()
        use(text)
        taken.append(time.process_time() - begun)
        if taken[-1] < TOO_QUICK:
            break
    return min(taken)


def growth(use: Callable[[Any], object], make: Callable[[int], Any]) -> float:
    """Return the ratio of the times for the largest and the smallest size."""
    slowest = seconds(use, make(SIZES[-1]))
    if slowest < TOO_QUICK:
        return 1.0
    times = [seconds(use, make(size)) for size in SIZES[:-1]]
    return slowest / max(times[0], TOO_QUICK / MAX_GROWTH)


def text_of(piece: str, is_bytes: bool, size: int) -> Any:
    """Its end is one that few patterns take, so that they try everything."""
    text = (piece * (size // len(piece) + 1))[:size] + "\n!"
    return text.encode() if is_bytes else text


def use_everywhere(pattern: Pattern, text: Any) -> None:
    """Use the pattern in each way that the program may use."""
    pattern.match(text)
    pattern.fullmatch(text)
    for _ in pattern.finditer(text):
        pass


@pytest.mark.parametrize("location", PATTERNS)
def test_pattern_takes_linear_time(location: str) -> None:
    pattern = PATTERNS[location]
    use, is_bytes = functools.partial(use_everywhere, pattern), isinstance(pattern.pattern, bytes)
    slow = {
        piece: factor
        for piece in sorted({*PIECES, *literals(pattern)})
        if (factor := growth(use, functools.partial(text_of, piece, is_bytes))) > MAX_GROWTH
    }

    assert slow == {}


@pytest.mark.parametrize("show", [notes_html, notes_cell])
def test_notes_are_shown_in_linear_time(show: Callable[[str], str]) -> None:
    """Notes of 200 kB stopped a worker for nine seconds."""
    slow = {
        piece: factor
        for piece in (*PIECES, "<p>", "</p>", "<p></p>", "(", "https://a(", "\n\n")
        if (factor := growth(show, functools.partial(text_of, piece, False))) > MAX_GROWTH
    }

    assert slow == {}


def test_patterns_of_the_program_are_found() -> None:
    assert len(PATTERNS) > 40
    assert "econweb.dashboard.display.notes._LINK.0" in PATTERNS
    assert any(location.startswith("econweb/upstream/queries.py:") for location in PATTERNS)


def test_quadratic_pattern_is_noticed() -> None:
    """The one that made notes of 200 kB take nine seconds."""
    quadratic = re.compile(r"""<a\s[^<>]*?href\s*=\s*(["'])https?://[^"'<>\s]+\1[^<>]*>""")

    def notes(size: int) -> str:
        return "<a " + 'href="http://a" ' * (size // 16)

    assert growth(functools.partial(use_everywhere, quadratic), notes) > MAX_GROWTH
    assert growth(notes_html, notes) <= MAX_GROWTH
