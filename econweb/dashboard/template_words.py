"""What templates say beside plain values: filters that make words of them, and links."""

import html
import re
from collections.abc import MutableMapping
from datetime import date, datetime
from functools import cache
from typing import Any

import jinja2
from django.conf import settings
from django.template.loader import get_template
from django.templatetags.static import static
from django.utils.safestring import SafeString
from django_htmx.jinja import htmx_script
from jinja2 import nodes
from jinja2.compiler import CodeGenerator, Frame
from jinja2.ext import Extension
from markupsafe import Markup, escape

from econweb.dashboard import controls, fields, groups
from econweb.dashboard.addresses import path_of
from econweb.dashboard.notes import notes_html
from econweb.upstream.queries import join_names

_PART = re.compile(r'{% include "(\w+\.html)" %}')
_INDENTATION = re.compile(r"\n\s+")
_ATTRIBUTE = re.compile(r'\n(?=[a-z-]+="|hidden>)')
# A line on which no more stands than what the template itself does.
_OWN_LINE = re.compile(r"^((?:{% (?!include)[^%]*%}|{#.*?#})+)\n", re.MULTILINE)
# What may be absent takes the end of its line along.
_OPTIONAL_LINE = re.compile(r"^({% if (?:(?!{% e(?:ndif|lse|lif)).)*)({% endif %})\n", re.MULTILINE)


class Plain(Extension):
    """What is there only for those who write a template: indentation, and parts in files of their own."""

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        """What a page puts in keeps its blanks; to include a part each time costs a context of its own."""
        if not self.environment.auto_reload:
            source = _PART.sub(self._part, source)
        source = _OWN_LINE.sub(r"\1", _INDENTATION.sub("\n", source))
        return _ATTRIBUTE.sub(" ", _OPTIONAL_LINE.sub(r"\1\n\2", source))

    def _part(self, named: re.Match[str]) -> str:
        # Django gives every environment a loader.
        text = self.environment.loader.get_source(self.environment, named[1])[0]  # type: ignore[union-attr]
        return _PART.sub(self._part, text.removesuffix("\n"))


class Direct(CodeGenerator):
    """Values go straight to where they are joined: to make a `Markup` of each would cost twice as much."""

    def visit_Call(  # noqa: N802  Jinja's name
        self, node: nodes.Call, frame: Frame, forward_caller: bool = False
    ) -> None:
        """What a template calls is called: none of it wants to know the words of the page."""
        if forward_caller or node.dyn_args or node.dyn_kwargs:
            super().visit_Call(node, frame, forward_caller=forward_caller)
            return
        self.visit(node.node, frame)
        self.write("(")
        for argument in (*node.args, *node.kwargs):
            self.visit(argument, frame)
            self.write(", ")
        self.write(")")

    def _output_child_pre(
        self, node: nodes.Expr, frame: Frame, finalize: CodeGenerator._FinalizeInfo
    ) -> None:
        if frame.eval_ctx.volatile or not frame.eval_ctx.autoescape:
            super()._output_child_pre(node, frame, finalize)
        else:
            self.write("environment.escaped(" + (finalize.src or ""))


class Environment(jinja2.Environment):
    code_generator_class = Direct

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """Jinja's own way is a chain of two mappings, which each part of a page copies word by word."""
        return {**self.globals, **(d or {})}

    @staticmethod
    def escaped(value: Any) -> str:
        if type(value) is str:
            return value if value.isalnum() else html.escape(value)
        if type(value) is int:
            return str(value)
        return value if type(value) is SafeString else str(escape(value))


def environment(**options: Any) -> Environment:
    made = Environment(extensions=[Plain], **options)
    made.globals |= {"htmx_script": _htmx_script, "static": _static}
    made.filters |= {
        "as_text": _as_text,
        "badge": groups.badge,
        "day": _day,
        "duration": _duration,
        "field": fields.name_of,
        "grouped": _grouped,
        "heads": controls.heads,
        "lines": _lines,
        "minute": _minute,
        "notes": notes_html,
        "one_name": _one_name,
        "percent": _percent,
        "plural": _plural,
        "signed": _signed,
        "tabs": controls.tabs,
        # Of a constant it is worked out when the template is compiled.
        "url": path_of,
    }
    return made


def _static(path: str) -> str:
    return _static_path(settings.STORAGES["staticfiles"]["BACKEND"], path)


def _htmx_script() -> SafeString:
    return _script(settings.STORAGES["staticfiles"]["BACKEND"])


def html_of(template: str, /, **words: Any) -> SafeString:
    """Without what Django adds to every page: none of ours sends a form that needs it."""
    # Unless somebody works on them, templates do not change.
    found: Any = (get_template if settings.DEBUG else _compiled)(template)
    # The template escapes what comes from outside.
    return SafeString(found.template.render(words))


@cache
def _compiled(template: str) -> Any:
    return get_template(template)


@cache
def _static_path(_backend: str, path: str) -> str:
    return static(path)


@cache
def _script(_backend: str) -> SafeString:
    return htmx_script()


def _as_text(value: object) -> str:
    """Absent is told from empty."""
    return "absent" if value is None else str(value) or "empty"


def _day(moment: date | None) -> str:
    return f"{moment:%Y-%m-%d}" if moment else ""


def _duration(seconds: float) -> str:
    """In hours or minutes where they are whole numbers."""
    for size, unit in ((3600, "hour"), (60, "minute")):
        if seconds >= size and seconds % size == 0:
            return f"{seconds / size:g} {unit}{'' if seconds == size else 's'}"
    return f"{seconds:g} second{'' if seconds == 1 else 's'}"


def _minute(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M}"


def _grouped(number: int) -> str:
    """1,234 as in the table."""
    return f"{number:,}"


def _signed(number: float) -> str:
    """A number of things stays whole."""
    text = f"{number:+,}" if isinstance(number, int) else f"{number:+z,.1f}"
    return text.replace("-", "\N{MINUS SIGN}")


def _plural(number: int) -> str:
    return "" if number == 1 else "s"


def _lines(text: str) -> Markup:
    return Markup("<br>").join(escape(line) for line in text.splitlines())


def _one_name(name: str) -> str:
    return join_names((name,))


def _percent(share: float) -> str:
    return f"{share:.1%}"
