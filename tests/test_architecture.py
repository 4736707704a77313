"""The import rules of the packages, and the size of files and functions."""

import ast
import re
import statistics
import subprocess
from collections import Counter
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from tests.architecture import LEVEL_OF, circles, imports_of, package_graph, upward_edges

ROOT = Path(__file__).resolve().parent.parent
MAY_IMPORT = {
    "dashboard": {"dashboard", "cacheable_response", "formula_escape", "ownership", "redaction"}
    | {"library", "watching", "search_index", "upstream", "label_book", "accounts", "word_beginnings"},
    "ownership": {"ownership", "watching", "library", "accounts"},
    "library": {"library", "upstream", "accounts", "advisory_lock", "optional_write", "redaction"},
    "watching": {"watching", "upstream", "library", "accounts", "redaction", "word_beginnings"},
    "search_index": {"search_index", "upstream", "label_book", "quick_command"},
    "label_book": {"label_book", "accounts", "advisory_lock", "formula_escape"},
    "upstream": {"upstream", "redaction", "timed_http"},
    "catalogue": {"catalogue", "cacheable_response", "quick_command", "word_beginnings"},
    "accounts": {"accounts", "optional_write", "timed_http"},
    "advisory_lock": {"advisory_lock"},
    "cacheable_response": {"cacheable_response"},
    "formula_escape": {"formula_escape"},
    "optional_write": {"optional_write"},
    "quick_command": {"quick_command"},
    "redaction": {"redaction"},
    "timed_http": {"timed_http"},
    "word_beginnings": {"word_beginnings"},
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


SOURCES = [path for path in tracked("*.py") if "migrations" not in path.relative_to(ROOT).parts]
MODULES = {".".join(path.relative_to(ROOT).with_suffix("").parts): path for path in SOURCES}


def violations(code: str, package: str) -> list[str]:
    """Return the imports that the package may not have; no package imports the top of econweb."""
    packages = {name: [*name.split("."), ""][1] for name in imports_of(code)}
    return [name for name, other in packages.items() if other not in MAY_IMPORT[package]]


def too_long(text: str, suffix: str) -> bool:
    most = {".html": 100, ".py": 250}.get(suffix, 300)
    return text.count("\n") > most


def functions_over(code: str, lines: int) -> list[str]:
    return [name for name, size in functions_of(code) if size > lines]


@cache
def functions_of(code: str) -> list[tuple[str, int]]:
    functions = [node for node in ast.walk(ast.parse(code)) if isinstance(node, Function)]
    return [(node.name, (node.end_lineno or 0) - node.lineno + 1) for node in functions]


def read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@pytest.mark.parametrize("package", MAY_IMPORT)
def test_package_imports_only_what_it_may(package: str) -> None:
    own = ROOT / "econweb" / package
    files = [path for path in SOURCES if own in path.parents or path == own.with_suffix(".py")]

    broken = {str(path.relative_to(ROOT)): violations(read(path), package) for path in files}

    assert files
    assert {path: names for path, names in broken.items() if names} == {}


FORBIDDEN = {
    "dashboard": ["catalogue", "config", "management"],
    "label_book": ["catalogue", "dashboard", "upstream", "settings"],
    "library": ["catalogue", "dashboard", "label_book", "search_index", "settings"],
    "search_index": ["catalogue", "dashboard", "settings"],
    "upstream": ["catalogue", "dashboard", "label_book", "config", "search_index"],
    "catalogue": ["dashboard", "label_book", "upstream", "serving", "search_index"],
    "accounts": ["catalogue", "dashboard", "label_book", "upstream", "settings"],
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
@pytest.mark.parametrize(("package", "other"), [(one, other) for one in FORBIDDEN for other in FORBIDDEN[one]])
def test_forbidden_import_is_found(package: str, other: str, way: str) -> None:
    assert len(violations(way.format(other), package)) == 1


def large_folders(modules: list[Path], most: int) -> list[Path]:
    sizes = Counter(path.parent for path in modules if path.stem != "__init__")
    return sorted(folder for folder, size in sizes.items() if size > most)


def test_folder_has_at_most_14_modules() -> None:
    assert large_folders([path for path in SOURCES if ROOT / "econweb" in path.parents], 14) == []


def test_large_folder_is_found() -> None:
    modules = [Path(f"one/m{number}.py") for number in range(14)]

    assert large_folders([*modules, Path("one/__init__.py")], 14) == []
    assert large_folders([*modules, Path("one/last.py")], 14) == [Path("one")]


@pytest.mark.parametrize(("suffix", "lines"), [(".py", 250), (".css", 300), (".js", 300), (".html", 100)])
def test_long_file_is_found(suffix: str, lines: int) -> None:
    assert not too_long("x\n" * lines, suffix)
    assert too_long("x\n" * (lines + 1), suffix)


def test_long_function_is_found() -> None:
    def of(lines: int) -> str:
        return "def f() -> None:\n" + "    x\n" * (lines - 1)

    assert functions_over(of(50), 50) == []
    assert functions_over(of(51), 50) == ["f"]


def test_every_package_has_a_rule() -> None:
    packages = {path.parent.name for path in (ROOT / "econweb").glob("*/__init__.py")}

    # The first five start, check and serve the program, and may know every package.
    files = {path.stem for path in (ROOT / "econweb").glob("*.py")} & set(MAY_IMPORT)
    assert packages - {"config", "doctor", "management", "serving", "startup"} | files == set(MAY_IMPORT)


def test_packages_import_only_from_lower_levels() -> None:
    graph = package_graph()

    assert graph.keys() == LEVEL_OF.keys()
    assert circles(graph) == []
    assert upward_edges(graph) == []


def test_upward_import_and_a_circle_are_found() -> None:
    graph = {"urls": {"settings"}, "settings": {"urls"}}

    assert upward_edges(graph) == ["settings imports urls"]
    assert set(circles(graph)) == {"urls", "settings"}


@pytest.mark.parametrize(
    ("package", "importers"),
    [
        # A frozen copy shows the same pages, and a link that is saved is read by their forms.
        ("dashboard.tags", {f"dashboard.{name}" for name in ("urls", "frozen", "mcp", "saved", "watches")}),
        ("dashboard.series_list", {f"dashboard.{name}" for name in ("urls", "frozen", "id_check", "saved", "watches")}),
        ("dashboard.comparison", {"dashboard.urls", "dashboard.mcp", "dashboard.saved"}),
        *((f"upstream.{name}", "upstream") for name in ("cache", "limits", "transport", "replies", "tags")),
    ],
)
def test_package_has_few_importers(package: str, importers: set[str] | str) -> None:
    found = {name for name, targets in package_graph().items() if package in targets}

    assert found
    assert found <= importers if isinstance(importers, set) else {name.split(".")[0] for name in found} == {importers}


def test_no_module_imports_itself_in_a_circle() -> None:
    def nearest(name: str) -> str:
        return name if name in MODULES else name.rpartition(".")[0]

    graph = {module: {nearest(name) for name in imports_of(read(path))} for module, path in MODULES.items()}

    assert len(list(TopologicalSorter(graph).static_order())) >= len(graph)


@pytest.mark.parametrize("pattern", ["*.py", "*.html", "*.css", "*.js"])
def test_no_file_is_too_long(pattern: str) -> None:
    files = [path for path in tracked(pattern) if "migrations" not in path.relative_to(ROOT).parts]

    assert files
    assert [str(path) for path in files if too_long(read(path), path.suffix)] == []


def test_no_function_passes_50_lines_and_few_pass_30() -> None:
    functions = [name for path in SOURCES for name in functions_of(read(path))]

    assert {str(path): over for path in SOURCES if (over := functions_over(read(path), 50))} == {}
    assert sum(size > 30 for _, size in functions) <= len(functions) * 0.02


def test_median_function_is_under_10_lines() -> None:
    sizes = [
        size for path in SOURCES if "tests" not in path.relative_to(ROOT).parts for _, size in functions_of(read(path))
    ]

    assert statistics.median(sizes) < 10


def test_every_module_has_a_docstring_of_one_line() -> None:
    said = {path: ast.get_docstring(ast.parse(read(path))) or "" for path in SOURCES if read(path).strip()}

    assert [str(path) for path, text in said.items() if not re.match(r".+(\n\n|\Z)", text)] == []


def test_no_module_has_a_meaningless_name() -> None:
    assert [str(path) for path in SOURCES if path.stem in BANNED_NAMES] == []


def test_packages_hold_no_code_in_their_init() -> None:
    assert [str(path) for path in SOURCES if path.name == "__init__.py" and read(path).strip()] == []


def test_top_folder_holds_known_files_only() -> None:
    files = {path.relative_to(ROOT).parts[0] for path in tracked("*")}
    known = (
        "manage.py requirements.txt requirements-dev.txt econweb templates static tests pyproject.toml "
        "Makefile README.md CHANGELOG.md CONTRIBUTING.md SECURITY.md CITATION.cff LICENSE docs bench compose.yaml "
        "Dockerfile"
    )

    assert {name for name in files if not name.startswith(".")} <= set(known.split())
