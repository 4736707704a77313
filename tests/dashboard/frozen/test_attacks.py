"""Frozen copies against secrets, odd input, people who may not see them, and those who would hide what was cited."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from econweb.accounts.models import Change
from econweb.library.models import EVERYONE, ME, SIGNED_IN, FrozenCopy
from tests.builders import a_series
from tests.dashboard.frozen.copies import freeze, view
from tests.dashboard.reading import links, words
from tests.fake_service import FakeService, tags_of

__all__ = ["view"]
pytestmark = pytest.mark.django_db
MISSING = {
    "/frozen/abc/": "Open it with your account",
    "/saved/abc/": "Sign in to see it, if it was saved for you",
}
KEY = "api_key=0123456789abcdef0123456789abcdef"
DRAFT = {"title": "A title", "reason": "", "audience": EVERYONE, "days": "0"}


@pytest.mark.parametrize("field", ["title", "reason"])
def test_text_with_a_key_is_not_stored(client: Client, view: str, field: str) -> None:
    answer = client.post("/me/freeze/", DRAFT | {field: f"see {KEY}"}, query_params={"target": view})

    assert answer.status_code == 400
    assert "it contains an API key" in answer.text
    assert FrozenCopy.objects.count() == 0


def test_target_with_a_key_is_not_stored(client: Client, view: str) -> None:
    target = f"{view}?search_text={KEY.replace('=', '%3D')}"

    assert client.post("/me/freeze/", DRAFT, query_params={"target": target}).status_code in {302, 400}
    assert FrozenCopy.objects.count() == 0


@pytest.mark.parametrize("fields", [{"audience": "xx"}, {"audience": ""}, {"days": "7"}, {"title": "\x01"}])
def test_wrong_choice_gets_a_sentence_and_keeps_the_title(client: Client, view: str, fields: dict[str, str]) -> None:
    answer = client.post("/me/freeze/", DRAFT | fields, query_params={"target": view})

    assert answer.status_code == 400
    assert 'role="alert"' in answer.text
    assert "title" in fields or 'value="A title"' in answer.text


@pytest.mark.parametrize("copy_id", ["%00", "0", "a" * 300, "..", "%E2%80%AE" * 13])
@pytest.mark.parametrize("end", ["/", ".csv", "/check", "/edit/"])
def test_odd_id_is_not_found(client: Client, copy_id: str, end: str) -> None:
    assert client.get(f"/frozen/{copy_id}{end}").status_code == 404
    assert client.get(f"/me/frozen/{copy_id}{end}").status_code == 404


@pytest.mark.parametrize("copy_id", ["abc", "0" * 13, "0" * 14])
def test_address_of_no_copy_says_so_and_leads_to_the_personal_one(
    client: Client, settings: Settings, copy_id: str
) -> None:
    settings.SIGN_IN = "password"
    page = client.get(f"/frozen/{copy_id}/")

    assert (page.status_code, words(page, "//h1")) == (404, ["No such frozen copy"])
    assert links(page)["Open it with your account"] == f"/me/frozen/{copy_id}/"


@pytest.mark.parametrize(("path", "words_with_accounts"), MISSING.items())
def test_site_without_accounts_speaks_of_none(
    client: Client, settings: Settings, path: str, words_with_accounts: str
) -> None:
    """On one's own machine nobody signs in."""
    for way, expected in (("local", "Look for it among your own"), ("password", words_with_accounts)):
        settings.SIGN_IN = way
        assert links(client.get(path))[expected] == f"/me{path}"


def test_private_copy_is_not_in_the_record_of_changes(client: Client, view: str) -> None:
    freeze(client, view, audience=ME, title="SECRETTITLE", reason="SECRETREASON")
    record = client.get("/changes/record.csv").getvalue().decode() + client.get("/changes/?q=SECRET").text

    assert FrozenCopy.objects.get().pk in record
    assert "(private)" in record
    assert "SECRETTITLE" not in record
    assert "SECRETREASON" not in record
    assert view not in record


def test_change_of_a_private_copy_is_recorded_without_its_words(client: Client, view: str) -> None:
    freeze(client, view, audience=ME, reason="")
    address = f"/me/frozen/{FrozenCopy.objects.get().pk}/edit/"
    for _ in range(2):
        seen = FrozenCopy.objects.get().changed.isoformat()
        client.post(address, DRAFT | {"title": "SECRETTITLE", "audience": ME, "seen": seen})
    record = client.get("/changes/record.csv").getvalue().decode()

    # The second time nothing was changed.
    assert list(Change.objects.order_by("id").values_list("verb", flat=True)) == ["frozen", "changed"]
    assert "SECRETTITLE" not in record


def test_withdrawn_copy_is_not_changed_any_more(client: Client, view: str) -> None:
    path = freeze(client, view)
    copy = FrozenCopy.objects.get()
    client.post(f"/me/frozen/{copy.pk}/withdraw/", {"reason": "Wrong."})

    assert client.post(f"/me/frozen/{copy.pk}/edit/", DRAFT | {"audience": ME}).status_code == 410
    assert client.get(f"/me/frozen/{copy.pk}/withdraw/").status_code == 410
    assert client.get(path).status_code == 410


def test_cited_copy_is_hidden_by_editors_alone(client: Client, view: str, settings: Settings) -> None:
    path = freeze(client, view)
    FrozenCopy.objects.update(created=timezone.now() - timedelta(days=8), person="ada")
    address = f"/me/frozen/{FrozenCopy.objects.get().pk}/edit/"
    private = client.post(address, DRAFT | {"audience": ME})
    settings.SIGN_IN = "password"
    reader = Client()
    reader.force_login(User.objects.create_user("ada"))
    narrowed = [reader.post(address, DRAFT | {"audience": audience}) for audience in (ME, SIGNED_IN)]

    # The editor would not see it again.
    assert private.status_code == 400
    assert "Only ada can keep this copy private." in private.text
    assert [answer.status_code for answer in narrowed] == [400, 400]
    assert "Others may have cited this copy since." in narrowed[0].text
    assert reader.get(path).status_code == 200


def test_page_of_a_private_copy_changes_with_its_title(client: Client, view: str) -> None:
    freeze(client, view, audience=ME, reason="")
    address = f"/me/frozen/{FrozenCopy.objects.get().pk}/"
    before = client.get(address)["ETag"]
    seen = FrozenCopy.objects.get().changed.isoformat()
    client.post(f"{address}edit/", DRAFT | {"title": "Another title", "audience": ME, "seen": seen})
    answer = client.get(address, headers={"if-none-match": before})

    assert answer.status_code == 200
    assert "Another title" in answer.text


def test_program_gets_no_page_for_rows_that_are_not_there(client: Client, view: str, settings: Settings) -> None:
    settings.ECON_MAY_STORE = False
    path = freeze(client, view)

    for end in (".csv", ".json", "/names"):
        answer = client.get(path.rstrip("/") + end)
        assert answer.status_code == 404
        assert "digests and no rows" in answer.text


def test_typed_id_keeps_the_rest_of_the_address(client: Client, view: str) -> None:
    path = freeze(client, view).strip("/")
    typed = f"/frozen/{path.rpartition('/')[2].upper()}"

    for rest in (".csv", "/check", "/?limit=25"):
        assert client.get(typed + rest)["Location"] == f"/{path}{rest}"


def test_search_that_the_service_made_is_not_made_again(client: Client, stand_in: FakeService) -> None:
    """The service may find words by other rules."""
    stand_in.has("category", 125, tags_of(3))
    path = freeze(client, "/category/125/tags/?search_text=ag+00")
    rows = client.get(f"{path.rstrip('/')}.csv?search_text=ag+00").getvalue().decode().splitlines()

    assert sum(row.startswith("tag ") for row in rows) == 3


def test_file_is_chosen_by_the_header_as_well(client: Client, stand_in: FakeService) -> None:
    stand_in.has("category", 125, tags_of(3))
    for target in ("/category/125/tags/", "/series/?ids=GNPCA", "/series/GNPCA/"):
        stand_in.seriess["GNPCA"] = [a_series() | {"popularity": 39}]
        answer = client.get(freeze(client, target), headers={"accept": "text/csv"})
        assert answer["Content-Type"].startswith("text/csv")
