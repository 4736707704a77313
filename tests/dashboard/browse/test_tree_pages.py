"""The pages of the directory: the tree of categories, releases, old links, what is known, and sizes."""

from datetime import UTC, datetime, timedelta

import pytest
from django.conf import LazySettings
from django.test import Client
from django.utils import timezone

from econweb.dashboard.browse.directory import MAX_BRANCHES, MAX_ON_FIRST_PAGE
from econweb.label_book.models import Label
from econweb.label_book.storing import save_labels
from econweb.upstream import service
from econweb.upstream.records import TagCounts
from tests.dashboard.reading import canonical, document, links, words
from tests.fake_service import FakeService, a_tag
from tests.processor_time import processor_seconds
from tests.search_index.recorded import record_tags, tags

pytestmark = pytest.mark.django_db
TREE = {0: None, 10: 0, 13: 0, 16: 13, 125: 13, 7: 125}
ROWS = "//main//li/a/bdi"


def save_tree(parents: dict[int, int | None] = TREE) -> None:
    names = {0: "All", 10: "Work", 13: "Trade", 16: "Exports", 125: "Balance", 7: "Goods"}
    save_labels(
        Label(kind="category", number=number, name=names.get(number, f"Name {number:04}"), parent=parent)
        for number, parent in parents.items()
    )


def save_many(categories: int, releases: int) -> None:
    """A tree in which each category has eight others, with names as long as real ones."""
    name = "Manufacturing and trade sales of region {:05}"
    save_labels(
        Label(kind="category", number=n, name=name.format(n), parent=n // 8 or None) for n in range(1, categories + 1)
    )
    save_labels(Label(kind="release", number=n, name=name.format(n)) for n in range(1, releases + 1))


def test_directory_begins_with_the_top_of_the_tree_and_popular_names(client: Client) -> None:
    save_tree()
    save_labels([Label(kind="release", number=53, name="Output", note="Well known")])
    page = client.get("/browse/")

    assert words(page, "//section[@aria-labelledby='category-names']//li/a/bdi") == ["Trade", "Work"]
    assert words(page, "//section[@aria-labelledby='popular-names']//li/a/bdi")[0] == "Output"
    assert words(page, "//*[@id='rows']") == ["6 categories and 1 release"]
    assert links(page)["All 6"] == "/browse/categories/"
    assert links(page)["All 1"] == "/browse/releases/"


def test_tree_opens_in_place_and_by_plain_links(client: Client) -> None:
    save_tree()
    (branch,) = document(client.get("/browse/categories/")).xpath("//details")
    inside = client.get(branch.get("hx-get"))
    page = client.get(branch.xpath("string(.//a/@href)"))

    assert words(inside, "//li/a/bdi") == words(page, ROWS) == ["Balance", "Exports"]
    assert not document(inside).xpath("//header")
    assert words(page, "//h1") == ["Trade"]
    assert words(page, "//nav[@aria-label='Breadcrumb']") == ["Browse › Categories › Category 13"]
    assert canonical(page) == "/browse/categories/?at=13"
    assert words(page, "//*[@id='rows']") == ["2 categories, 3 with those in them"]
    assert links(page)["Tags of this category"] == "/category/13/tags/"


def test_lone_root_is_linked_and_open(client: Client) -> None:
    save_tree()
    page = client.get("/browse/categories/")

    assert words(page, ROWS) == ["Trade", "Work"]
    assert links(page)["All (0)"] == "/category/0/tags/"
    assert words(client.get("/browse/categories/?at=0"), ROWS) == ["Trade", "Work"]
    record_tags("category", 0, [], None, timezone.now())
    without = client.get("/browse/categories/")
    assert "All (0)" not in links(without)
    assert "Every category that has a name here. Each leads" in words(without, "//header[@class='sheet-head']")[0]
    assert without["ETag"] != page["ETag"]


def test_every_category_is_reached_by_links_alone(client: Client) -> None:
    save_tree()
    found, to_do = set[str](), ["/browse/categories/"]
    for link in to_do:
        there = links(client.get(link)).values()
        found.update(each for each in there if each.startswith("/category/"))
        to_do.extend(each for each in there if each.startswith("/browse/categories/?at=") and each not in to_do)

    assert found == {f"/category/{number}/tags/" for number in TREE}


def test_filter_finds_categories_at_any_depth_and_names_their_parent(client: Client) -> None:
    save_tree()
    page = client.get("/browse/categories/?q=goods&at=13")

    assert words(page, ROWS) == ["Goods"]
    assert words(page, "//main//li/small") == ["· in Balance"]


def test_category_without_categories_says_so(client: Client) -> None:
    save_tree()

    assert words(client.get("/browse/categories/?at=7"), "//main//h2") == ["No categories in this one"]


def test_category_without_a_name_says_so(client: Client) -> None:
    """It looked like a known category without others in it."""
    save_tree()
    page = client.get("/browse/categories/?at=99")

    assert words(page, "//main//h2") == ["No name is known for this category"]
    assert links(page)["Open category 99"] == "/category/99/tags/"


@pytest.mark.parametrize(
    ("link", "missing"),
    [("", "category or release"), ("categories/", "category"), ("releases/", "release")],
)
def test_directory_without_names_offers_those_of_the_sample(client: Client, link: str, missing: str) -> None:
    page = client.get(f"/browse/{link}")

    assert words(page, "//main//h2") == [f"No {missing} has a name yet"]
    assert words(page, "//main//code") == ["manage.py labels import --sample"]


def test_row_of_a_category_without_tags_says_nothing_of_tags(client: Client, stand_in: FakeService) -> None:
    save_labels([Label(kind="category", number=125, name="Trade")])
    stand_in.has("category", 125, [])
    client.get("/category/125/tags/")

    assert words(client.get("/browse/categories/"), "//li//small[@class='known']") == []


def test_row_says_what_is_known_without_a_request(client: Client, stand_in: FakeService) -> None:
    stand_in.has("release", 53, [a_tag("usa", series_count=47), a_tag("annual", group_id="freq", series_count=47)])
    save_labels(Label(kind="release", number=number, name=f"Name {number}") for number in (53, 54))
    before = client.get("/browse/releases/")
    asked = len(stand_in.asked)
    client.get("/release/53/tags/")
    after = client.get("/browse/releases/")

    assert (asked, words(before, "//li//small[@class='known']")) == (0, [])
    (known,) = words(after, "//li//small[@class='known']")
    assert known == "2 tags, read less than a minute ago"
    assert before["ETag"] != after["ETag"]


def test_directory_leads_to_no_index_that_may_not_be_stored(client: Client, settings: LazySettings) -> None:
    assert "Overview in one table" in links(client.get("/browse/"))

    settings.ECON_MAY_STORE = False
    page = client.get("/browse/")
    assert not {"Overview in one table", "All tags"} & links(page).keys()
    assert "This site may not store what the provider sends" in page.text


def test_row_says_what_the_index_knows(client: Client) -> None:
    """The memory of the process has the tags of no category after a start."""
    save_labels([Label(kind="category", number=125, name="Trade")])
    read = timezone.now() - timedelta(minutes=90)
    record_tags("category", 125, tags(gdp=8), 20, read)

    page = client.get("/browse/categories/")
    assert words(page, "//li//small[@class='known']") == ["1 tag, 20 series, read 90 minutes ago"]


@pytest.mark.slow
@pytest.mark.parametrize(("categories", "releases"), [(1, 0), (102, 54), (5200, 320)])
def test_pages_of_the_directory_have_at_most_60_kilobytes(
    client: Client, monkeypatch: pytest.MonkeyPatch, categories: int, releases: int
) -> None:
    known = TagCounts(1234, 5678, datetime.now(UTC))
    monkeypatch.setattr(service, "known_tag_counts", lambda kind, numbers: dict.fromkeys(numbers, known))
    save_many(categories, releases)
    pages = ["", "categories/", "releases/", "?q=manufacturing", "categories/?q=region", "categories/?at=1"]

    assert max(len(client.get(f"/browse/{page}").content) for page in pages) <= 60_000


def test_flat_directory_has_pages_and_letters(client: Client) -> None:
    save_labels(Label(kind="category", number=n, name=f"{'AZ'[n > 150]} {n:04}") for n in range(1, 302))
    page = client.get("/browse/categories/")

    assert len(words(page, ROWS)) == MAX_BRANCHES
    assert links(page)["Z"] == "/browse/categories/?offset=150"
    assert links(page)["Next"] == f"/browse/categories/?offset={MAX_BRANCHES}"
    overview = client.get("/browse/")
    assert len(words(overview, "//section[@aria-labelledby='category-names']//li/a/bdi")) == MAX_ON_FIRST_PAGE
    assert "Next" not in links(overview)


def test_long_branch_in_place_links_to_all_of_it(client: Client) -> None:
    save_tree({1: None} | dict.fromkeys(range(100, 300), 1))

    assert links(client.get("/browse/categories/1/children"))["All 200"] == "/browse/categories/?at=1"


@pytest.mark.slow
@pytest.mark.parametrize("page", ["", "categories/"])
def test_filter_of_5200_categories_takes_bounded_time(client: Client, page: str) -> None:
    """The bound is a page of the same size without a filter: looking through all names must cost little beside it."""
    save_many(5200, 320)
    client.get("/browse/releases/")
    plain = processor_seconds(lambda: client.get("/browse/releases/"))

    assert processor_seconds(lambda: client.get(f"/browse/{page}?q=region 0519")) < 5 * plain


def test_tag_page_of_a_category_links_parents_and_children(client: Client, stand_in: FakeService) -> None:
    save_tree()
    for number in TREE:
        stand_in.has("category", number, [])
    page = client.get("/category/125/tags/")
    before = client.get("/category/16/tags/")
    save_labels([Label(kind="category", number=13, name="Foreign trade", parent=0)])

    assert words(page, "//nav[@aria-label='Breadcrumb']") == [
        "Browse › Categories › Trade › Category 125 · Similar · Rename"
    ]
    assert links(page)["Trade"] == "/category/13/tags/"
    assert links(page)["Goods"] == "/category/7/tags/"
    assert links(page)["Categories"] == "/browse/categories/"
    assert client.get("/category/16/tags/")["ETag"] != before["ETag"]


def test_tag_page_names_a_dozen_children_and_links_to_the_rest(client: Client, stand_in: FakeService) -> None:
    save_tree({1: None} | dict.fromkeys(range(100, 120), 1))
    stand_in.has("category", 1, [a_tag("usa")])
    page = links(client.get("/category/1/tags/"))

    assert page["8 more"] == "/browse/categories/?at=1"
    assert len([link for link in page.values() if link.startswith("/category/1")]) >= 12
