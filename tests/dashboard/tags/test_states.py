"""Messages of each state of a tag page: empty, no match, past the end, stale, cut, and each failure."""

import re

import pytest
from django.test import Client
from django.utils import timezone

from econweb.label_book.models import Label
from econweb.label_book.storing import save_labels
from econweb.upstream.errors import BadReply, Busy, NotFound, Refused, Unavailable, UpstreamError
from tests.dashboard.reading import alert, document, links, names, words
from tests.fake_service import FakeService, tags_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("category_125")]
RESULTS = {"HX-Request": "true", "HX-Target": "results"}


def test_category_without_tags_explains_why(client: Client, stand_in: FakeService) -> None:
    stand_in.has("category", 9, [])
    page = client.get("/category/9/tags/")

    assert page.status_code == 200
    assert words(page, "//*[@id='rows']") == ["No tags in this category"]


def test_undated_view_names_its_day(client: Client) -> None:
    page = client.get("/category/125/tags/")

    assert f"as of {timezone.localdate()} · fetched" in words(page, "//p[@class='facts']")[-1]
    assert words(page, "//*[@id='period']") == ["today"]


def test_category_without_tags_leads_to_the_categories_in_it(client: Client, stand_in: FakeService) -> None:
    save_labels(
        [Label(kind="category", number=9, name="Prices"), Label(kind="category", number=95, name="CPI", parent=9)]
    )
    stand_in.has("category", 9, [])
    page = client.get("/category/9/tags/")

    assert (
        words(page, "//*[@id='results']//p")[0]
        == "This category has no series of its own. Browse narrower categories: CPI"
    )
    assert links(page)["CPI"] == "/category/95/tags/"
    assert "Words:" not in page.text


def test_empty_tag_page_offers_to_remove_filters(client: Client) -> None:
    page = client.get("/category/125/tags/?tag_group_id=geo&tag_names=annual;nowhere")

    assert words(page, "//*[@id='rows']") == ["No tags match these filters"]
    assert "“nowhere” is not used in this category." in words(page, "//section//p")
    assert words(page, "//ul[@class='removable-filters']/li") == [
        "Remove the group filter (shows 1 tag)",
        "Remove the tag filter (shows 1 tag)",
        "Clear all (shows 4 tags)",
    ]


@pytest.mark.parametrize(
    ("filters", "counts"),
    [
        (
            "tag_group_id=geo&tag_names=annual;monthly",
            [
                "Remove the group filter (shows 2 tags)",
                "Remove the tag filter (shows 1 tag)",
                "Clear all (shows 4 tags)",
            ],
        ),
        ("tag_group_id=seas&tag_names=usa", ["Remove the group filter (shows 1 tag)", "Clear all (shows 4 tags)"]),
        ("tag_group_id=seas&tag_names=nowhere", ["Clear all (shows 4 tags)"]),
        ("tag_group_id=rls", ["Remove the group filter (shows 4 tags)"]),
        ("tag_names=nowhere", ["Remove the tag filter (shows 4 tags)"]),
    ],
)
def test_tags_hidden_by_each_filter_are_counted_without_a_request(
    client: Client, stand_in: FakeService, monkeypatch: pytest.MonkeyPatch, filters: str, counts: list[str]
) -> None:
    # A set that is forgotten while the page is made.
    monkeypatch.setattr("django.conf.settings.ECON_STALE_SECONDS", 0)
    monkeypatch.setattr("django.conf.settings.ECON_FRESH_SECONDS", 0)
    page = client.get(f"/category/125/tags/?{filters}")

    assert words(page, "//ul[@class='removable-filters']/li") == counts
    assert len(stand_in.asked) == 1


def test_tags_hidden_by_a_search_are_counted_while_the_whole_list_is_cached(
    client: Client, stand_in: FakeService
) -> None:
    path, drops = "/category/125/tags/?tag_group_id=freq&search_text=zzz", "//ul[@class='removable-filters']/li"
    before = client.get(path)
    client.get("/category/125/tags/")
    after = client.get(path, headers={"If-None-Match": before["ETag"]})
    elsewhere = client.get("/category/125/tags/?tag_group_id=seas&search_text=zzz")

    assert words(before, drops) == ["Remove “zzz” (count unknown)", "Clear all (count unknown)"]
    assert words(after, drops) == ["Remove “zzz” (shows 2 tags)", "Clear all (shows 4 tags)"]
    assert words(elsewhere, drops) == ["Clear all (shows 4 tags)"]
    assert len(stand_in.asked) == 2


@pytest.mark.parametrize("headers", [{}, RESULTS])
def test_filters_without_a_match_keep_the_rows_per_page_unseen(client: Client, headers: dict[str, str]) -> None:
    page = client.get("/category/125/tags/?limit=25&tag_names=nowhere", headers=headers)

    assert "Rows per page" not in page.text
    assert document(page).xpath("//input[@name='limit']/@value") == ["25"]


def test_source_without_tags_offers_no_filter_to_remove(client: Client, stand_in: FakeService) -> None:
    stand_in.has("category", 9, [])
    page = client.get("/category/9/tags/?tag_group_id=geo")

    assert words(page, "//*[@id='rows']") == ["No tags in this category"]


def test_group_hidden_by_a_search_stays_while_the_whole_list_is_cached(client: Client, stand_in: FakeService) -> None:
    path, chips = "/category/125/tags/?search_text=usa", "//nav[@aria-label='Groups']/*"
    before = client.get(path)
    client.get("/category/125/tags/?order_by=name")
    after = client.get(path, headers={"If-None-Match": before["ETag"]})

    assert "Citation 0" not in words(before, chips)
    assert "Citation 0" in words(after, chips)
    assert len(stand_in.asked) == 2


def test_page_past_the_end_links_to_the_last_page(client: Client) -> None:
    page = client.get("/release/53/tags/?offset=500")

    assert words(page, "//*[@id='rows']") == ["Page 11 does not exist"]
    found = links(page)
    last = [found[words] for words in ("Go to page 4", "Previous", "Last")]
    assert last == ["/release/53/tags/?offset=150"] * 3


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (NotFound("The service's words"), 404),
        (Refused("The service's words"), 502),
        (Busy("The service's words", retry_after=7.2), 503),
        (Unavailable("The service's words"), 503),
        (BadReply("The service's words"), 502),
    ],
)
@pytest.mark.parametrize("headers", [{}, RESULTS], ids=["page", "fragment"])
def test_tag_page_shows_each_error(
    client: Client, stand_in: FakeService, error: UpstreamError, status: int, headers: dict[str, str]
) -> None:
    stand_in.error = error
    answer = client.get("/category/7/tags/?tag_group_id=geo", headers=headers)

    assert answer.status_code == status
    assert "The service's words" in alert(answer)
    assert ('id="results"' in answer.text) == bool(headers)
    again = links(answer).get("Try again")
    assert again == (None if isinstance(error, (NotFound, Refused)) else "/category/7/tags/?tag_group_id=geo")


def test_tag_error_page_names_its_owner(client: Client, stand_in: FakeService) -> None:
    save_labels([Label(kind="category", number=7, name="Trade & Balance")])
    wrong = client.get("/category/7/tags/?limit=0")
    stand_in.error = Unavailable("It is down.")
    path = "/category/7/tags/"
    failed, fragment = client.get(path), client.get(path, headers=RESULTS)

    about = "Trade & Balance · Category 7"
    assert words(wrong, "//title") == [f"{about} · econweb"]
    for page in (failed, fragment):
        assert words(page, "//title") == [f"The data provider is not responding · {about} · econweb"]
    assert words(failed, "//p[@class='kicker']") == [about]
    assert words(fragment, "//p[@class='kicker']") == []


def test_busy_service_page_shows_seconds_to_wait(client: Client, stand_in: FakeService) -> None:
    stand_in.error = Busy("Too many requests.", retry_after=7.2)
    answer = client.get("/category/7/tags/")

    assert answer["Retry-After"] == "8"
    assert document(answer).xpath("//*[@data-wait]/@data-wait") == ["8"]


@pytest.mark.parametrize("cause", ["This site has reached its request limit.", "The data provider is busy."])
def test_busy_page_names_one_cause(client: Client, stand_in: FakeService, cause: str) -> None:
    """B23 of the review: the title blamed the service, and the text this site."""
    stand_in.error = Busy(cause, retry_after=7)
    page = client.get("/category/7/tags/")

    assert words(page, "//h1") == ["Too many requests right now"]
    assert words(page, "//h1/following-sibling::p")[0] == cause


def test_stale_answer_is_shown_with_a_notice(
    client: Client, stand_in: FakeService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("django.conf.settings.ECON_FRESH_SECONDS", 0)
    first = client.get("/category/125/tags/")
    stand_in.error = Unavailable("The service is down.")
    answers = [client.get("/category/125/tags/") for _ in range(20)]

    assert names(answers[-1]) == names(first)
    assert any("Showing cached data" in " ".join(words(answer, "//section/p")) for answer in answers)


def test_truncated_tag_page_has_a_warning(client: Client, stand_in: FakeService) -> None:
    stand_in.has("category", 8, tags_of(20_001))

    notices = words(client.get("/category/8/tags/"), "//p[@class='notice']")

    assert notices == ["There are more tags than the 20,000 that were read."]


def test_period_that_differs_from_the_request_has_a_warning(client: Client, stand_in: FakeService) -> None:
    stand_in.period = {"realtime_start": "2020-01-01", "realtime_end": "2020-06-01"}

    notices = words(
        client.get("/category/125/tags/?realtime_start=2019-05-05&realtime_end=2020-06-01"),
        "//p[@class='notice']",
    )

    assert notices == ["The data provider was asked for realtime_start 2019-05-05 and says that it applied 2020-01-01."]


@pytest.mark.parametrize("period", ["realtime_start=2999-01-01", "realtime_end=1500-01-01"])
def test_refused_date_is_an_error_of_its_field(client: Client, period: str) -> None:
    page = client.get(f"/category/125/tags/?{period}")

    name, _, _ = period.partition("=")
    assert page.status_code == 400
    assert re.search("Choose a (first|last) day between 1776-07-04 and today.", alert(page))
    assert document(page).xpath("//*[@aria-invalid='true']/@name") == [name]


def test_refusal_shows_service_message_and_request_id(client: Client, stand_in: FakeService) -> None:
    stand_in.error = Refused("Bad Request.  Variable limit is not a number.")
    answer = client.get("/category/7/tags/")

    assert "Bad Request" not in alert(answer)
    assert "Variable limit is not a number." in alert(answer)
    assert f"Request {answer['X-Request-ID']}, " in alert(answer)
