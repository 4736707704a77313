"""Follow a view, hear what is followed, and stop."""

from urllib.parse import parse_qs, quote, urlencode, urlsplit

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from econweb.accounts.models import Change
from econweb.library.freezing import freeze
from econweb.watching.models import Watch, WatchedSource
from tests.builders import a_series
from tests.dashboard.reading import Answer, alert, document, links, words
from tests.dashboard.saved.people import ADMIN, EDITOR, OWNER, PEOPLE, READER, STRANGER, client_of, let_people_sign_in
from tests.fake_service import FakeService
from tests.library.builders import ADA, DRAFT, a_content, a_saved_view

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("category_125")]
TAGS = "/category/125/tags/"
FILTERED = "/category/125/tags/?tag_names=usa&tag_group_id=geo&search_text=x"


def followed_by(name: str) -> list[str]:
    return list(Watch.objects.filter(person=name).values_list("target", flat=True))


@pytest.mark.parametrize(
    ("target", "kind", "link", "sources"),
    [
        (TAGS, "tags", TAGS, ["category 125"]),
        ("/release/53/tags/?order_by=name&limit=5&offset=5&columns=name", "tags", "/release/53/tags/", ["release 53"]),
        (f"{FILTERED}&realtime_start=2014-01-01", "tags", FILTERED, ["category 125"]),
        ("/series/gnpca/?as_of=2014-01-01", "series", "/series/GNPCA/", ["series GNPCA"]),
        ("/series/?ids=gnpca,unrate,gnpca&columns=title&order_by=title", "list", "/series/?ids=GNPCA,UNRATE",
         ["series GNPCA", "series UNRATE"]),
    ],
)  # fmt: skip
def test_view_is_followed_as_it_is_now(client: Client, target: str, kind: str, link: str, sources: list[str]) -> None:
    client.post("/me/follow/", {"target": target})
    watch = Watch.objects.get()

    assert (watch.person, watch.kind, watch.target) == ("local editor", kind, link)
    assert sorted(str(one) for one in watch.sources.all()) == sources
    assert {(one.interval, one.due is not None) for one in watch.sources.all()} == {(1.0, True)}


def test_page_leads_to_what_following_means(client: Client) -> None:
    for _ in range(2):
        assert "/help/#follow" in links(client.get("/me/follow/", {"target": TAGS})).values()
        client.post("/me/follow/", {"target": TAGS})
    assert 'id="follow"' in client.get("/help/").text


def test_list_of_two_hundred_series_is_followed_whole(client: Client) -> None:
    client.post("/me/follow/", {"target": "/series/?ids=" + ",".join(f"A{n}" for n in range(200))})

    assert Watch.objects.get().sources.count() == WatchedSource.objects.exclude(due=None).count() == 200


def test_following_twice_is_one_watch(client: Client) -> None:
    for target in (TAGS, f"{TAGS}?sort_order=asc", TAGS):
        assert client.post("/me/follow/", {"target": target}).status_code == 302
    client.post("/me/follow/", {"target": FILTERED})

    assert followed_by("local editor") == [TAGS, FILTERED]
    assert Change.objects.count() == 2


def test_form_says_what_is_followed_and_how_the_news_come(client: Client) -> None:
    before = client.get("/me/follow/", {"target": FILTERED})
    after = client.post("/me/follow/", {"target": FILTERED}, follow=True)

    assert words(before, "//h1") == words(after, "//h1") == ["Category 125"]
    assert "Tag usa" in before.text
    assert "Words: x" in before.text
    assert words(before, "//main//button") == ["Follow"]
    assert words(after, "//main//button") == ["Stop following"]
    assert words(after, "//*[@role='status']")[0].startswith("You follow this, since ")
    assert words(after, "//main//form[@id='stop']//button") == ["Stop following"]
    assert {"/me/news/", "/me/news/#feed", "/me/watches/", FILTERED.replace("&", "&")} <= set(links(after).values())
    assert "mail" not in words(after, "//main")[0]
    assert "New observations are not news" in before.text
    assert "looks at it as soon as it can, again in an hour" in after.text
    WatchedSource.objects.update(state_at=timezone.now())
    assert "again in an hour" not in client.get("/me/follow/", {"target": FILTERED}).text


def test_form_names_a_series_that_was_just_shown(client: Client, stand_in: FakeService) -> None:
    stand_in.seriess["GNPCA"] = [{**a_series(), "popularity": 39}]
    client.get("/series/GNPCA/")

    assert words(client.get("/me/follow/?target=/series/GNPCA/"), "//h1") == ["GNPCA · Real Gross National Product"]


def target_of_follow(page: Answer) -> str:
    """Return the view that the button of the row sends to the form."""
    tree = document(page)
    (button,) = tree.xpath("//button[contains(@class, 'plain') and @formaction='/me/follow/']")
    (target,) = tree.xpath(f"//input[@name='target' and @form='{button.get('form')}']/@value")
    return str(target)


def test_page_for_everyone_leads_to_the_form_and_is_the_same_for_all(settings: Settings) -> None:
    let_people_sign_in(settings)
    client_of(OWNER).post("/me/follow/", {"target": TAGS})
    pages = [client_of(name).get(f"{TAGS}?limit=5&tag_names=usa").content for name in PEOPLE]

    assert len(set(pages)) == 1
    page = client_of(STRANGER).get(f"{TAGS}?limit=5&tag_names=usa")
    assert target_of_follow(page) == "/category/125/tags/?tag_names=usa&limit=5"


def test_page_of_a_saved_view_leads_to_following_the_view_itself(client: Client) -> None:
    a_saved_view(target=FILTERED).save()

    link = "/category/125/tags/?tag_names=usa&tag_group_id=geo&search_text=x"
    assert target_of_follow(client.get("/saved/trade/")) == link


def test_comparisons_and_frozen_copies_cannot_be_followed(client: Client) -> None:
    copy = freeze(ADA, DRAFT, a_content())

    for path in ("/compare/?a=category:125&b=release:53", f"/frozen/{copy.pk}/"):
        page = client.get(path)
        assert "Share" in words(page, "//main//summary")
        assert 'formaction="/me/follow/"' not in page.text


@pytest.mark.parametrize(
    ("target", "words_of_it"),
    [
        ("", "Only a series, a series list, a category or a release can be followed."),
        ("/tag/gdp/", "Only a series, a series list, a category or a release can be followed."),
        ("/series/", "empty series list"),
        ("/compare/?a=category:125&b=release:53", "comparison cannot be followed"),
        ("http://evil.example/category/125/tags/", "Only a series, a series list, a category or a release"),
        ("/category/125/tags/?limit=5000", "Rows per page"),
    ],
)
def test_link_that_cannot_be_followed_is_refused_with_a_sentence(client: Client, target: str, words_of_it: str) -> None:
    for answer in (client.get("/me/follow/", {"target": target}), client.post("/me/follow/", {"target": target})):
        assert answer.status_code == 400
        assert words_of_it in alert(answer)
    assert not Watch.objects.exists()
    assert not WatchedSource.objects.exists()


def test_form_needs_a_token(settings: Settings) -> None:
    settings.SIGN_IN = "local"
    client = Client(enforce_csrf_checks=True)

    assert client.post("/me/follow/", {"target": TAGS}).status_code == 403
    token = document(client.get("/me/follow/", {"target": TAGS})).xpath("string(//main//input[1]/@value)")
    assert client.post("/me/follow/", {"target": TAGS, "csrfmiddlewaretoken": token}).status_code == 302


@pytest.mark.parametrize(("watch", "is_told"), [("serve", False), ("external", False), ("off", True)])
def test_pages_say_where_the_site_looks_for_no_changes(
    client: Client, settings: Settings, watch: str, is_told: bool
) -> None:
    settings.WATCH = watch
    for path in ("/me/watches/", f"/me/follow/?target={TAGS}"):
        assert ("does not look for changes" in client.get(path).text) == is_told
    client.post("/me/follow/", {"target": TAGS})
    assert ("does not look for changes" in client.get(f"/me/follow/?target={TAGS}").text) == is_told


@pytest.mark.parametrize("name", PEOPLE)
def test_watch_is_seen_and_ended_by_its_person_alone(settings: Settings, name: str) -> None:
    let_people_sign_in(settings)
    client_of(OWNER).post("/me/follow/", {"target": FILTERED})
    watch, client = Watch.objects.get(), client_of(name)
    pages = [client.get("/me/watches/"), client.get("/me/follow/", {"target": FILTERED})]

    assert [page.status_code for page in pages] == [302 if name == STRANGER else 200] * 2
    assert ["Stop following" in page.text for page in pages] == [name == OWNER] * 2
    client.post("/me/watches/", {"stop": watch.pk})
    assert Watch.objects.exists() == (name != OWNER)
    assert all("no-store" in page["Cache-Control"] for page in pages if page.status_code == 200)


def test_stranger_signs_in_and_comes_to_the_form(settings: Settings) -> None:
    let_people_sign_in(settings)
    answer = Client().get("/me/follow/?target=/category/125/tags/%3Flimit%3D5")

    assert answer["Location"].startswith("/sign-in/?next=%2Fme%2Ffollow%2F%3Ftarget%3D%2Fcategory%2F125")
    assert Client().post("/me/follow/", {"target": TAGS}).status_code == 403
    assert not Watch.objects.exists()


@pytest.mark.parametrize("page", ["follow", "freeze", "save"])
def test_stranger_with_a_long_link_signs_in_and_comes_to_the_view(settings: Settings, page: str) -> None:
    let_people_sign_in(settings)
    view = f"{TAGS}?{urlencode({'search_text': 'ы' * 195})}"
    answer = Client().get(f"/me/{page}/", {"target": view})

    assert parse_qs(urlsplit(answer["Location"]).query) == {"next": [view]}
    longer = Client().get(f"/me/{page}/", {"target": view + quote("ы" * 200)})
    assert parse_qs(urlsplit(longer["Location"]).query) == {"next": [f"/me/{page}/"]}


def test_other_machine_follows_nothing_for_the_local_editor(settings: Settings) -> None:
    settings.SIGN_IN = "local"
    answer = Client().post("/me/follow/", {"target": TAGS}, REMOTE_ADDR="192.0.2.7")

    assert answer.status_code == 403
    assert not Watch.objects.exists()


@pytest.mark.parametrize("name", [EDITOR, ADMIN])
def test_record_of_changes_does_not_say_what_is_followed(settings: Settings, name: str) -> None:
    let_people_sign_in(settings)
    client = client_of(READER)
    client.post("/me/follow/", {"target": FILTERED})
    client.post("/me/watches/", {"stop": Watch.objects.get().pk})
    page = client_of(name).get("/changes/")

    assert [change.verb for change in Change.objects.order_by("pk")] == ["followed", "stopped following"]
    assert "watch" in page.text
    assert "125" not in words(page, "//main")[0]


@pytest.mark.parametrize("may_store", [True, False])
def test_form_says_that_gone_tags_pass_filters_where_only_fingerprints_are_stored(
    client: Client, settings: Settings, may_store: bool
) -> None:
    settings.ECON_MAY_STORE = may_store

    text = str(words(client.get("/me/follow/", {"target": FILTERED}), "//main"))
    assert ("You hear of each tag that is gone." in text) is not may_store
