"""The lists of saved views: search, filters, order, pages."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client

from econweb.library.models import SavedView
from tests.dashboard.reading import canonical, document, links, words
from tests.library.builders import NOW, a_saved_view

pytestmark = pytest.mark.django_db
TITLES = "//tbody//th/a"
SEARCHES = {
    "": ["Trade 100%", "Labour", "Prices", "Trade"],
    "q=TRADE": ["Trade 100%", "Trade"],
    "q=services+trade": ["Trade"],
    "q=%25": ["Trade 100%"],
    "kind=list": ["Labour"],
    "q=nothing": [],
    "offset=50": [],
}


@pytest.fixture
def four_views() -> None:
    rows: list[dict[str, object]] = [
        {"title": "Trade", "note": "Goods & services"},
        {"title": "Prices", "person": "bob", "kind": "series"},
        {"title": "Trade 100%", "person": "bob", "kind": "compare", "is_pinned": True},
        {"title": "Labour", "kind": "list"},
    ]
    for number, row in enumerate(rows):
        a_saved_view(**row, slug=f"s{number}", changed=NOW + timedelta(days=number)).save()


@pytest.mark.parametrize(
    ("path", "query", "found"),
    [
        *((path, query, found) for path in ("/saved/", "/me/saved/") for query, found in SEARCHES.items()),
        ("/me/saved/", "q=bob", ["Trade 100%", "Prices"]),
        ("/saved/", "q=bob", []),
        ("/me/saved/", "person=bob&kind=series", ["Prices"]),
    ],
)
@pytest.mark.usefixtures("four_views")
def test_list_is_searched_and_filtered_with_pinned_first(
    client: Client, path: str, query: str, found: list[str]
) -> None:
    page = client.get(f"{path}?{query}")

    assert page.status_code == 200
    assert words(page, TITLES) == found
    assert canonical(page) == (f"{path}?{query}" if query else path)


@pytest.mark.parametrize("word", ["österreich", "ÖSTERREICH", "(ÖsterReich)", "é+[x]"])
def test_list_finds_words_in_any_case(client: Client, word: str) -> None:
    a_saved_view(title="Trade (Österreich)", note="\\d É+[x]").save()

    assert words(client.get("/saved/", {"q": word}), TITLES) == ["Trade (Österreich)"]
    assert words(client.get("/saved/", {"q": f"{word} \\d"}), TITLES) == ["Trade (Österreich)"]
    assert words(client.get("/saved/", {"q": "."}), TITLES) == []


@pytest.mark.usefixtures("four_views")
def test_counts_of_kinds_follow_words_and_person(client: Client) -> None:
    page = client.get("/me/saved/?q=trade")

    assert words(page, "//nav[@aria-label='Kinds']/*") == [
        "All 2",
        "Tags 1",
        "Series 0",
        "Series lists 0",
        "Comparisons 1",
    ]
    assert links(page)["bob"] == "/me/saved/?q=trade&person=bob"
    assert links(client.get("/me/saved/?person=bob"))["Show those of all people"] == "/me/saved/"


@pytest.mark.parametrize(
    "query", ["q=" + "a+" * 2000, "q=%00", "kind=other", "person=%00", "offset=-1", "kind=list&kind=tags"]
)
@pytest.mark.parametrize("path", ["/saved/", "/me/saved/"])
def test_list_refuses_what_no_list_has(client: Client, path: str, query: str) -> None:
    # The public list does not read the name of a person.
    assert client.get(f"{path}?{query}").status_code == (200 if path == "/saved/" and "person" in query else 400)


def test_list_has_pages(client: Client) -> None:
    SavedView.objects.bulk_create(a_saved_view(slug=f"s{n}", title=f"T{n}") for n in range(120))
    pages = [client.get(f"/saved/?offset={offset}") for offset in (0, 50, 100)]

    assert [len(words(page, TITLES)) for page in pages] == [50, 50, 20]
    assert len({title for page in pages for title in words(page, TITLES)}) == 120
    assert links(pages[1])["Next"] == "/saved/?offset=100"
    assert words(pages[1], "//caption") == ["51–100 of 120 saved views"]


def test_plain_form_leads_to_the_canonical_link(client: Client) -> None:
    a_saved_view().save()

    assert client.get("/saved/?form=plain&q=trade&kind=")["Location"] == "/saved/?q=trade"


def test_typing_gets_the_rows_alone(client: Client) -> None:
    a_saved_view().save()
    part = client.get("/saved/?q=trade", headers={"HX-Request": "true", "HX-Target": "results"})

    assert "<h1" not in part.text
    assert part["HX-Replace-Url"] == "/saved/?q=trade"


@pytest.mark.parametrize(
    ("path", "first"), [("/saved/", "No view is saved for everyone"), ("/me/saved/", "No saved view yet")]
)
def test_empty_list_says_how_to_save(client: Client, path: str, first: str) -> None:
    page = client.get(path)

    assert words(page, "//h2") == [first]
    assert "Save this view" in " ".join(words(page, "//*[@class='empty-state']"))
    assert not document(page).xpath("//form[@id='view']")


def test_list_for_everyone_leads_from_its_empty_page_to_own_views(client: Client) -> None:
    a_saved_view(audience="me").save()
    links_below = words(client.get("/saved/"), "//*[@class='empty-state']//a[@href='/me/saved/']")

    assert links_below == ["those that you may see"]


@pytest.mark.parametrize(("path", "name"), [("/saved/", "Saved views"), ("/frozen/", "Frozen copies")])
def test_lists_for_everyone_and_own_ones_have_different_names(client: Client, path: str, name: str) -> None:
    public, own = client.get(path), client.get(f"/me{path}")

    assert words(public, "//h1") == [name]
    assert words(own, "//h1") == [f"{name} that you may see"]
    assert words(own, "//title")[0].startswith(f"{name} that you may see ·")


def test_saved_views_and_every_page_lead_to_frozen_copies(client: Client) -> None:
    assert words(client.get("/saved/"), "//header//a[@href='/frozen/']") == ["Frozen copies"]
    assert words(client.get("/help/"), "//footer//a[@href='/frozen/']") == ["Frozen copies"]


def test_public_list_changes_with_its_views_alone(client: Client) -> None:
    a_saved_view(slug="one").save()
    etag = client.get("/saved/")["ETag"]
    a_saved_view(slug="two", audience="me").save()
    SavedView.objects.update(opened=NOW.date())
    same = client.get("/saved/", headers={"If-None-Match": etag})
    a_saved_view(slug="three").save()
    other = client.get("/saved/", headers={"If-None-Match": etag})

    assert (same.status_code, other.status_code) == (304, 200)


EARLIER = NOW - timedelta(seconds=5)


@pytest.mark.parametrize(
    ("changes", "titles"),
    [
        # The transaction of the change began first and ended last.
        ({"two": {"title": "New", "changed": EARLIER}}, ["One", "New"]),
        # The clock of the host is behind.
        ({"two": {"audience": "me"}, "three": {"audience": "everyone", "changed": EARLIER}}, ["One", "Three"]),
        ({"two": {"removed": NOW}, "three": {"audience": "everyone"}}, ["One", "Three"]),
    ],
)
def test_public_list_is_new_whatever_moment_a_change_has(
    client: Client, changes: dict[str, dict[str, object]], titles: list[str]
) -> None:
    a_saved_view(slug="one", title="One").save()
    a_saved_view(slug="two", title="Two", changed=EARLIER - timedelta(days=1)).save()
    a_saved_view(slug="three", title="Three", audience="me", changed=EARLIER - timedelta(days=1)).save()
    first = client.get("/saved/")
    check: Callable[[], bool] = first.is_still_valid  # type: ignore[attr-defined]
    assert check()
    for slug, fields in changes.items():
        SavedView.objects.filter(slug=slug).update(**fields)
    again = client.get("/saved/", headers={"If-None-Match": first["ETag"]})

    assert (check(), again.status_code, words(again, TITLES)) == (False, 200, titles)
