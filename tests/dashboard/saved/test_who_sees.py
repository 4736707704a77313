"""The right to see a saved view, for each audience and each person, at every address."""

import pytest
from django.core.wsgi import get_wsgi_application
from django.test import Client
from pytest_django import Settings

from econweb.config.proxy_config import networks
from econweb.library.models import SavedView
from econweb.serving.response_cache import cache_responses
from tests.dashboard.reading import document, links, words
from tests.dashboard.saved.people import (
    AUDIENCES,
    EDIT,
    PEOPLE,
    SEE,
    STRANGER,
    client_of,
    let_people_sign_in,
    save_for_each_audience,
)
from tests.library.builders import a_saved_view
from tests.serving.cacheable_site import Answer, asked

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("category_125", "views_of_ada")]
PROXY = "192.0.2.1"


@pytest.fixture
def views_of_ada(settings: Settings) -> None:
    let_people_sign_in(settings)
    save_for_each_audience()


@pytest.mark.parametrize("name", PEOPLE)
@pytest.mark.parametrize("audience", AUDIENCES)
def test_public_page_shows_what_is_for_everyone(name: str, audience: str) -> None:
    page = client_of(name).get(f"/saved/for-{audience}/")

    assert page.status_code == (200 if audience == "everyone" else 404)
    assert ("Title for" in page.text) == (audience == "everyone")
    assert not page.cookies


@pytest.mark.parametrize("audience", AUDIENCES)
def test_page_of_a_view_says_who_may_see_it_as_the_list_does(audience: str) -> None:
    client = client_of("ada")
    page = client.get(f"/me/saved/for-{audience}/")
    row = f"//tr[.//a[contains(@href, 'for-{audience}/')]]/td[last() - 1]"
    (listed,) = words(client.get("/me/saved/"), row)

    assert f"· Who may see it: {listed} ·" in words(page, "//*[@id='saved-view']/p")[-1]


@pytest.mark.parametrize("name", PEOPLE)
@pytest.mark.parametrize("audience", AUDIENCES)
def test_personal_page_shows_what_a_person_may_see(name: str, audience: str) -> None:
    page = client_of(name).get(f"/me/saved/for-{audience}/")

    if name == STRANGER:
        assert page["Location"] == f"/sign-in/?next=%2Fme%2Fsaved%2Ffor-{audience}%2F"
        return
    may_see = name in SEE[audience]
    assert page.status_code == (200 if may_see else 404)
    assert ("Title for" in page.text) == may_see
    assert "no-store" in page["Cache-Control"]
    # Without one, the cache in front of Django stores nothing.
    assert "ETag" not in page


@pytest.mark.parametrize("name", PEOPLE)
@pytest.mark.parametrize("audience", AUDIENCES)
def test_form_opens_for_those_who_may_change(name: str, audience: str) -> None:
    client, path = client_of(name), f"/me/saved/for-{audience}/edit/"
    page, sent = client.get(path), client.post(path, {"title": "Taken", "audience": "me", "remove": "1"})
    refused = 403 if name == STRANGER or name in SEE[audience] else 404

    # A stranger is asked to sign in; what was sent is not lost by a redirect.
    assert page.status_code == (200 if name in EDIT[audience] else 302 if name == STRANGER else refused)
    assert ("Title for" in page.text) == (name in EDIT[audience])
    # Nobody changes what they have not seen, so nothing is removed here.
    assert sent.status_code == (409 if name in EDIT[audience] else refused)
    assert SavedView.objects.filter(title=f"Title for {audience}", removed=None).exists()


@pytest.mark.parametrize("query", ["", "?q=pond", "?q=ada", "?q=title", "?person=ada", "?kind=tags", "?q=for+me"])
@pytest.mark.parametrize("name", PEOPLE)
@pytest.mark.parametrize("path", ["/saved/", "/me/saved/"])
def test_lists_searches_and_counts_hold_what_a_person_may_see(name: str, path: str, query: str) -> None:
    page = client_of(name).get(path + query)
    if path == "/me/saved/" and name == STRANGER:
        assert page.status_code == 302
        return
    who = STRANGER if path == "/saved/" else name
    seen = {audience for audience in AUDIENCES if who in SEE[audience]}
    matched = seen & ({"me"} if "for+me" in query else set(AUDIENCES))
    if (path, query) == ("/saved/", "?q=ada"):
        matched = set()

    titles = {title.split(" ")[2] for title in words(page, "//tbody//th/a")}
    assert titles == matched
    for chip in words(page, "//nav[@aria-label='Kinds']/*")[:2]:
        assert chip.split()[-1] == str(len(matched))
    assert ("Title for me" in page.text) == ("me" in matched)
    if path == "/me/saved/":
        edits = {label.split()[-1] for label in document(page).xpath("//tbody//a/@aria-label")}
        assert edits == {audience for audience in matched if who in EDIT[audience]}


@pytest.mark.parametrize("headers", [{}, {"Accept": "application/json"}, {"HX-Request": "true"}])
@pytest.mark.parametrize("slug", ["for-me", "for-signed-in"])
def test_hidden_view_is_byte_for_byte_one_that_never_was(slug: str, headers: dict[str, str]) -> None:
    def answer() -> tuple[int, bytes, dict[str, str]]:
        page = Client().get(f"/saved/{slug}/", headers=headers)
        heads = {name: text for name, text in page.headers.items() if name != "X-Request-ID"}
        return page.status_code, page.content, heads

    hidden = answer()
    SavedView.objects.filter(pk=slug).update(removed=SavedView.objects.get(pk=slug).created)
    removed = answer()
    SavedView.objects.all().delete()

    assert hidden == removed == answer()


def test_page_of_a_hidden_view_leads_to_the_sign_in() -> None:
    page = Client().get("/saved/for-me/")

    assert "/me/saved/for-me/" in links(page).values()


@pytest.mark.parametrize("audience", AUDIENCES)
@pytest.mark.parametrize("name", PEOPLE)
def test_removed_view_says_so_to_those_who_may_see_it(name: str, audience: str) -> None:
    view = SavedView.objects.get(pk=f"for-{audience}")
    SavedView.objects.update(removed=view.changed)
    client, sees = client_of(name), name in SEE[audience]
    pages = [client.get(f"/saved/for-{audience}/")]
    if name != STRANGER:
        pages += [client.get(f"/me/saved/for-{audience}/{end}") for end in ("", "edit/")]
    lists = [client.get(path) for path in ("/saved/", "/me/saved/")]

    assert pages[0].status_code == (410 if audience == "everyone" else 404)
    assert {page.status_code for page in pages[1:]} <= {410 if sees else 404}
    assert all(("Title for" in page.text) == (page.status_code == 410) for page in pages)
    assert not any("Title for" in page.text for page in lists)


def test_people_who_must_sign_in_to_read_are_asked_before(settings: Settings) -> None:
    a_saved_view(slug="other").save()
    for path in ("/saved/", "/saved/other/", "/saved/for-everyone/", "/saved/nothing/"):
        settings.READ = "signed-in"
        # The middleware is chosen when a client sends its first request.
        assert Client().get(path)["Location"].startswith("/sign-in/?next=%2Fsaved%2F")


def test_cache_sends_no_personal_page_to_others(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """With SIGN_IN=proxy no cookie says that a response is personal."""
    monkeypatch.setenv("TRUSTED", PROXY)
    settings.SIGN_IN, settings.PROXY_ADDRESSES = "proxy", networks("TRUSTED")
    application = cache_responses(get_wsgi_application())

    def get(name: str, path: str) -> Answer:
        return asked(
            lambda environ, start: application({**environ, "PATH_INFO": path}, start),
            address=PROXY,
            host="testserver",
            econwebuser=name,
        )

    for audience in AUDIENCES:
        for path in (f"/saved/for-{audience}/", f"/me/saved/for-{audience}/", "/me/saved/"):
            for name in ("ada", "bob", "ada", "bob"):
                page = get(name, path)
                may_see = audience == "everyone" or (name in SEE[audience] and path.startswith("/me/"))
                assert (f"Title for {audience}".encode() in page.body) == may_see, (name, path)
                assert (page.status[:3] == "200") == may_see or path == "/me/saved/"
