"""Notes of the service on a page: links made safe, line breaks kept, all else plain text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import html

from econweb.dashboard.notes import notes_html


def test_a_link_keeps_its_address_and_its_words() -> None:
    written = notes_html('See <a href="https://example.org/a?b=1&amp;c=2" target="_blank">the <source></a>.')
    plain = notes_html('See <a href="https://example.org/a?b=1&amp;c=2" target="_blank">the source</a>.')

    assert "<source>" not in written
    assert plain == (
        '<p>See <a href="https://example.org/a?b=1&amp;c=2" rel="noopener noreferrer">the source</a>.</p>'
    )


def test_an_address_in_the_text_is_linked_without_the_stop_behind_it() -> None:
    found = html.fromstring(notes_html("Read https://example.org/x. Then (http://example.org/y)."))

    assert found.xpath("//a/@href") == ["https://example.org/x", "http://example.org/y"]


@pytest.mark.parametrize(
    "notes",
    [
        '<a href="javascript:alert(1)">x</a>',
        "<a href='data:text/html,x'>x</a>",
        '<a href="https://example.org" onclick="alert(1)">x</a>',
        '<a href="//example.org">x</a>',
        "<script>alert(1)</script>",
        '<img src=x onerror="alert(1)">',
        '<a href="https://example.org/"onmouseover="alert(1)">x</a>',
    ],
)
def test_nothing_else_becomes_markup(notes: str) -> None:
    page = html.fromstring(notes_html(notes))

    assert {element.tag for element in page.iter()} <= {"p", "a", "br"}
    assert all(link.attrib.keys() == ["href", "rel"] for link in page.iter("a"))
    assert all(str(link.get("href")).startswith("https://example.org") for link in page.iter("a"))


def test_lines_and_paragraphs_are_kept() -> None:
    assert notes_html("one\r\ntwo\r\n\r\nthree\n") == "<p>one<br>two</p><p>three</p>"


@given(st.text(st.characters(exclude_categories=("Cs", "Cc"))))
def test_text_without_a_link_is_the_same_text(text: str) -> None:
    if "://" not in text:
        assert html.fromstring(f"<div>{notes_html(text)}</div>").xpath("string()") == text
