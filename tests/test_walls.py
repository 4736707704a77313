"""The rules of the house: which room may import which, and how large a thing may grow."""

import ast
import re
import statistics
import subprocess
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
MAY_IMPORT = {
    "dashboard": {"dashboard", "upstream", "shelf"},
    "shelf": {"shelf"},
    "upstream": {"upstream"},
    "catalogue": {"catalogue"},
}
BANNED_NAMES = {"utils", "helpers", "common", "core", "constants", "misc", "base"}

Function = ast.FunctionDef | ast.AsyncFunctionDef


def tracked(pattern: str) -> list[Path]:
    """Files of the project, new ones included, as git sees them."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", pattern],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    return [ROOT / name for name in listed.stdout.splitlines() if (ROOT / name).is_file()]


SOURCES = [path for path in tracked("*.py") if "migrations" not in path.parts]
MODULES = {".".join(path.relative_to(ROOT).with_suffix("").parts): path for path in SOURCES}


def imports_of(code: str) -> Iterator[str]:
    """Every module of ours that the code names: at its top, inside of a function, as the text of a call."""
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.startswith("econweb"))
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"line {node.lineno} imports relatively: say the whole name"
            if (node.module or "").startswith("econweb"):
                yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Call) and "import" in ast.unparse(node.func):
            texts = [str(given.value) for given in node.args if isinstance(given, ast.Constant)]
            yield from (text for text in texts if text.startswith("econweb"))


def broken_walls(code: str, room: str) -> list[str]:
    """What a room imports of another that it may not; the top of econweb is a room that nobody may enter."""
    rooms = {name: [*name.split("."), ""][1] for name in imports_of(code)}
    return [name for name, other in rooms.items() if other not in MAY_IMPORT[room]]


def too_long(text: str, suffix: str) -> bool:
    return text.count("\n") > {".html": 100}.get(suffix, 300)


def functions_over(code: str, lines: int) -> list[str]:
    return [name for name, size in functions_of(code) if size > lines]


def functions_of(code: str) -> Iterator[tuple[str, int]]:
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, Function):
            yield node.name, (node.end_lineno or 0) - node.lineno + 1


def read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@pytest.mark.parametrize("room", MAY_IMPORT)
def test_a_room_imports_only_what_it_may(room: str) -> None:
    files = [path for path in SOURCES if (ROOT / "econweb" / room) in path.parents]

    broken = {str(path.relative_to(ROOT)): broken_walls(read(path), room) for path in files}

    assert files
    assert {path: names for path, names in broken.items() if names} == {}


FORBIDDEN = {
    "dashboard": ["catalogue", "logs", "management"],
    "shelf": ["catalogue", "dashboard", "upstream", "settings"],
    "upstream": ["catalogue", "dashboard", "shelf", "logs"],
    "catalogue": ["dashboard", "shelf", "upstream", "middleware"],
}
WAYS = [
    "import econweb.{}.models",
    "from econweb.{} import models",
    "from econweb import {}",
    "def late() -> None:\n    from econweb.{} import models",
    "import importlib\nimportlib.import_module('econweb.{}.models')",
    "__import__('econweb.{}')",
]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    ("room", "other"), [(room, other) for room in FORBIDDEN for other in FORBIDDEN[room]]
)
def test_a_breach_of_a_wall_is_seen(room: str, other: str, way: str) -> None:
    assert len(broken_walls(way.format(other), room)) == 1


@pytest.mark.parametrize(("suffix", "lines"), [(".py", 300), (".css", 300), (".js", 300), (".html", 100)])
def test_a_file_that_is_too_long_is_seen(suffix: str, lines: int) -> None:
    assert not too_long("x\n" * lines, suffix)
    assert too_long("x\n" * (lines + 1), suffix)


def test_a_function_that_is_too_long_is_seen() -> None:
    def of(lines: int) -> str:
        return "def f() -> None:\n" + "    x\n" * (lines - 1)

    assert functions_over(of(50), 50) == []
    assert functions_over(of(51), 50) == ["f"]


def test_every_folder_with_a_name_of_a_room_is_watched() -> None:
    rooms = {path.parent.name for path in (ROOT / "econweb").glob("*/__init__.py")} - {"management"}

    assert rooms == set(MAY_IMPORT)


def test_no_module_imports_itself_in_a_circle() -> None:
    def nearest(name: str) -> str:
        return name if name in MODULES else name.rpartition(".")[0]

    graph = {module: {nearest(name) for name in imports_of(read(path))} for module, path in MODULES.items()}

    assert len(list(TopologicalSorter(graph).static_order())) >= len(graph)


@pytest.mark.parametrize("pattern", ["*.py", "*.html", "*.css", "*.js"])
def test_no_file_is_too_long(pattern: str) -> None:
    files = [path for path in tracked(pattern) if "migrations" not in path.parts]

    assert files
    assert [str(path) for path in files if too_long(read(path), path.suffix)] == []


def test_no_function_passes_50_lines_and_few_pass_30() -> None:
    functions = [name for path in SOURCES for name in functions_of(read(path))]

    assert {str(path): over for path in SOURCES if (over := functions_over(read(path), 50))} == {}
    assert sum(size > 30 for _, size in functions) <= len(functions) * 0.02


def test_the_median_function_is_under_10_lines() -> None:
    sizes = [size for path in SOURCES if "tests" not in path.parts for _, size in functions_of(read(path))]

    assert statistics.median(sizes) < 10


def test_every_module_says_in_one_line_what_it_is() -> None:
    said = {path: ast.get_docstring(ast.parse(read(path))) or "" for path in SOURCES if read(path).strip()}

    assert [str(path) for path, text in said.items() if not re.match(r".+(\n\n|\Z)", text)] == []


def test_no_file_is_named_after_nothing() -> None:
    assert [str(path) for path in SOURCES if path.stem in BANNED_NAMES] == []


def test_packages_hold_no_code_in_their_init() -> None:
    assert [str(path) for path in SOURCES if path.name == "__init__.py" and read(path).strip()] == []


def test_nothing_stands_at_the_top_but_what_the_readme_names() -> None:
    files = {path.relative_to(ROOT).parts[0] for path in tracked("*")}
    known = (
        "manage.py requirements.txt requirements-dev.txt econweb templates static tests pyproject.toml "
        "Makefile README.md CHANGELOG.md CONTRIBUTING.md LICENSE docs bench compose.yaml"
    )

    assert {name for name in files if not name.startswith(".")} <= set(known.split())
