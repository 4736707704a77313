"""What templates name is there, and they are compiled to what they say."""

import re

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders
from markupsafe import Markup

from econweb.dashboard.template_words import environment


def test_every_static_file_that_a_template_names_exists() -> None:
    texts = [path.read_text() for path in (settings.BASE_DIR / "templates").rglob("*.html")]
    named = {name for text in texts for name in re.findall(r"""static\(["']([^"']+)""", text)}

    assert "econweb.css" in named
    assert {name for name in named if finders.find(name) is None} == set()


def filled(source: str, **words: object) -> str:
    return environment(autoescape=True).from_string(source).render(words)


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        ("{{ told(1, b=2) }}", "(1,) {&#x27;b&#x27;: 2}"),
        ("{{ told(*many) }}", "(1, 2) {}"),
        ("{{ told(0, **named) }}", "(0,) {&#x27;c&#x27;: 3}"),
        ("{% macro m() %}{{ caller() }}!{% endmacro %}{% call m() %}said{% endcall %}", "said!"),
        ("{{ nobody }}{{ text }}{{ number }}{{ safe }}", "&lt;b&gt;1<b>"),
    ],
)
def test_what_a_template_calls_gets_what_it_is_given(source: str, shown: str) -> None:
    def told(*given: object, **named: object) -> str:
        return f"{given} {named}"

    words = {
        "many": (1, 2),
        "named": {"c": 3},
        "text": "<b>",
        "number": 1,
        "safe": Markup("<b>"),
    }

    assert filled(source, told=told, **words) == shown


@pytest.mark.parametrize(
    ("source", "without", "with_it"),
    [
        (
            "<p>\n  {% if a %}<b>a</b>{% endif %}\n  <i>x</i>\n</p>",
            "<p>\n<i>x</i>\n</p>",
            "<p>\n<b>a</b>\n<i>x</i>\n</p>",
        ),
        ("{% if a %}a{% else %}b{% endif %}\nx", "b\nx", "a\nx"),
        ("{% if a %}\n  a\n{% endif %}\nx", "x", "a\nx"),
        ("{% if a %}a{% endif %} y\nx", " y\nx", "a y\nx"),
    ],
)
def test_what_is_absent_leaves_no_line_and_what_is_there_keeps_its_end(
    source: str, without: str, with_it: str
) -> None:
    assert filled(source, a=False) == without
    assert filled(source, a=True) == with_it
