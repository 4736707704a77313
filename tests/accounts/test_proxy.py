"""SIGN_IN=proxy: the headers of the proxy name a person, and nobody else's do."""

from functools import partial
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.core.wsgi import get_wsgi_application
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st
from pytest_django import Settings

from econweb.accounts.models import Change
from econweb.accounts.people import Role, role_by_settings, visitor_of
from econweb.accounts.proxy_check import _understand
from econweb.accounts.proxy_headers import find_forgery, named_person
from econweb.config.proxy_config import networks
from econweb.serving.response_cache import cache_responses
from tests.serving.cacheable_site import asked

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("behind_proxy")]
PROXY, ELSEWHERE = "192.0.2.1", "192.0.2.9"
PATHS = ["/", "/series/GNPCA/", "/series/GNPCA.csv", "/suggest?q=gdp", "/me/", "/sign-in/", "/changes/",
         "/static/nothing.css", "/healthz", "/metrics", "/econ/series"]  # fmt: skip


@pytest.fixture
def behind_proxy(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRUSTED", f"{PROXY},2001:db8::/64")
    settings.SIGN_IN, settings.PROXY_ADDRESSES = "proxy", networks("TRUSTED")
    settings.EDITOR_GROUPS, settings.ADMIN_GROUPS = ["data desk"], ["heads"]


def named(name: str, groups: str = "", address: str = PROXY) -> dict[str, Any]:
    return {"HTTP_ECONWEBUSER": name, "HTTP_ECONWEBGROUPS": groups, "REMOTE_ADDR": address}


def test_people_behind_a_proxy_have_a_share_of_the_rate_limit_each(settings: Settings) -> None:
    assert visitor_of(named("ada")) == visitor_of(named("ada")) != visitor_of(named("eve"))
    settings.SIGN_IN = "password"
    assert visitor_of(named("ada")) == visitor_of(named("eve"))


def test_header_of_the_proxy_names_the_person() -> None:
    page = Client(**named("ada")).get("/me/").text

    assert "<bdi>ada</bdi>" in page
    assert "You sign in and out at the proxy of your organization." in page


@pytest.mark.parametrize(
    ("groups", "role"),
    [("", "read"), ("data", "read"), ("staff, data desk ", "editor"), ("heads,data desk", "admin"), (",", "read")],
)
def test_groups_give_a_role(groups: str, role: str) -> None:
    page = Client(**named("ada", groups)).get("/me/").text

    assert ("You read." in page) == (role == "read")
    assert (f"You are an {role}" in page) == (role != "read")
    assert "save and freeze views, and follow sources" in page
    assert ("withdraw copies, and undo changes" in page) == (role != "read")
    assert ("You see the changes of accounts" in page) == (role == "admin")


def test_settings_and_command_give_roles_too(settings: Settings) -> None:
    settings.ADMIN_NAMES = ["linus"]
    call_command("role", "ada", "editor")

    assert "an editor" in Client(**named("ada")).get("/me/").text
    assert "an admin" in Client(**named("linus")).get("/me/").text
    assert not User.objects.get(username="ada").has_usable_password()
    assert Change.objects.get(kind="role").key == "ada"


@pytest.mark.parametrize("name", ["CORP\\ada", "Ada Lovelace"])
def test_command_gives_a_role_to_any_name_that_the_proxy_may_send(name: str) -> None:
    call_command("role", name, "editor")

    assert "You are an editor" in Client(**named(name)).get("/me/").text


def test_account_that_was_ended_gives_no_role() -> None:
    User.objects.create_superuser("ada", is_active=False)

    assert "You read." in Client(**named("ada")).get("/me/").text
    assert Client(**named("ada")).get("/changes/").status_code == 403


def test_highest_role_of_names_and_groups_counts(settings: Settings) -> None:
    settings.EDITOR_NAMES, settings.ADMIN_NAMES = ["ada"], []

    assert role_by_settings({"ada"}) == Role.EDITOR
    assert role_by_settings({"ada"}, {"heads"}) == Role.ADMIN
    assert role_by_settings({"eve"}, {"Heads"}) == Role.READER


def test_edit_is_recorded_under_the_name_that_the_proxy_sent() -> None:
    Client(**named("eve")).post("/me/names/category/125/", {"name": "New", "opened": 0})
    Client(**named("ada", "data desk")).post("/me/names/category/125/", {"name": "Newer", "opened": 0})

    assert [change.person for change in Change.objects.filter(kind="name")] == ["ada"]


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(
    "forged",
    [
        named("ada", address=ELSEWHERE),
        named("", "heads", address=ELSEWHERE),
        named("ada", address=""),
        named("ada", address="2001:db8:1::1"),
        named("ada,eve"),
        named("ada, eve"),
        named("ada,"),
        named(" ada"),
        named("ada\u0085"),
        named("ada\x00"),
        named("a" * 151),
        named("ada", "g" * 4001),
        named("ada", "heads\x1b"),
    ],
    ids=str,
)
def test_forged_header_is_refused_at_every_path(path: str, forged: dict[str, Any]) -> None:
    answer = Client(**forged).get(path)

    assert answer.status_code == 400
    assert "ada" not in answer.text
    if not path.startswith("/econ"):
        assert "This request cannot name a person" in answer.text


def test_longest_name_and_groups_are_taken() -> None:
    name, groups = "a" * 150, f"heads,{'g' * 3994}"

    assert len(groups) == 4000
    assert "You are an admin" in Client(**named(name, groups)).get("/me/").text


def test_cached_response_is_no_way_around_the_check() -> None:
    site = cache_responses(get_wsgi_application())

    ask = partial(asked, site, host="testserver", address=ELSEWHERE)
    found = [ask(**headers).status for headers in ({}, {}, {"econwebuser": "ada"}, {"econwebgroups": "heads"}, {})]

    assert found == ["200 OK", "200 OK", "400 Bad Request", "400 Bad Request", "200 OK"]


@pytest.mark.parametrize("path", ["/me/", "/changes/", "/me/names/", "/sign-in/", "/sign-in/?next=/changes/"])
@pytest.mark.parametrize("name", ["", None])
def test_page_says_to_a_stranger_where_people_sign_in(client: Client, path: str, name: str | None) -> None:
    unnamed: dict[str, Any] = {} if name is None else {"HTTP_ECONWEBUSER": name}
    answer = client.get(path, REMOTE_ADDR=PROXY, **unnamed)

    assert answer.status_code == 403
    assert "You are not signed in" in answer.text


def test_sign_in_leads_a_named_person_on() -> None:
    assert Client(**named("ada")).get("/sign-in/?next=/changes/")["Location"] == "/changes/"
    assert Client(**named("ada")).get("/sign-in/?next=//evil.example")["Location"] == "/"


def test_passwords_and_their_sessions_open_nothing(client: Client) -> None:
    user = User.objects.create_superuser("root", password="a long enough word")
    client.force_login(user)

    assert client.get("/me/", REMOTE_ADDR=PROXY).status_code == 403
    assert client.get("/changes/", REMOTE_ADDR=PROXY).status_code == 403
    assert {client.get(path).status_code for path in ("/admin/", "/admin/auth/user/", "/admin/login/")} == {404}
    assert "root" not in Client(**named("ada")).get("/me/").text
    assert Client(**named("ada")).get("/me/password/").status_code == 404
    assert client.post("/sign-in/", {"username": "root", "password": "a long enough word"}).status_code == 403
    with pytest.raises(CommandError, match="no passwords here"):
        call_command("invite", "ada")


@pytest.mark.parametrize("wanted", ["foo", "series", "me"])
def test_sign_in_takes_no_name_of_a_view(wanted: str) -> None:
    assert Client(**named("ada")).get("/sign-in/", {"next": wanted})["Location"] == "/"


def test_reading_asks_for_a_name_where_the_setting_says_so(client: Client, settings: Settings) -> None:
    settings.READ = "signed-in"

    assert Client(**named("ada")).get("/help/").status_code == 200
    assert client.get("/help/", REMOTE_ADDR=PROXY).status_code == 403
    assert Client(**named("eve", address=ELSEWHERE)).get("/help/").status_code == 400


def test_other_modes_ignore_the_headers(settings: Settings) -> None:
    settings.SIGN_IN = "password"

    assert Client(**named("ada")).get("/me/").status_code == 302
    assert Client(**named("ada", address=ELSEWHERE)).get("/").status_code == 200


@given(st.text(max_size=200), st.text(max_size=200), st.sampled_from([PROXY, ELSEWHERE, "2001:db8::7", "x"]))
def test_person_is_named_by_the_proxy_alone(name: str, groups: str, address: str) -> None:
    meta = named(name, groups, address)
    person = named_person(meta)

    assert (person is not None) == (bool(name) and not find_forgery(meta))
    if person:
        assert address in {PROXY, "2001:db8::7"}
        assert person.name == name.strip()
        assert name.isprintable()
        assert not {","} & {*name}


def test_check_of_a_proxy_reads_the_page_of_the_account() -> None:
    page = Client(**named("ada", "heads")).get("/me/").text

    assert _understand(200, page)[1:3] == ("ada", "admin")


@pytest.mark.parametrize("name", ["local editor", "Local  Editor", "root at the command line"])
def test_name_of_the_program_itself_is_nobody_behind_a_proxy(name: str) -> None:
    answer = Client(**named(name)).get("/me/saved/")

    assert answer.status_code == 400
    assert "the name is one that this site itself uses" in answer.text
