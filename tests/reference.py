"""Write docs/reference.md from the program: `.venv/bin/python -m tests.reference`."""

import ast
import io
import os
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import redirect_stdout, suppress
from pathlib import Path
from typing import Any

import django

ROOT = Path(__file__).resolve().parent.parent
DOCUMENT = ROOT / "docs" / "reference.md"
COMMAND = ".venv/bin/python -m tests.reference"
# The same text on any terminal.
os.environ["COLUMNS"] = "500"
if __name__ == "__main__":
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    django.setup()

from django.core.management import BaseCommand, CommandParser, get_commands, load_command_class  # noqa: E402
from django.http import HttpResponse, QueryDict  # noqa: E402
from django.test import RequestFactory  # noqa: E402
from django.urls import URLPattern  # noqa: E402
from prometheus_client import REGISTRY  # noqa: E402

import econweb.serving.admission  # noqa: E402, F401  the metrics of its queue
from econweb.dashboard.error_texts.table import ERRORS  # noqa: E402
from econweb.dashboard.files.negotiation import MEDIA_TYPES  # noqa: E402
from econweb.dashboard.mcp.definitions import TOOLS  # noqa: E402
from econweb.dashboard.sharing import citations  # noqa: E402
from econweb.dashboard.urls import urlpatterns  # noqa: E402
from econweb.library import file_format  # noqa: E402
from econweb.quick_command import QuickCommand  # noqa: E402
from econweb.serving.monitoring.health import answer_health_checks  # noqa: E402
from econweb.serving.monitoring.request_times import build_histogram  # noqa: E402
from tests.config.test_settings_documents import names_read  # noqa: E402
from tests.dashboard.files.test_columns import AROUND, COLUMNS, OTHER_COLUMNS, WHOLE  # noqa: E402
from tests.reference_parameters import FORMS, WITHOUT_FORM  # noqa: E402

FILE_END = re.compile(r"(.+)\.(<(?:file|citation):suffix>|zip)")
HEALTH_PATHS = ("/healthz", "/readyz", "/metrics")


def write_reference() -> str:
    """Return the whole document."""
    text = (ROOT / "tests" / "reference.txt").read_text(encoding="utf-8")
    parts: dict[str, Callable[[], Iterable[str]]] = {
        "addresses": addresses,
        "suffixes": suffixes,
        "parameters": parameters,
        "tools": tools,
        "commands": commands,
        "settings": settings,
        "fields": fields,
        "library": library,
        "statuses": statuses,
        "metrics": metrics,
    }
    return re.sub(r"^\{(\w+)\}$", lambda found: "\n".join(parts[found[1]]()), text, flags=re.MULTILINE)


def row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def code(words: Iterable[str]) -> str:
    return " ".join(f"`{word}`" for word in words)


def addresses() -> Iterator[str]:
    """Yield each address with its methods, its files and the names of its parameters."""
    paths = {f"/{one.pattern}": one for one in urlpatterns}
    files: dict[str, list[str]] = {}
    for path in paths:
        if (found := FILE_END.fullmatch(path)) and f"{found[1]}/" in paths:
            files.setdefault(f"{found[1]}/", []).append(_short(found[2]))
    joined = {f"{path[:-1]}.{end}" for path, ends in files.items() for end in ends}
    for path, one in sorted(paths.items()):
        if _short(path) not in {_short(other) for other in joined}:
            names = [name for name in _parameters(str(one.name)) if f":{name}>" not in path]
            yield row(f"`{_short(path)}`", _methods(one), code(files.get(path, [])), code(names))
    factory = RequestFactory()
    for path in HEALTH_PATHS:
        answer = answer_health_checks(lambda request: HttpResponse())(factory.generic("PURGE", path))
        yield row(f"`{path}`", answer["Allow"], "", "")


def _short(path: str) -> str:
    """Return a path with the names of its parts alone; the suffix of a file or citation has the name of its kind."""
    return re.sub(r"<\w+:(\w+)>", r"<\1>", re.sub(r"<(file|citation):suffix>", r"<\1>", path))


def _methods(pattern: URLPattern) -> str:
    """Return the methods that the view names when it refuses another one."""
    allowed: str = pattern.callback(RequestFactory().generic("PURGE", "/"))["Allow"]
    return allowed


def _parameters(name: str) -> list[str]:
    form = FORMS.get(name)
    return [*(form(QueryDict()).fields if form else ()), *WITHOUT_FORM.get(name, ())]


def suffixes() -> Iterator[str]:
    yield f"- `<file>` is one of {code(MEDIA_TYPES)}, and `<citation>` one of {code(citations.MEDIA_TYPES)}."


def parameters() -> Iterator[str]:
    """Yield the values of each parameter that has few, as its message names them, with the addresses that take it."""
    found: dict[tuple[str, str], list[str]] = {}
    paths = {str(one.name): _short(f"/{one.pattern}") for one in urlpatterns}
    for page, form in FORMS.items():
        for name in form(QueryDict()).fields:
            messages = form(QueryDict(f"{name}=%3F&ids=A")).errors.get(name) or [""]
            choices = re.search(r"(?:Choose: |choose a whole number )(.*)\.", str(messages[0]))
            if choices:
                found.setdefault((name, choices[1]), []).append(paths[page])
    for (name, values), where in sorted(found.items()):
        yield row(f"`{name}`", values.removeprefix("from "), code(where))


def tools() -> Iterator[str]:
    for tool in TOOLS:
        yield row(
            f"`{tool.name}`", code(tool.required), code(name for name in tool.arguments if name not in tool.required)
        )


def commands() -> Iterator[str]:
    """Yield what each command does, and the usage lines of its parser."""
    for name, app in sorted(get_commands().items()):
        if not str(app).startswith("econweb"):
            continue
        command = load_command_class(str(app), name)
        yield f"# {command.help}"
        if not {BaseCommand, QuickCommand} & {*type(command).__bases__}:
            yield f"manage.py {name}   # with Django's arguments"
            continue
        parser = CommandParser(prog=f"manage.py {name}", add_help=False)
        command.add_arguments(parser)
        yield from _usages(parser)


def _usages(parser: CommandParser) -> Iterator[str]:
    usage = parser.format_usage().removeprefix("usage: ").strip()
    actions = re.search(r" \{([\w,]+)\} \.\.\.", usage)
    for action in actions[1].split(",") if actions else ():
        with redirect_stdout(io.StringIO()) as shown, suppress(SystemExit):
            parser.parse_args([action, "--help"])
        yield shown.getvalue().partition("\n")[0].removeprefix("usage: ").replace(" [-h]", "")
    if not actions:
        yield re.sub(r"\{(\w+)\}", r"\1", usage)


def settings() -> Iterator[str]:
    yield f"{code(sorted(names_read()))}."


def fields() -> Iterator[str]:
    for path, names in COLUMNS.items():
        around = AROUND.get(path, "")
        listed, _, more = around.partition(" ")
        yield row(f"`{path.format('json')}`", f"`{listed}`", code(WHOLE.get(path, names).split()), code(more.split()))
    for path, names in OTHER_COLUMNS.items():
        yield row(f"`{path.format('json').replace('0123456789abc', '<id>')}`", "`rows`", code(names.split()), "")


def library() -> Iterator[str]:
    for line in (file_format.Head, file_format.BodyLine, file_format.CopyLine, file_format.ViewLine, file_format.End):
        yield f"- {line.__struct_config__.tag}: {code(line.__struct_fields__)}"


def statuses() -> Iterator[str]:
    """Yield the statuses of error pages with their titles."""
    titles = {(one.status, one.title) for one in ERRORS.values()}
    for status, title in sorted(titles):
        yield row(str(status), re.sub(r"\{(\w+)\}", "…", title))


def metrics() -> Iterator[str]:
    labels = _labels()
    families = [*REGISTRY.collect(), build_histogram({})]
    for family in sorted(families, key=lambda one: one.name):
        if family.name.startswith("econweb_"):
            name = f"{family.name}_total" if family.type == "counter" else family.name
            yield row(f"`{name}`", family.type, code(labels[family.name]), family.documentation)


def _labels() -> dict[str, list[str]]:
    """Return the labels of each metric, from the call that makes it: the registry names those in use alone."""
    calls = _calls("prometheus_client", "Counter", "Gauge", "Histogram", "HistogramMetricFamily")
    return {call[0]: next((given for given in call if isinstance(given, list)), []) for call in calls if call}


def _calls(library: str, *names: str) -> Iterator[list[Any]]:
    """Yield the arguments of the calls of these names, in modules that import the library; None is no constant."""
    texts = [file.read_text(encoding="utf-8") for file in sorted((ROOT / "econweb").rglob("*.py"))]
    for node in (node for text in texts if f"from {library}" in text for node in ast.walk(ast.parse(text))):
        if isinstance(node, ast.Call) and ast.unparse(node.func) in names:
            yield [*_constants([*node.args, *(key.value for key in node.keywords)])]


def _constants(given: list[ast.expr]) -> Iterator[Any]:
    for one in given:
        try:
            yield ast.literal_eval(one)
        except ValueError:
            yield None


if __name__ == "__main__":
    DOCUMENT.write_text(write_reference(), encoding="utf-8")
