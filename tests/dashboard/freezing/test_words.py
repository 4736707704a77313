"""The forms of frozen copies say what can be frozen, who may see it, and what cannot be changed."""

import re

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from econweb.library.models import EVERYONE, ME, FrozenCopy
from econweb.upstream.errors import Unavailable
from tests.builders import a_series
from tests.dashboard.frozen.copies import freeze, view
from tests.dashboard.reading import document, words
from tests.fake_service import FakeService

__all__ = ["view"]
pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("target", ["/tag/usa/", "/compare/?a=category:125&b=release:53", "/help/"])
def test_view_that_cannot_be_frozen_says_what_can(client: Client, target: str) -> None:
    answer = client.get("/me/freeze/", {"target": target})

    assert answer.status_code == 400
    expected = "Freeze what it compares." if "compare" in target else "a series list can be saved or frozen"
    assert expected in answer.text
    assert "This cannot be frozen" in answer.text


@pytest.mark.parametrize("page", ["/me/freeze/", "/me/save/"])
def test_wrong_choice_is_answered_in_the_words_of_the_menu(client: Client, view: str, page: str) -> None:
    given = {"title": "A title", "audience": "all", "days": "7"}
    answer = client.post(page, given | {"target": view}, query_params={"target": view})

    assert answer.status_code == 400
    assert "Choose: Only me and the administrators, People who are signed in, Everyone." in answer.text
    assert ("Choose: For ever, 30 days, 1 year." in answer.text) == ("freeze" in page)
    assert "signed-in." not in answer.text
    assert words(answer, "//*[@id=//select[@name='audience']/@aria-describedby]")[0].startswith("Who may see it: ")


def test_nothing_about_an_expired_copy_can_be_changed(client: Client, view: str) -> None:
    path = freeze(client, view, days="30").partition("?")[0]
    FrozenCopy.objects.update(expires=timezone.now())

    for form in ("edit", "withdraw"):
        answer = client.get(f"/me{path}{form}/")
        assert answer.status_code == 410
        assert "Nobody can change its title, reason or audience any more." in answer.text
    assert "Nobody can change" not in client.get(path).text


def test_date_of_a_withdrawal_stays_on_one_line(client: Client, view: str) -> None:
    path = freeze(client, view).partition("?")[0]
    client.post(f"/me{path}withdraw/", {"reason": "The wrong category."})

    assert words(client.get(path), "//*[@role='alert']//time") == [str(timezone.localdate())]


def test_form_says_what_hiding_a_public_copy_does(client: Client, view: str) -> None:
    public, own = (freeze(client, view, audience=one).partition("?")[0] for one in (EVERYONE, ME))

    warning = "the others read at its address that there is no such copy"
    assert warning in client.get(f"/me{public}edit/").text
    assert warning not in client.get(f"/me{own.removeprefix('/me')}edit/").text


@pytest.mark.parametrize("read", ["anyone", "signed-in"])
def test_button_of_each_form_with_an_audience_says_who_everyone_is(
    client: Client, view: str, settings: Settings, read: str
) -> None:
    path = freeze(client, view).partition("?")[0]
    settings.READ = read
    forms = [client.get(f"/me/{form}/", {"target": view}) for form in ("freeze", "save")]
    forms += [client.get(f"/me{path}{form}/") for form in ("edit", "withdraw")]

    beside = [words(form, "//p[@class='actions'][button]/span") for form in forms]
    assert beside == [["With “Everyone”, all who may read this site can see it."]] * 3 + [[]]


def test_menu_of_a_view_leads_to_both_forms(client: Client, view: str) -> None:
    page, compared = client.get(view).text, client.get("/compare/?a=category:125&b=category:125@2020-01-01").text

    assert re.search(rf'name="target"\s+value="{view}"\s+form="view-form"', page)
    assert re.search(r'formaction="/me/freeze/">Freeze to cite<', page)
    assert "Save this view" in page
    assert "Save this view" in compared
    assert "Freeze to cite" not in compared


def test_export_of_a_live_view_leads_to_the_appendix_pack(client: Client, view: str, settings: Settings) -> None:
    button = "//div[ul]/button[@formaction='/me/freeze/'][contains(., 'appendix pack')]"

    assert words(client.get(view), button) == ["Freeze for an appendix pack (.zip)"]
    assert not words(client.get("/compare/?a=category:125&b=category:125@2020-01-01"), button)
    assert not words(client.get(freeze(client, view)), button)
    settings.ECON_MAY_STORE = False
    assert not words(client.get(f"{view}?order_by=name"), button)


def test_proposed_title_of_a_list_has_no_id_that_was_not_found(client: Client, stand_in: FakeService) -> None:
    for series_id in ("GDP", "UNRATE"):
        stand_in.seriess[series_id] = [a_series(id=series_id) | {"popularity": 39}]
    # The order of the list is not that of its ids.
    link = "/series/?ids=UNRATE,NOTREAL,GDP&order_by=id&sort_order=asc"
    client.get(link)
    form = client.get("/me/freeze/", {"target": link})

    assert document(form).xpath("//input[@name='title']/@value") == ["UNRATE, GDP"]


def test_list_with_a_series_that_failed_for_now_is_not_frozen(client: Client, stand_in: FakeService) -> None:
    stand_in.seriess = {one: [a_series(id=one) | {"popularity": 39}] for one in ("GNPCA", "UNRATE")}
    client.get("/series/?ids=GNPCA")
    stand_in.error = Unavailable("The service failed (status 502).")
    link, entered = "/series/?ids=GNPCA,UNRATE", {"title": "Typed", "audience": EVERYONE, "days": "0"}
    opened = client.get("/me/freeze/", {"target": link})
    sent = client.post("/me/freeze/", entered, query_params={"target": link})

    assert (opened.status_code, sent.status_code, FrozenCopy.objects.count()) == (400, 400, 0)
    for page in (opened, sent):
        assert "Some ids could not be loaded: UNRATE. Try again in a minute, or remove them from the list." in page.text
    assert "Typed" in sent.text
    assert freeze(client, "/series/?ids=GNPCA")


@pytest.mark.parametrize("blank", ["", "\u200b", "\u00ad \u2060", "\u3164", "\u2800"])
def test_title_and_reason_of_which_nothing_is_seen_are_refused_as_empty_ones(
    client: Client, view: str, blank: str
) -> None:
    form = {"title": blank, "audience": ME, "target": view}
    pages = [client.post(f"/me/{page}/", form, query_params={"target": view}) for page in ("save", "freeze")]
    withdrawal = client.post(f"/me{freeze(client, view).partition('?')[0]}withdraw/", {"reason": blank})

    assert ["Title: enter a few words" in page.text for page in pages] == [True, True]
    assert "Reason: enter one." in withdrawal.text
