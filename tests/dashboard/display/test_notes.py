"""Notes as HTML: safe links, line breaks, and everything else as plain text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import html

from econweb.dashboard.display.notes import notes_cell, notes_html, notes_text


def test_notes_link_keeps_url_and_text() -> None:
    written = notes_html('See <a href="https://example.org/a?b=1&amp;c=2" target="_blank">the <source></a>.')
    plain = notes_html('See <a href="https://example.org/a?b=1&amp;c=2" target="_blank">the source</a>.')

    assert "<source>" not in written
    assert plain == ('<p>See <a href="https://example.org/a?b=1&amp;c=2" rel="noopener noreferrer">the source</a>.</p>')


def test_notes_url_is_linked_without_trailing_full_stop() -> None:
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
def test_notes_escape_other_markup(notes: str) -> None:
    page = html.fromstring(notes_html(notes))

    assert {element.tag for element in page.iter()} <= {"p", "a", "br"}
    assert all(link.attrib.keys() == ["href", "rel"] for link in page.iter("a"))
    assert all(str(link.get("href")).startswith("https://example.org") for link in page.iter("a"))


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("(https://www2.optimalblue.com/obmmi/)™", "https://www2.optimalblue.com/obmmi/"),
        ("Optimal Blue (https://www2.optimalblue.com/obmmi/)™, 2026", "https://www2.optimalblue.com/obmmi/"),
        ("[see https://example.org/a], or not", "https://example.org/a"),
        ("https://example.org/GDP_(nominal).", "https://example.org/GDP_(nominal)"),
        ("https://example.org/a™", "https://example.org/a"),
        ("https://example.org/a?b=(c)&d=[e]", "https://example.org/a?b=(c)&d=[e]"),
        ("https://example.org/straße/é", "https://example.org/straße/é"),
    ],
)
def test_notes_url_ends_before_punctuation(text: str, address: str) -> None:
    page = html.fromstring(f"<div>{notes_html(text)}</div>")

    assert page.xpath("//a/@href") == [address]
    assert page.xpath("string()") == text


@pytest.mark.parametrize("text", ["https://", "https://)", "(http://...)", "http://™ or https://."])
def test_notes_scheme_alone_is_not_linked(text: str) -> None:
    page = html.fromstring(f"<div>{notes_html(text)}</div>")

    assert page.xpath("//a") == []
    assert page.xpath("string()") == text


@pytest.mark.parametrize(
    ("notes", "shown"),
    [
        ("Billions of dollars.</p>", "Billions of dollars."),
        ("One.</P >\n\n</p>", "One."),
        ("<p>One.</p>", "<p>One.</p>"),
        ("<p>One.\n\nTwo.</p></p></div>", "<p>One.Two.</p>"),
        ('<a href="https://example.org">a</a></a>', "a"),
        ("a </ b and </3 and </>", "a </ b and </3 and </>"),
    ],
)
def test_notes_unmatched_closing_tag_is_removed(notes: str, shown: str) -> None:
    assert html.fromstring(f"<div>{notes_html(notes)}</div>").xpath("string()") == shown
    if "\n" not in notes and "href" not in notes:
        assert html.fromstring(f"<table><tr>{notes_cell(notes)}</table>").xpath("string(//td)") == shown


def test_notes_keep_lines_and_paragraphs() -> None:
    assert notes_html("one\r\ntwo\r\n\r\nthree\n") == "<p>one<br>two</p><p>three</p>"


@given(st.text(st.characters(exclude_categories=("Cs", "Cc"))))
def test_notes_without_link_are_unchanged(text: str) -> None:
    if "://" not in text and "</" not in text:
        assert html.fromstring(f"<div>{notes_html(text)}</div>").xpath("string()") == text


LINKED = 'Background: <a href="https://example.org/a">the national accounts of the agency that publishes them</a>. '


def cell_of(notes: str) -> html.HtmlElement:
    (cell,) = html.fromstring(f"<div><table><tr>{notes_cell(notes)}</table></div>").iter("td")
    return cell


@pytest.mark.parametrize(
    "notes", [LINKED, LINKED + "More words. " * 20, "Plain words first. " * 5 + LINKED + "End. " * 30]
)
def test_notes_in_table_row_are_linked_as_on_page(notes: str) -> None:
    cell = cell_of(notes)

    # A user who hides the column hides the cells of this class.
    assert cell.classes == {"notes"}
    assert cell.xpath(".//a[not(ancestor::summary)]/@href") == ["https://example.org/a"]
    assert "<" not in cell.text_content()


@pytest.mark.parametrize("before", ["", "Account code of the national accounts, in full and with all of its parts. "])
def test_notes_in_table_row_are_cut_at_a_word_outside_links(before: str) -> None:
    notes = before + LINKED + "More words. " * 20
    cell = cell_of(notes)
    beginning = cell.xpath("string(.//summary)").removesuffix(" …")

    assert notes_text(notes).startswith(beginning)
    assert " " in notes_text(notes)[len(beginning) - 1 : len(beginning) + 1]
    assert len(beginning) <= 140


def test_notes_as_text_have_no_markup() -> None:
    assert notes_text('See <a href="https://example.org">the source</a>.</p>') == "See the source."
    assert notes_text(None) == ""
