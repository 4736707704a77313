"""The overview of categories and releases: its rows, orders, pages and files."""

import pytest
from django.conf import LazySettings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from econweb.label_book.models import Label
from econweb.label_book.storing import save_labels
from econweb.upstream import clock
from tests.dashboard.reading import alert, canonical, document, links, rows_of, words
from tests.search_index.recorded import record_tags, tag, tags

pytestmark = pytest.mark.django_db


@pytest.fixture
def two_owners() -> None:
    save_labels([Label(kind="category", number=125, name="Trade Balance")])
    of_owner = [
        tag("quarterly", group_id="freq", series_count=30),
        tag("annual", group_id="freq", series_count=10),
        tag("sa", group_id="seas", series_count=20),
        tag("nsa", group_id="seas", series_count=20),
        tag("discontinued", group_id="gen", series_count=1),
    ]
    record_tags("category", 125, of_owner, 40, timezone.now())
    record_tags("release", 53, tags(gdp=3, usa=9), None, timezone.now())


@pytest.mark.usefixtures("two_owners")
def test_overview_has_numbers_and_shares_of_each_owner(client: Client) -> None:
    page = client.get("/browse/overview/")
    expected = ["5", "40", "0.0 %", "0.0 %", "0.0 %", "75.0 %", "25.0 %", "50.0 %", "2.5 %"]

    assert words(page, "//thead//th")[1:] == [
        "Tags",
        "Series",
        "Daily",
        "Weekly",
        "Monthly",
        "Quarterly",
        "Annual",
        "Adjusted",
        "Discontinued",
    ]
    assert words(page, "//tbody/tr[1]/*") == ["Trade Balance Category 125", *expected]
    assert words(page, "//tbody/tr[2]/*")[:3] == ["Release 53", "2", "not known"]
    assert links(page)["Release 53"] == "/release/53/tags/"
    assert canonical(page) == "/browse/overview/"


@pytest.mark.usefixtures("two_owners")
def test_overview_sorts_by_each_column_with_unknown_values_last(client: Client) -> None:
    heads = "//tbody//th"
    for name in ("Tags", "Annual", "Discontinued"):
        page = client.get(links(client.get("/browse/overview/"))[name])
        assert words(page, heads)[0] == "Trade Balance Category 125"
        assert words(client.get(links(page)[name]), heads)[0] == "Release 53"
    up = client.get("/browse/overview/?sort_order=asc")
    assert words(up, heads) == ["Trade Balance Category 125", "Release 53"]


@pytest.mark.usefixtures("two_owners")
def test_overview_chooses_a_kind(client: Client) -> None:
    page = client.get(links(client.get("/browse/overview/"))["Releases 1"])

    assert words(page, "//tbody//th") == ["Release 53"]


@pytest.mark.usefixtures("two_owners")
def test_overview_has_files(client: Client) -> None:
    first, second = rows_of(client, "/browse/overview.csv")

    assert (first["id"], first["name"], first["quarterly"], first["discontinued"]) == (
        "125",
        "Trade Balance",
        "0.75",
        "0.025",
    )
    assert (second["kind"], second["series_count"]) == ("release", "")


def test_overview_has_no_shares_of_no_series(client: Client) -> None:
    """They were 0.0 %, as if none of its series were annual."""
    record_tags("category", 7, tags(), 0, timezone.now())
    record_tags("category", 8, tags(gdp=3), 3, timezone.now())
    _, row = rows_of(client, "/browse/overview.csv")

    for order in ("asc", "desc"):
        page = client.get(f"/browse/overview/?order_by=annual&sort_order={order}")
        assert words(page, "//tbody/tr[2]/*") == ["Category 7", "0", "0", *["—"] * 7]
    assert words(page, "//tbody/tr[1]/td")[2:] == ["0.0 %"] * 7
    assert [row[name] for name in ("series_count", "daily", "annual", "discontinued")] == ["0", "", "", ""]


@pytest.mark.usefixtures("two_owners")
def test_overview_leaves_out_the_root_without_tags(client: Client) -> None:
    record_tags("category", 0, tags(), 0, timezone.now())
    page = client.get("/browse/overview/")

    assert words(page, "//caption") == ["2 categories or releases read"]
    assert len(words(page, "//tbody/tr")) == len(rows_of(client, "/browse/overview.csv")) == 2
    assert "Of 2 known categories and releases 2 were read" in page.text

    record_tags("category", 0, tags(gdp=3), 3, timezone.now())
    assert len(words(client.get("/browse/overview/"), "//tbody/tr")) == 3


@pytest.mark.usefixtures("two_owners")
def test_overview_file_is_new_after_a_name_changed(client: Client) -> None:
    before = client.get("/browse/overview.csv")
    known = {"If-None-Match": before["ETag"]}

    assert client.get("/browse/overview.csv", headers=known).status_code == 304
    save_labels([Label(kind="category", number=125, name="Balance of Trade")])
    after = client.get("/browse/overview.csv", headers=known)
    assert after.status_code == 200
    assert "Balance of Trade" in after.getvalue().decode()


@pytest.mark.usefixtures("two_owners")
def test_overview_file_is_sent_without_queries(client: Client) -> None:
    response = client.get("/browse/overview.csv")
    with CaptureQueriesContext(connection) as queries:
        response.getvalue()

    assert not queries.captured_queries


def test_overview_has_pages(client: Client) -> None:
    for number in range(1, 156):
        record_tags("category", number, tags(gdp=number), number, timezone.now())
    page = client.get("/browse/overview/?offset=100")

    assert words(page, "//caption") == ["101–155 of 155 categories or releases read"]
    assert links(page)["Previous"] == "/browse/overview/"
    assert len(rows_of(client, "/browse/overview.csv")) == 155
    assert links(client.get("/browse/overview/?offset=900"))["Show all"] == "/browse/overview/"


def test_overview_of_nothing_says_so(client: Client, settings: LazySettings) -> None:
    page = client.get("/browse/overview/")
    assert words(page, "//main//h2") == ["Not read yet"]
    assert "none has one yet" in page.text
    assert not document(page).xpath("//nav[@aria-label='Kinds']")

    settings.ECON_MAY_STORE = False
    page = client.get("/browse/overview/")
    assert words(page, "//main//h2") == ["Not available on this site"]
    assert "This site may not store what the provider sends" in page.text


@pytest.mark.parametrize("link", ["kind=series", "order_by=name", "sort_order=up", "offset=-1"])
def test_overview_rejects_invalid_parameters(client: Client, link: str) -> None:
    page = client.get(f"/browse/overview/?{link}")

    assert (page.status_code, bool(alert(page))) == (400, True)


def test_overview_is_linked_from_the_directory(client: Client) -> None:
    assert links(client.get("/browse/"))["Overview in one table"] == "/browse/overview/"


@pytest.mark.usefixtures("two_owners")
def test_file_counts_an_owner_without_tags_a_minute_later(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    client.get("/browse/overview.csv")
    record_tags("release", 10, tags(), None, timezone.now())
    later = clock.steady() + 60
    monkeypatch.setattr(clock, "steady", lambda: later)

    assert "Of 3 known categories and releases 3 were read" in client.get("/browse/overview.csv").getvalue().decode()
