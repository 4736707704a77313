"""Static files that templates name, escaping and white space."""

import re

from django.conf import settings
from django.contrib.staticfiles import finders
from markupsafe import Markup

from econweb.dashboard.rendering.jinja import build_environment


def test_every_static_file_that_a_template_names_exists() -> None:
    texts = [path.read_text() for path in (settings.BASE_DIR / "templates").rglob("*.html")]
    named = {name for text in texts for name in re.findall(r"""static\(["']([^"']+)""", text)}

    assert "econweb.css" in named
    assert {name for name in named if finders.find(name) is None} == set()


def rendered(source: str, **context: object) -> str:
    return build_environment(autoescape=True).from_string(source).render(context)


def test_text_is_escaped_and_marked_html_is_not() -> None:
    values = {"text": "<b>", "number": 1, "safe": Markup("<b>")}

    assert rendered("{{ absent }}{{ text }}{{ number }}{{ safe }}", **values) == "&lt;b&gt;1<b>"


def test_block_tag_leaves_no_empty_line_and_no_indentation() -> None:
    source = "<p>\n  {% if a %}\n    <b>a</b>\n  {% endif %}\n  <i>x</i>\n</p>"

    assert rendered(source, a=False) == "<p>\n <i>x</i>\n</p>"
    assert rendered(source, a=True) == "<p>\n <b>a</b>\n <i>x</i>\n</p>"


def test_script_buttons_are_not_hidden_by_an_attribute() -> None:
    paths = (settings.BASE_DIR / "templates").rglob("*.html")
    buttons = [tag for path in paths for tag in re.findall(r"<button[^>]*data-action[^>]*>", path.read_text())]

    # The style sheet hides them without JavaScript; an attribute would show them after the first paint.
    assert buttons
    assert [tag for tag in buttons if re.search(r"\bhidden\b", tag)] == []


def test_block_at_the_end_of_a_line_does_not_join_two_attributes() -> None:
    """The line break after a block is removed, and so is the indentation of a block that begins the next line."""
    joined = re.compile(r"<[a-z][^<>]*%\}\n *\{%[^<>]*>")
    paths = (settings.BASE_DIR / "templates").rglob("*.html")

    assert [f"{path.name}: {tag}" for path in paths for tag in joined.findall(path.read_text())] == []
