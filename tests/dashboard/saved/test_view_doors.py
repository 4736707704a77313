"""Every address of a saved view, tried by every person, for every audience: one row for each address."""

import pytest
from django.test import Client
from pytest_django import Settings

from econweb.library.models import SavedView
from tests.builders import a_series
from tests.dashboard.saved.people import AUDIENCES, OWNER, PEOPLE, SEE, STRANGER, client_of, let_people_sign_in
from tests.dashboard.saved.strangers import MAIL_ADDRESS, names_somebody
from tests.fake_service import FakeService
from tests.library.builders import a_saved_view

pytestmark = pytest.mark.django_db
# Addresses of one view. Those of the second list have one below /me/ too.
PUBLIC: dict[str, tuple[str, dict[str, str]]] = {"feed": ("/saved/{}/feed.atom", {})}
BOTH: dict[str, tuple[str, dict[str, str]]] = {
    "page": ("/saved/{}/", {}),
    "fragment": ("/saved/{}/", {"HX-Request": "true", "HX-Target": "results"}),
    "embedded page": ("/saved/{}/?embed=1", {}),
    "file by its header": ("/saved/{}/", {"Accept": "text/csv"}),
    "appendix pack": ("/saved/{}.zip", {}),
}


@pytest.fixture(autouse=True)
def _views_of_ada(stand_in: FakeService, settings: Settings) -> None:
    let_people_sign_in(settings)
    stand_in.seriess["GNPCA"] = [a_series() | {"popularity": 39}]
    for audience in AUDIENCES:
        fields = {"slug": f"for-{audience}", "title": f"Title for {audience}", "note": "pond", "audience": audience}
        a_saved_view(kind="list", target="/series/?ids=GNPCA", **fields).save()


def opened(client: Client, path: str, slug: str, headers: dict[str, str]) -> tuple[int, bytes]:
    """Return status and body without the name of the view."""
    answer = client.get(path.format(slug), headers=headers)
    body = b"".join(answer) if answer.streaming else answer.content
    return answer.status_code, body.replace(slug.encode(), b"SLUG")


@pytest.mark.parametrize("door", [*PUBLIC, *BOTH])
@pytest.mark.parametrize("name", PEOPLE)
def test_public_address_shows_what_is_for_everyone(door: str, name: str) -> None:
    (path, headers), client = (PUBLIC | BOTH)[door], client_of(name)
    never = opened(client, path, "for-nobody", headers)

    assert never[0] == 404
    assert opened(client, path, "for-everyone", headers)[0] == 200
    for audience in ("me", "signed-in"):
        assert opened(client, path, f"for-{audience}", headers) == never


@pytest.mark.parametrize("door", BOTH)
@pytest.mark.parametrize("name", PEOPLE)
def test_personal_address_shows_what_a_person_may_see(door: str, name: str) -> None:
    (path, headers), client = BOTH[door], client_of(name)
    never = opened(client, f"/me{path}", "for-nobody", headers)

    for audience in AUDIENCES:
        answer = opened(client, f"/me{path}", f"for-{audience}", headers)
        if name != STRANGER and name in SEE[audience]:
            assert answer[0] == 200
        else:
            assert answer == never
            assert b"Title for" not in answer[1]


@pytest.mark.parametrize("door", [*PUBLIC, *BOTH])
def test_public_address_names_no_person(door: str) -> None:
    SavedView.objects.update(person=MAIL_ADDRESS)
    path, headers = (PUBLIC | BOTH)[door]
    path, client = path.format("for-everyone"), client_of(STRANGER)
    listed = client.get("/saved/")
    shown = client.get(path, headers=headers)

    assert not names_somebody(shown)
    assert not names_somebody(listed)
    SavedView.objects.update(removed=SavedView.objects.latest("created").created)
    assert not names_somebody(client.get(path, headers=headers))


@pytest.mark.parametrize("door", [*PUBLIC, *BOTH])
def test_removed_view_for_everyone_says_so_and_a_hidden_one_nothing(door: str) -> None:
    path, headers = (PUBLIC | BOTH)[door]
    SavedView.objects.update(removed=SavedView.objects.latest("created").created)
    client = client_of(OWNER)

    assert opened(client, path, "for-everyone", headers)[0] in {404, 410}
    assert opened(client, path, "for-me", headers) == opened(client, path, "for-nobody", headers)
