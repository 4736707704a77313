"""Users may refresh a page: at most one request a minute, then a redirect to the canonical link."""

import pytest
from django.test import Client

from econweb.upstream import clock
from econweb.upstream.errors import NotFound, Unavailable
from tests.builders import a_series
from tests.dashboard.reading import alert, canonical, document, links, words
from tests.fake_service import FakeService, a_tag

pytestmark = pytest.mark.django_db
# The link of each page, and its link for a refresh.
PAGES = {
    "/series/GNPCA/": "/series/GNPCA/?renew=1",
    "/series/GNPCA/?realtime_end=2014-01-01": "/series/GNPCA/?realtime_end=2014-01-01&renew=1",
    "/category/125/tags/": "/category/125/tags/?renew=1",
    "/release/53/tags/?tag_group_id=geo&limit=25": "/release/53/tags/?tag_group_id=geo&limit=25&renew=1",
}
BOTH = pytest.mark.parametrize(("link", "renewing"), PAGES.items())


class Clock:
    moment = 1_800_000_000.0


@pytest.fixture(autouse=True)
def day(monkeypatch: pytest.MonkeyPatch) -> Clock:
    day = Clock()
    monkeypatch.setattr(clock, "now", lambda: day.moment)
    return day


@pytest.fixture(autouse=True)
def a_service(stand_in: FakeService) -> None:
    stand_in.seriess["GNPCA"] = [{**a_series(), "popularity": 39}]
    stand_in.has("category", 125, [a_tag()])
    stand_in.has("release", 53, [a_tag()])


def asked(service: FakeService) -> list[tuple[str, dict[str, str]]]:
    """Return the requests for the page's own answer; all versions of a series are another one."""
    return [request for request in service.asked if request[1].get("realtime_start") != "1776-07-04"]


@BOTH
def test_refresh_link_is_not_canonical(client: Client, link: str, renewing: str) -> None:
    page = client.get(link)

    assert links(page)["Refresh"] == renewing
    assert document(page).xpath("//a[@id='renew']/@rel") == ["nofollow"]
    assert canonical(page) == link


@BOTH
def test_refresh_sends_one_request_and_shows_newer_data(
    client: Client, stand_in: FakeService, day: Clock, link: str, renewing: str
) -> None:
    before = client.get(link)
    day.moment += 61
    answers = [client.get(renewing) for _ in range(3)]
    after = client.get(link)

    assert [(answer.status_code, answer["Location"]) for answer in answers] == [(302, link)] * 3
    assert len(asked(stand_in)) == 2
    fetched = [words(page, "//time[contains(@datetime, '+00:00')]") for page in (before, after)]
    assert fetched == [["2027-01-15 08:00 UTC"], ["2027-01-15 08:01 UTC"]]


@BOTH
def test_answer_younger_than_a_minute_is_not_refreshed(
    client: Client, stand_in: FakeService, day: Clock, link: str, renewing: str
) -> None:
    client.get(link)
    day.moment += 59

    assert client.get(renewing)["Location"] == link
    assert len(asked(stand_in)) == 1


@BOTH
def test_refresh_ignores_head_requests(
    client: Client, stand_in: FakeService, day: Clock, link: str, renewing: str
) -> None:
    client.get(link)
    day.moment += 61

    assert client.head(renewing)["Location"] == link
    assert len(asked(stand_in)) == 1


@BOTH
def test_failed_refresh_leaves_the_cached_answer(
    client: Client, stand_in: FakeService, day: Clock, link: str, renewing: str
) -> None:
    client.get(link)
    day.moment += 61
    stand_in.error = Unavailable("It is down.")

    assert client.get(renewing)["Location"] == link
    assert client.get(link).status_code == 200


@BOTH
def test_refresh_of_a_deleted_source_shows_not_found(
    client: Client, stand_in: FakeService, day: Clock, link: str, renewing: str
) -> None:
    client.get(link)
    day.moment += 61
    stand_in.error = NotFound("It does not exist.", is_explicit=True)
    answer = client.get(renewing)

    assert answer.status_code == 404
    assert "It does not exist." in alert(answer)
    assert ("Check the number" in alert(answer)) == ("/tags/" in link)


def test_refresh_of_the_results_keeps_the_url(client: Client) -> None:
    headers = {
        "HX-Request": "true",
        "HX-Target": "results",
        "HX-Current-URL": "http://testserver/category/125/tags/",
    }
    answer = client.get("/category/125/tags/?renew=1", headers=headers, follow=True)

    assert answer.redirect_chain == [("/category/125/tags/", 302)]
    assert answer["HX-Push-Url"] == "false"
    assert answer.text.lstrip().startswith("<title>")


@pytest.mark.parametrize("file", ["/series/GNPCA.csv", "/category/125/tags.json"])
def test_refresh_of_an_export_stays_an_export(client: Client, file: str) -> None:
    assert client.get(f"{file}?renew=1")["Location"] == file
