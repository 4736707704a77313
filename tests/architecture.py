"""The package graph of econweb; `python -m tests.architecture` prints it."""

import ast
import io
import sys
import tokenize
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# Each level imports only from those below it. docs/architecture.md explains the packages.
LEVELS = """
command_line management urls
dashboard.urls
dashboard.freezing dashboard.mcp dashboard.watches
dashboard.saved
dashboard.comparison
dashboard.frozen dashboard.id_check
dashboard.account dashboard.browse dashboard.changes \
dashboard.names dashboard.news dashboard.occurrences dashboard.overview dashboard.series_list \
dashboard.series_search dashboard.similar dashboard.tag_list dashboard.views
dashboard.url_converters
dashboard.list_pages dashboard.series dashboard.tags wsgi
dashboard.relations
dashboard.admin dashboard.search_box serving
dashboard.lookup dashboard.sharing doctor ownership serving.monitoring
search_index.reading watching
upstream.service
dashboard.rights upstream.new_client upstream.tags
dashboard.error_pages upstream.client
dashboard.redirects upstream.visitor_limits
catalogue.urls dashboard.files dashboard.parameters upstream.transport
catalogue.management catalogue.views dashboard.entry_checks dashboard.rendering \
search_index.management settings startup upstream.fetched_series upstream.limits
catalogue.access catalogue.answers catalogue.loading config dashboard.display dashboard.parameter_checks \
dashboard.page_links library search_index.tags search_index.titles \
upstream.background upstream.cache upstream.replies
accounts.oidc catalogue.counts catalogue.models catalogue.parameters catalogue.replies \
dashboard.entered_text dashboard.error_texts dashboard.paging dashboard.realtime cacheable_response label_book \
upstream.clock upstream.errors upstream.metrics upstream.queries upstream.records redaction search_index
accounts
advisory_lock formula_escape optional_write quick_command timed_http word_beginnings
"""
LEVEL_OF = {name: level for level, names in enumerate(reversed(LEVELS.strip().splitlines())) for name in names.split()}
# Each module of these folders is a unit; elsewhere the folder is.
FLAT = {"econweb", "econweb.dashboard", "econweb.upstream", "econweb.catalogue"}

Graph = dict[str, set[str]]


def modules() -> dict[str, Path]:
    paths = (path for path in (ROOT / "econweb").rglob("*.py") if "migrations" not in path.parts)
    named = {".".join(path.relative_to(ROOT).with_suffix("").parts): path for path in paths}
    return {name: path for name, path in named.items() if not name.endswith("__init__")}


def package_of(module: str) -> str:
    """Return the node of the graph that the module belongs to, without the leading `econweb.`."""
    folder, _, name = module.removeprefix("econweb.").rpartition(".")
    if f"econweb.{folder}".rstrip(".") in FLAT:
        return f"{folder}.{name}".lstrip(".")
    return folder.removesuffix(".commands")


@cache
def imports_of(code: str) -> tuple[str, ...]:
    """Return every module of econweb that the code imports, at its top or inside a function."""
    return tuple(_imports_of(code))


def _imports_of(code: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.startswith("econweb"))
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"line {node.lineno} imports relatively: write the whole name"
            if (node.module or "").startswith("econweb"):
                yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Call):
            texts = [str(given.value) for given in node.args if isinstance(given, ast.Constant)]
            named = [text for text in texts if text.startswith("econweb")]
            # To write each call out takes longer than all the rest.
            if named and "import" in ast.unparse(node.func):
                yield from named


@cache
def package_graph() -> Graph:
    found = modules()
    graph: Graph = {package_of(module): set() for module in found}
    for module, path in found.items():
        for name in imports_of(path.read_text(encoding="utf-8")):
            target = name if name in found else name.rpartition(".")[0]
            if target in found and package_of(target) != package_of(module):
                graph[package_of(module)].add(package_of(target))
    return graph


def circles(graph: Graph) -> list[str]:
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def upward_edges(graph: Graph) -> list[str]:
    """Return imports of a package on the same level or above."""
    return [
        f"{package} imports {target}"
        for package, targets in graph.items()
        for target in sorted(targets)
        if LEVEL_OF[target] >= LEVEL_OF[package]
    ]


def code_lines(code: str) -> int:
    """Count the lines of code: without comments, docstrings and blank lines."""
    skipped = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
    tokens = [one for one in tokenize.generate_tokens(io.StringIO(code).readline) if one.type not in skipped]
    lines = {line for one in tokens for line in range(one.start[0], one.end[0] + 1)}
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node) is not None:
            lines -= {*range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1)}
    return len(lines)


def main() -> int:
    graph = package_graph()
    levels = [sorted(name for name in graph if LEVEL_OF[name] == level) for level in range(max(LEVEL_OF.values()) + 1)]
    lines = [f"{level:2}  {' '.join(names)}" for level, names in reversed(list(enumerate(levels)))]
    edges, in_circles, upward = sum(map(len, graph.values())), circles(graph), upward_edges(graph)
    size = sum(code_lines(path.read_text(encoding="utf-8")) for path in modules().values())
    summary = f"{len(graph)} packages, {edges} edges, {len(in_circles)} in circles, {len(upward)} upward"
    sys.stdout.write("\n".join([*lines, summary, f"{size:,} lines of code", ""]))
    return 1 if in_circles or upward else 0


if __name__ == "__main__":
    sys.exit(main())
