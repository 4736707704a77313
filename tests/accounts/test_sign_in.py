"""The page to sign in: what is refused, what is written down, and that pages go on meanwhile."""

from datetime import timedelta
from queue import Queue
from threading import Semaphore, Thread

import pytest
from django.conf import settings
from django.contrib.auth.hashers import MD5PasswordHasher
from django.contrib.auth.models import User
from django.db import connections
from django.test import Client
from django.utils import timezone
from prometheus_client import REGISTRY
from structlog.testing import capture_logs

from econweb.config import log_config
from tests.server import ROOT

pytestmark = pytest.mark.usefixtures("with_passwords")
RIGHT, WRONG = "seven green trams at noon", "eight green trams at noon"


@pytest.fixture
def ada(db: None) -> User:
    return User.objects.create_superuser("ada", password=RIGHT)


def post(client: Client, password: str, username: str = "ada") -> tuple[int, str]:
    answer = client.post("/sign-in/", {"username": username, "password": password})
    return answer.status_code, answer.get("Retry-After", "")


def counted(outcome: str) -> float:
    return REGISTRY.get_sample_value("econweb_sign_ins_total", {"outcome": outcome}) or 0.0


@pytest.mark.parametrize("username", ["ada", "nobody"])
def test_sign_in_refuses_sixth_attempt_for_any_account(client: Client, ada: User, username: str) -> None:
    """A3"""
    tries = [post(client, WRONG, username) for _ in range(6)]

    assert [status for status, _ in tries] == [200, 200, 200, 200, 200, 429]
    assert 0 < int(tries[-1][1]) <= 15


def test_sign_in_checks_no_password_within_the_pause(
    client: Client, ada: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A3"""
    for _ in range(5):
        post(client, WRONG)
    within = post(client, RIGHT)
    later = timezone.now() + timedelta(seconds=int(within[1]))
    monkeypatch.setattr(timezone, "now", lambda: later)

    assert within[0] == 429
    assert post(client, RIGHT)[0] == 302


def test_sign_in_throttles_accounts_that_were_ended(client: Client, ada: User) -> None:
    """The answer does not tell that the password was right."""
    User.objects.create_user("reader", password=RIGHT, is_active=False)

    assert [post(client, RIGHT, "reader")[0] for _ in range(6)] == [200] * 5 + [429]


def test_sign_in_attempts_are_logged_without_password(
    client: Client, ada: User, capfd: pytest.CaptureFixture[str]
) -> None:
    """A3, O8"""
    log_config.WRITER.finish()
    capfd.readouterr()
    before = counted("failed"), counted("ok")
    client.post("/sign-in/", {"username": "e\x1b\n" + "x" * 100, "password": WRONG})
    post(client, RIGHT)

    log_config.WRITER.finish()
    lines = capfd.readouterr().err.splitlines()
    failed = next(line for line in lines if "sign-in failed" in line)
    done = next(line for line in lines if "signed in" in line)
    assert "account=e__" + "x" * 37 in failed
    assert "x" * 38 not in failed
    assert "client=127.0.0.1" in failed
    assert "account=ada" in done
    assert "trams" not in "".join(lines)
    assert (counted("failed"), counted("ok")) == (before[0] + 1, before[1] + 1)


def test_alert_of_guessing_names_the_line_of_the_tries_that_it_counts(client: Client, ada: User) -> None:
    before = counted("refused"), counted("failed")
    with capture_logs() as logs:
        for _ in range(6):
            post(client, WRONG)

    rows = (ROOT / "docs/deploy.md").read_text(encoding="utf-8").splitlines()
    (row,) = (row for row in rows if row.startswith("| `EconwebGuessing`"))
    assert (counted("refused"), counted("failed")) == (before[0] + 1, before[1] + 5)
    (event,) = (line["event"] for line in logs if "seconds" in line)
    assert f"`{event}`" in row


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> tuple[Semaphore, Queue[bool]]:
    """Checks of passwords begin, and one ends for each release of the gate."""
    opened, begun = Semaphore(0), Queue[bool]()

    def verify(hasher: MD5PasswordHasher, password: str, encoded: str) -> bool:
        begun.put(True)
        assert opened.acquire(timeout=60)
        return False

    monkeypatch.setattr(MD5PasswordHasher, "verify", verify)
    return opened, begun


@pytest.mark.django_db(transaction=True)
def test_sign_in_checks_two_passwords_at_once(gate: tuple[Semaphore, Queue[bool]]) -> None:
    """A2"""
    (opened, begun), ended = gate, Queue[bool]()
    User.objects.create_superuser("ada", password=RIGHT)

    def send(address: str) -> None:
        try:
            post(Client(REMOTE_ADDR=address), WRONG)
        finally:
            connections.close_all()
            ended.put(True)

    # One after the other up to their checks: SQLite in memory refuses a second writer at once.
    for number in range(2):
        Thread(target=send, args=(f"192.0.2.{number}",)).start()
        begun.get(timeout=60)

    third, page = post(Client(REMOTE_ADDR="192.0.2.9"), WRONG), Client().get("/")
    for _ in range(2):
        opened.release()
        ended.get(timeout=60)

    assert third[0] == 503
    assert int(third[1]) > 0
    assert page.status_code == 200
    opened.release()
    assert post(Client(REMOTE_ADDR="192.0.2.9"), WRONG)[0] == 200


def test_password_change_throttles_guesses_at_the_old_one(client: Client, ada: User) -> None:
    """A3"""
    client.force_login(ada)
    form = {"old_password": WRONG, "new_password1": "nine green trams", "new_password2": "nine green trams"}

    statuses = [client.post("/me/password/", form).status_code for _ in range(6)]

    assert statuses == [200] * 5 + [429]


def test_sign_in_cuts_long_names_before_counting(client: Client, ada: User) -> None:
    """A6"""
    answers = [post(client, WRONG, "x" * (150 + extra))[0] for extra in range(6)]

    assert answers == [200] * 5 + [429]


ELSEWHERE = ["https://evil.example/", "//evil.example/", "/\\evil.example", "http://testserver/me/"]


@pytest.mark.parametrize("wanted", [*ELSEWHERE, "foo", "home", "admin:index", "series", "\x00", "%s"])
def test_sign_in_leads_to_paths_of_this_site_only(client: Client, ada: User, wanted: str) -> None:
    """B5"""
    answers = [
        client.post("/sign-in/", {"username": "ada", "password": RIGHT, "next": wanted}),
        client.get("/sign-in/", {"next": wanted}),
    ]

    assert [(answer.status_code, answer["Location"]) for answer in answers] == [(302, "/")] * 2


def test_browser_that_signed_in_is_not_locked_out_by_its_neighbours(
    client: Client, ada: User, capfd: pytest.CaptureFixture[str]
) -> None:
    """A3: neighbours have the same address; the cookie is all that tells the browser from theirs."""
    post(client, RIGHT)
    known = client.cookies[settings.BROWSER_COOKIE_NAME]
    client.post("/me/sign-out/")
    for _ in range(6):
        neighbour = post(Client(), WRONG)

    assert neighbour[0] == 429
    assert post(Client(), RIGHT)[0] == 429
    assert post(client, RIGHT)[0] == 302
    assert (known["httponly"], known["samesite"], known["max-age"]) == (True, "Lax", 90 * 86400)
    log_config.WRITER.finish()
    assert known.value not in capfd.readouterr().err


@pytest.mark.parametrize("forged", ["", "x", "x" * 33, "../" * 10 + "xx", "é" * 32, '"' + r"\000" * 32 + '"'])
def test_forged_cookie_of_a_browser_counts_as_a_stranger(client: Client, ada: User, forged: str) -> None:
    """A3"""
    statuses = []
    for _ in range(6):
        client.defaults["HTTP_COOKIE"] = f"{settings.BROWSER_COOKIE_NAME}={forged}"
        statuses.append(post(client, WRONG)[0])

    assert statuses == [200] * 5 + [429]


def test_strangers_cannot_pause_a_password_change(client: Client, ada: User) -> None:
    """A3"""
    for number in range(10):
        post(Client(REMOTE_ADDR=f"192.0.2.{number}"), WRONG, "change of ada")
    client.force_login(ada)
    new = "nine green trams at noon"
    form = {"old_password": RIGHT, "new_password1": new, "new_password2": new}

    assert client.post("/me/password/", form).status_code == 302


def test_page_says_what_signing_in_is_for(client: Client) -> None:
    page = client.get("/sign-in/", {"next": "/me/save/?target=/series/GNPCA/"}).text

    assert "Sign in to save and freeze views, to follow series, and as an editor to change names." in page
