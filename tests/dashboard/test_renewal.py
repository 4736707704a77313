"""A reader may ask for a newer answer: once a minute the service is asked, and the short link is shown."""

import pytest
from django.test import Client

from econweb.upstream import clock
from econweb.upstream.errors import NotFound, Unavailable
from tests.builders import a_series
from tests.dashboard.reading import alert, canonical, document, links, words
from tests.stand_in import StandIn, a_tag

pytestmark = pytest.mark.django_db
# What the link of a page is, and what it is when it asks for a renewal.
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
def a_service(stand_in: StandIn) -> None:
    stand_in.seriess["GNPCA"] = [{**a_series(), "popularity": 39}]
    stand_in.has("category", 125, [a_tag()])
    stand_in.has("release", 53, [a_tag()])


@BOTH
def test_a_page_leads_to_its_renewal_and_its_own_link_does_not(
    client: Client, link: str, renewing: str
) -> None:
    page = client.get(link)

    assert links(page)["Fetch again"] == renewing
    assert document(page).xpath("//a[@id='renew']/@rel") == ["nofollow"]
    assert canonical(page) == link


@BOTH
def test_the_service_is_asked_once_and_the_page_is_newer(
    client: Client, stand_in: StandIn, day: Clock, link: str, renewing: str
) -> None:
    before = client.get(link)
    day.moment += 61
    answers = [client.get(renewing) for _ in range(3)]
    after = client.get(link)

    assert [(answer.status_code, answer["Location"]) for answer in answers] == [(302, link)] * 3
    assert len(stand_in.asked) == 2
    fetched = [words(page, "//time[contains(@datetime, '+00:00')]") for page in (before, after)]
    assert fetched == [["2027-01-15 08:00 UTC"], ["2027-01-15 08:01 UTC"]]


@BOTH
def test_what_is_younger_than_a_minute_is_shown_as_it_is(
    client: Client, stand_in: StandIn, day: Clock, link: str, renewing: str
) -> None:
    client.get(link)
    day.moment += 59

    assert client.get(renewing)["Location"] == link
    assert len(stand_in.asked) == 1


@BOTH
def test_a_look_at_the_head_asks_nobody(
    client: Client, stand_in: StandIn, day: Clock, link: str, renewing: str
) -> None:
    client.get(link)
    day.moment += 61

    assert client.head(renewing)["Location"] == link
    assert len(stand_in.asked) == 1


@BOTH
def test_a_service_that_is_down_leaves_what_is_kept(
    client: Client, stand_in: StandIn, day: Clock, link: str, renewing: str
) -> None:
    client.get(link)
    day.moment += 61
    stand_in.error = Unavailable("It is down.")

    assert client.get(renewing)["Location"] == link
    assert client.get(link).status_code == 200


@BOTH
def test_a_source_that_is_gone_is_told_at_once(
    client: Client, stand_in: StandIn, day: Clock, link: str, renewing: str
) -> None:
    client.get(link)
    day.moment += 61
    stand_in.error = NotFound("It does not exist.", told=True)
    answer = client.get(renewing)

    assert answer.status_code == 404
    assert "It does not exist." in alert(answer)


def test_the_results_alone_are_renewed_at_the_address_that_is_there(client: Client) -> None:
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
def test_a_file_stays_a_file(client: Client, file: str) -> None:
    assert client.get(f"{file}?renew=1")["Location"] == file
