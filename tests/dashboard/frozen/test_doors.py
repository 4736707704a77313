"""Every address of a frozen copy, tried by every person, for every audience and state: one row for each address."""

from datetime import timedelta
from itertools import product

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from econweb.dashboard.files.negotiation import MEDIA_TYPES
from econweb.dashboard.sharing import citations
from econweb.library import public_copies
from econweb.library.models import FrozenCopy
from tests.dashboard.frozen.copies import VIEW, freeze, view
from tests.dashboard.reading import row_heads
from tests.dashboard.saved.people import AUDIENCES, EDIT, PEOPLE, SEE, STRANGER, client_of, let_people_sign_in
from tests.dashboard.saved.strangers import MAIL_ADDRESS, names_somebody

__all__ = ["view"]
pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true", "HX-Target": "results"}
# Addresses of one copy; each has one below /me/. A new address of copies gets a row here.
DOORS: dict[str, tuple[str, dict[str, str]]] = {
    "page": ("/frozen/{}/", {}),
    "filtered page": ("/frozen/{}/?tag_group_id=geo&limit=25&offset=25", {}),
    "page of an id in capitals": ("/frozen/{}/", {"capitals": "yes"}),
    "fragment": ("/frozen/{}/", HTMX),
    "embedded page": ("/frozen/{}/?embed=1", {}),
    "file by its header": ("/frozen/{}/", {"Accept": "text/csv"}),
    "names": ("/frozen/{}/names", {}),
    "profile": ("/frozen/{}/profile", {}),
    "check": ("/frozen/{}/check", {}),
    "appendix pack": ("/frozen/{}.zip", {}),
    "link to the comparison": ("/frozen/{}/?against=live", {}),
    "first source": ("/compare/?a=frozen:{}&b=category:125", {}),
    "second source": ("/compare/?a=category:125&b=frozen:{}", {}),
    "only source": ("/compare/?a=frozen:{}", {}),
    "third source": ("/compare/?a=category:125&b=category:125@2020-01-01&c=frozen:{}", {}),
    "pasted link": ("/compare/?a=http://testserver/frozen/{}/&b=category:125", {}),
    "embedded comparison": ("/compare/?a=frozen:{}&b=category:125&embed=1", {}),
    "fragment of the comparison": ("/compare/?a=frozen:{}&b=category:125", {"HX-Request": "true"}),
    **{f"{suffix} file": (f"/frozen/{{}}.{suffix}", {}) for suffix in MEDIA_TYPES},
    **{f"citation as {suffix}": (f"/frozen/{{}}.{suffix}", {}) for suffix in citations.MEDIA_TYPES},
    **{f"compared {suffix} file": (f"/compare.{suffix}?a=frozen:{{}}&b=category:125", {}) for suffix in MEDIA_TYPES},
}
FORMS = ("/me/frozen/{}/edit/", "/me/frozen/{}/withdraw/")
LISTS = ("/frozen/", "/frozen/?q=Title", "/frozen/?q=ada", f"/frozen/?target={VIEW}", "/frozen/?offset=0")
STATES = ("kept", "withdrawn", "expired")


@pytest.fixture(params=STATES)
def copies(request: pytest.FixtureRequest, view: str, settings: Settings) -> dict[str, str]:
    """The ids of ada's copies, by audience, all in one state."""
    let_people_sign_in(settings)
    owner, ids = client_of("ada"), {}
    for audience in AUDIENCES:
        freeze(owner, view, audience=audience, title=f"Title for {audience}", reason="Pond")
        ids[audience] = FrozenCopy.objects.latest("created").pk
        if request.param == "withdrawn":
            owner.post(f"/me/frozen/{ids[audience]}/withdraw/", {"reason": "Heron"})
    if request.param == "expired":
        FrozenCopy.objects.update(expires=timezone.now() - timedelta(seconds=1))
    public_copies._count_all.cache_clear()
    return ids


def state_of(copies: dict[str, str]) -> str:
    copy = FrozenCopy.objects.get(pk=copies["me"])
    return "withdrawn" if copy.withdrawn else "expired" if copy.expires else "kept"


def open_door(client: Client, door: str, copy_id: str, start: str = "") -> tuple[int, bytes, dict[str, str]]:
    """Return status, body and headers, without the id of the copy and that of the request."""
    path, headers = DOORS[door]
    headers = dict(headers)
    shown = copy_id.upper() if headers.pop("capitals", "") else copy_id
    answer = client.get(start + path.format(shown), headers=headers)
    body = b"".join(answer) if answer.streaming else answer.content
    heads = {name: text.replace(copy_id, "ID") for name, text in answer.headers.items() if name != "X-Request-ID"}
    return answer.status_code, body.replace(shown.encode(), b"ID").replace(copy_id.encode(), b"ID"), heads


def says_nothing(body: bytes) -> bool:
    return not any(word in body for word in (b"Title for", b"Pond", b"Heron", b"tag 0001", b"ada"))


@pytest.mark.slow
def test_public_address_shows_what_is_for_everyone(copies: dict[str, str]) -> None:
    opened = {200, 302} if state_of(copies) == "kept" else {410, 302}
    people, stranger = [client_of(name) for name in PEOPLE], client_of(STRANGER)
    for door, (audience, copy_id) in product(DOORS, copies.items()):
        answers = [open_door(client, door, copy_id) for client in people]

        # Workbooks and packs name the moment at which they were written.
        assert len({answer[0] if "xlsx" in door or "pack" in door else answer[:2] for answer in answers}) == 1, door
        if audience == "everyone":
            assert answers[0][0] in opened, door
        else:
            never = open_door(stranger, door, "0" * 13)
            assert (answers[0], answers[0][0]) == (never, 404), (door, audience)
            assert says_nothing(answers[0][1]), (door, audience)


@pytest.mark.slow
def test_personal_address_shows_what_a_person_may_see(copies: dict[str, str]) -> None:
    opened = {200, 302} if state_of(copies) == "kept" else {410, 302}
    for name, door in product(PEOPLE, DOORS):
        client = client_of(name)
        never = open_door(client, door, "0" * 13, "/me")
        for audience, copy_id in copies.items():
            tried, answer = (name, door, audience), open_door(client, door, copy_id, "/me")
            if name == STRANGER:
                # Asked to sign in, at an address that says no more than the one asked for.
                assert answer[:2] == never[:2], tried
                assert answer[0] in {200, 302, 403, 401}, tried
            elif name in SEE[audience]:
                assert answer[0] in opened, tried
            else:
                assert answer[0] == 404, tried
                assert answer[:2] == never[:2], tried
            assert name in SEE[audience] or says_nothing(answer[1]), tried


def test_public_address_names_no_person(copies: dict[str, str]) -> None:
    FrozenCopy.objects.update(person=MAIL_ADDRESS)
    FrozenCopy.objects.exclude(withdrawn=None).update(withdrawn_by=MAIL_ADDRESS)
    client = client_of(STRANGER)

    assert not names_somebody(client.get("/frozen/"))
    for door, (path, headers) in DOORS.items():
        assert not names_somebody(client.get(path.format(copies["everyone"]), headers=headers)), door


@pytest.mark.parametrize("path", FORMS)
def test_form_opens_for_those_who_may_use_it(copies: dict[str, str], path: str) -> None:
    opened = 200 if state_of(copies) == "kept" else 410
    for name in PEOPLE:
        for audience, copy_id in copies.items():
            answer = client_of(name).get(path.format(copy_id))
            expected = opened if name in EDIT[audience] or opened == 410 else 403
            expected = expected if name in SEE[audience] else 404

            assert answer.status_code == (302 if name == STRANGER else expected), (name, audience)
            assert (f"Title for {audience}" in answer.text) <= (name in SEE[audience])


@pytest.mark.parametrize("path", LISTS)
def test_lists_searches_and_counts_hold_what_a_person_may_see(copies: dict[str, str], path: str) -> None:
    # No stranger finds a copy by the name of its person.
    is_found = state_of(copies) == "kept" and "ada" not in path
    for name in PEOPLE:
        client = client_of(name)
        assert row_heads(client.get(path)) == (["Title for everyone"] if is_found else [])
        own = client.get(f"/me{path}")
        if name == STRANGER:
            assert own.status_code == 302
            continue
        seen = {audience for audience in AUDIENCES if name in SEE[audience]}
        assert {title.rpartition(" ")[2] for title in row_heads(own)} == seen
        assert (f"{len(seen)} frozen cop" in own.text) == bool(seen)


@pytest.mark.parametrize("service", ["timemap", "timegate"])
def test_list_for_programs_has_what_is_for_everyone(copies: dict[str, str], service: str) -> None:
    for name in PEOPLE:
        answer = client_of(name).get(f"/frozen/{service}?target={VIEW}")
        told = answer.text + str(answer.headers)

        assert copies["me"] not in told
        assert copies["signed-in"] not in told
        assert (copies["everyone"] in told) == (state_of(copies) == "kept")


def test_live_page_counts_what_is_for_everyone(copies: dict[str, str]) -> None:
    pages = {client_of(name).get(VIEW).text for name in PEOPLE}

    assert len(pages) == 1
    assert ("1 frozen copy of this view" in pages.pop()) == (state_of(copies) == "kept")
