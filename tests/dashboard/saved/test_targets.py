"""The links that can be saved: views of this site, in their canonical form."""

import pytest
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from econweb.dashboard.saved.targets import BadTarget, read_target
from econweb.library.models import SavedView
from tests.dashboard.reading import alert, document

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("category_125")]
TARGET = "/category/125/tags/"
KEY = "abcdefghijklmnopqrstuvwxyz012345"
FORM = {"title": "Trade balance", "note": "For table 2", "audience": "everyone"}


@pytest.mark.parametrize(
    ("target", "kind", "link", "title"),
    [
        ("/category/125/tags/?limit=50&order_by=series_count", "tags", TARGET, "Category 125"),
        ("http://testserver/category/125/tags/#rows", "tags", TARGET, "Category 125"),
        ("/release/53/tags/?search_text=x", "tags", "/release/53/tags/?search_text=x", "Release 53 · “x”"),
        ("/series/gnpca/", "series", "/series/GNPCA/", "GNPCA"),
        ("/series/?ids=gnpca,+unrate&x=1", "list", "/series/?ids=GNPCA,UNRATE", "GNPCA, UNRATE"),
        ("/compare/?a=category:125&b=release:53&api_key=1", "compare", "/compare/?a=category:125&b=release:53",
         "Category 125 compared with Release 53"),
    ],
)  # fmt: skip
def test_link_is_stored_in_its_canonical_form(client: Client, target: str, kind: str, link: str, title: str) -> None:
    form = document(client.get("/me/save/", {"target": target}, follow=True))
    client.post("/me/save/", FORM | {"target": target})
    view = SavedView.objects.get()

    assert form.xpath("string(//input[@name='title']/@value)") == title
    assert (view.kind, view.target) == (kind, link)


@pytest.mark.parametrize(
    ("target", "words_of_it"),
    [
        ("", "leads to no view"),
        ("/", "leads to no view"),
        ("/help/", "leads to no view"),
        ("/nowhere/", "leads to no view"),
        ("category/125/tags/", "leads to no view"),
        ("/me/save/?target=/", "leads to no view"),
        ("/saved/x/", "leads to no view"),
        ("/category/125/tags.csv", "leads to no view"),
        ("http://[", "leads to no view"),
        (TARGET + "?" + "&".join(f"x{n}=1" for n in range(3000)), "characters"),
        (TARGET + "?" + "&".join(f"x{n}" for n in range(1500)), "leads to no view"),
        ("http://evil.example/category/125/tags/", "views of this site"),
        ("//evil.example/category/125/tags/", "views of this site"),
        ("javascript:alert(1)", "views of this site"),
        ("ftp://testserver/category/125/tags/", "views of this site"),
        ("/category/125/tags/?limit=5000", "Rows per page"),
        ("/series/", "empty series list"),
        ("/series/GN%20PCA/", "leads to no view"),
        ("/compare/?a=category:125", "at least two"),
        ("/series/?ids=" + ",".join(f"{'A' * 22}{n:03}" for n in range(100)), "2,000 characters"),
        (f"/category/125/tags/?search_text=api_key%3D{KEY}", "API key"),
    ],
)
def test_link_that_is_no_view_is_refused_with_a_sentence(client: Client, target: str, words_of_it: str) -> None:
    answer = client.post("/me/save/", FORM | {"target": target})

    assert answer.status_code == 400
    assert words_of_it in alert(answer) or "25 letters" in alert(answer)
    assert not SavedView.objects.exists()


class Links(TestCase):
    """Any text is a view of this site, or is refused."""

    @given(st.text() | st.builds("/category/125/tags/?{}".format, st.text()) | st.builds("/{}".format, st.text()))
    def test_any_text_is_read_or_refused(self, text: str) -> None:
        try:
            link = read_target(text, "testserver").link
        except BadTarget as error:
            assert str(error)  # noqa: PT017  either is right
        else:
            assert read_target(link, "testserver").link == link
