"""From /sign-in/ to the provider and back: only the browser that began a sign-in finishes it, once."""

import json
from urllib.parse import parse_qs, urlsplit

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.core import signing
from django.test import Client

from econweb.accounts.models import Session, SignInTries, UsedSignIn
from econweb.config import log_config
from econweb.dashboard.account.flow_cookie import SALT
from tests.accounts.oidc.browser import begin, is_signed_in, is_stranger, sign_in
from tests.accounts.oidc.stand_in import SECRET, StandIn
from tests.accounts.signed_in import put_clock

pytestmark = pytest.mark.django_db
FLOWS = settings.FLOW_COOKIE_NAME


def test_sign_in_leads_back_to_the_wanted_page(client: Client, provider: StandIn) -> None:
    assert sign_in(client, provider, "/category/125/tags/?sort=name") == (302, "/category/125/tags/?sort=name")
    assert "You read" in client.get("/me/").text
    assert not User.objects.get(username="ada").has_usable_password()


def test_beginning_stores_nothing_on_the_server(client: Client, provider: StandIn) -> None:
    answers = [client.get("/sign-in/") for _ in range(6)]

    assert len({parse_qs(urlsplit(answer["Location"]).query)["state"][0] for answer in answers}) == 6
    assert not Session.objects.exists()
    assert client.cookies[FLOWS]["httponly"]
    assert client.cookies[FLOWS]["samesite"] == "Lax"
    assert answers[0]["Cache-Control"].endswith("no-store")
    assert provider.pages == ["/.well-known/openid-configuration"]


@pytest.mark.parametrize(
    "following",
    [
        "https://evil.example/",
        "//evil.example",
        "///evil.example",
        "/\\evil.example",
        "https:evil.example",
        "http://testserver@evil.example/",
        "javascript:alert(1)",
        "\x00//evil.example",
        "/me/?" + "x" * 400,
        "/" + "é" * 60,
        "me",
        "series",
    ],
)
def test_wanted_page_elsewhere_is_the_home_page(client: Client, provider: StandIn, following: str) -> None:
    assert sign_in(client, provider, following) == (302, "/")


def test_session_id_changes_at_sign_in(client: Client, provider: StandIn) -> None:
    planted = Session(session_key="x" * 32, session_data=client.session.encode({}))
    planted.expire_date = client.session.get_expiry_date()
    planted.save()
    client.cookies[settings.SESSION_COOKIE_NAME] = planted.session_key
    sign_in(client, provider)

    assert client.cookies[settings.SESSION_COOKIE_NAME].value != planted.session_key
    assert not Session.objects.filter(session_key=planted.session_key).exists()
    assert is_signed_in(client)


def changed_state(callback: str) -> str:
    return callback.replace("state=", "state=x")


def without_state(callback: str) -> str:
    return callback.replace("state=", "estate=")


@pytest.mark.parametrize("change", [changed_state, without_state])
def test_callback_with_another_state_is_refused(client: Client, provider: StandIn, change: object) -> None:
    answer = client.get(change(begin(client, provider)))  # type: ignore[operator]

    assert (answer.status_code, "This sign-in has ended" in answer.text) == (400, True)
    assert "/token" not in provider.pages
    assert is_stranger(client)


def test_callback_in_another_browser_is_refused(client: Client, provider: StandIn) -> None:
    callback = begin(client, provider)
    other = Client()
    begin(other, provider)

    assert [Client().get(callback).status_code, other.get(callback).status_code] == [400, 400]
    assert "/token" not in provider.pages
    assert client.get(callback).status_code == 302


@pytest.mark.parametrize("cookie", ["", "x", "x" * 3000, "a:b:c"])
def test_forged_cookie_is_refused(client: Client, provider: StandIn, cookie: str) -> None:
    client.cookies[FLOWS] = cookie

    assert client.get("/sign-in/callback/", {"state": "s", "code": "code-0"}).status_code == 400
    assert is_stranger(client)


def test_cookie_for_another_purpose_is_refused(client: Client, provider: StandIn) -> None:
    client.cookies[FLOWS] = signing.dumps([["s", "/"]], salt="other")

    assert client.get("/sign-in/callback/", {"state": "s", "code": "code-0"}).status_code == 400


def test_cookie_of_a_sign_in_has_no_secret_of_it(client: Client, provider: StandIn) -> None:
    asked = parse_qs(urlsplit(client.get("/sign-in/")["Location"]).query)
    held = signing.loads(client.cookies[FLOWS].value, salt=SALT)

    assert [fields[:2] for fields in held] == [[asked["state"][0], "/"]]
    assert asked["nonce"][0] not in json.dumps(held)


def test_sign_in_ends_after_ten_minutes(client: Client, provider: StandIn, monkeypatch: pytest.MonkeyPatch) -> None:
    callback = begin(client, provider)
    put_clock(monkeypatch, 601)

    assert client.get(callback).status_code == 400


def test_callback_is_valid_once(client: Client, provider: StandIn) -> None:
    """Also where the provider accepts a code again, and the browser kept its cookie."""
    provider.accepts_codes_again = True
    callback = begin(client, provider)
    kept = client.cookies[FLOWS].value
    assert client.get(callback).status_code == 302
    assert client.get(callback)["Location"] == "/"
    stranger = Client()
    assert stranger.get(callback).status_code == 400
    stranger.cookies[FLOWS] = kept

    assert stranger.get(callback).status_code == 403
    assert not is_signed_in(stranger)
    assert UsedSignIn.objects.count() == 1


def test_beginning_another_sign_in_prolongs_none(
    client: Client, provider: StandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise a kept cookie outlives the site's memory of the sign-ins that were finished."""
    provider.accepts_codes_again = True
    callback = begin(client, provider)
    stranger = Client()
    stranger.cookies[FLOWS] = client.cookies[FLOWS].value
    assert client.get(callback).status_code == 302
    statuses = []
    for _ in range(3):
        put_clock(monkeypatch, 4.99 * 60)
        begin(stranger, provider)
        kept = stranger.cookies[FLOWS].value
        statuses.append(stranger.get(callback).status_code)
        stranger.cookies[FLOWS] = kept

    assert statuses == [403, 403, 400]
    assert not is_signed_in(stranger)


def test_code_that_the_provider_refuses_signs_nobody_in(client: Client, provider: StandIn) -> None:
    callback = begin(client, provider)

    assert client.get(callback.replace("code=code-0", "code=code-9")).status_code == 403
    assert is_stranger(client)


def test_tabs_that_open_together_all_end_where_they_wanted(client: Client, provider: StandIn) -> None:
    callbacks = [begin(client, provider, f"/series/?ids=A{number}") for number in range(4)]

    assert [client.get(callback)["Location"] for callback in callbacks] == [f"/series/?ids=A{n}" for n in range(4)]
    assert client.cookies[FLOWS].value == ""


@pytest.mark.parametrize("extra", ["&code=other", "&state=other", "&iss=https://evil.example", "&error=access_denied"])
def test_callback_with_a_parameter_too_many_is_refused(client: Client, provider: StandIn, extra: str) -> None:
    assert client.get(begin(client, provider) + extra).status_code in {400, 403}
    assert "/token" not in provider.pages
    assert is_stranger(client)


@pytest.mark.parametrize(("promised", "given"), [(False, "https://evil.example"), (True, "")])
def test_reply_of_another_issuer_is_refused(client: Client, provider: StandIn, promised: bool, given: str) -> None:
    provider.metadata["authorization_response_iss_parameter_supported"] = promised
    callback = begin(client, provider).partition("&iss=")[0] + (f"&iss={given}" if given else "")

    assert client.get(callback).status_code == 403
    assert "/token" not in provider.pages


def test_error_of_the_provider_is_not_repeated_on_the_page(client: Client, provider: StandIn) -> None:
    state = parse_qs(urlsplit(client.get("/sign-in/")["Location"]).query)["state"][0]
    error = {"state": state, "error": "access_denied", "error_description": "Call 555-1234 now"}
    answer = client.get("/sign-in/callback/", error)

    assert answer.status_code == 403
    assert "555" not in answer.text
    assert 'href="/sign-in/"' in answer.text


def test_code_that_looks_like_a_key_is_kept(client: Client, provider: StandIn) -> None:
    """The site removes API keys from addresses."""
    callback = begin(client, provider)
    code = "api_key=0123456789abcdefghijklmnopqrstuv"
    provider._codes[code] = provider._codes["code-0"]

    assert client.get(callback.replace("code-0", code.replace("=", "%3D")))["Location"] == "/me/"


def test_refused_codes_pause_nobody_at_a_shared_address(client: Client, provider: StandIn) -> None:
    callbacks = [begin(client, provider).replace("code=code-", "code=guess-") for _ in range(20)]

    assert {client.get(callback).status_code for callback in callbacks} == {400, 403}
    assert sign_in(Client(), provider)[0] == 302
    assert not SignInTries.objects.exists()


@pytest.mark.parametrize("method", ["post", "head", "put", "delete"])
def test_callback_takes_get_only(client: Client, provider: StandIn, method: str) -> None:
    callback = begin(client, provider)

    assert getattr(client, method)(callback).status_code == 405
    assert "/token" not in provider.pages


def test_log_has_no_code_and_no_secret(client: Client, provider: StandIn, capfd: pytest.CaptureFixture[str]) -> None:
    log_config.WRITER.finish()
    capfd.readouterr()
    callback = begin(client, provider)
    client.get(callback)
    stranger = Client()
    stranger.get(begin(stranger, provider).replace("code=code-", "code=code-7"))
    provider.replies["/token"] = lambda: (500, {}, b"")
    stranger.get(begin(stranger, provider))

    log_config.WRITER.finish()
    written = capfd.readouterr().err
    assert "signed in" in written
    assert "sign-in failed" in written
    assert "account=ada" in written
    session = client.cookies[settings.SESSION_COOKIE_NAME].value
    assert [secret for secret in ("code-", "token-1", SECRET, "state=", session) if secret in written] == []
