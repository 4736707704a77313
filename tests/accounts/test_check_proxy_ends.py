"""`manage.py check_proxy` ends well only where it has tested something."""

import io
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from itertools import count
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from pytest_django import Settings

from econweb.accounts.client_address import NOT_OF_PROXY
from tests.http_server import running
from tests.server import served
from tests.startup.prepared import prepare

PAGE = '<p class="kicker"><bdi>{}</bdi></p> <h1>Your account</h1> {} You sign in and out at the proxy of'
Answer = Callable[[int], tuple[int, str]]


@contextmanager
def front(answer: Answer) -> Iterator[str]:
    """Run a proxy that answers each request by its number."""
    numbers = count()

    class Front(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            status, body = answer(next(numbers))
            self.send_response(status)
            self.end_headers()
            self.wfile.write(body.encode())

        def log_message(self, *_: object) -> None: ...

    with running(HTTPServer(("127.0.0.1", 0), Front)) as address:
        yield address


def check(answer: Answer, settings: Settings, *arguments: str) -> str:
    settings.SIGN_IN, output = "proxy", io.StringIO()
    with front(answer) as url:
        call_command("check_proxy", url, *arguments, stdout=output)
    return output.getvalue()


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (200, '<p class="kicker"><bdi>local editor</bdi></p> <h1>Your pages</h1>'),
        (403, "<h1>Only on the machine itself</h1>"),
        (200, '<p class="kicker"><bdi>ada</bdi></p> <h1>Your account</h1> You read.'),
        (404, "File not found"),
    ],
)
def test_site_that_reads_no_header_of_a_proxy_is_an_error(status: int, body: str, settings: Settings) -> None:
    with pytest.raises(
        CommandError, match=rf"status {status}.* no econweb that reads these headers: nothing was tested"
    ):
        check(lambda _: (status, body), settings)


@pytest.mark.parametrize(
    ("way", "said"),
    [("local", "nothing was tested"), ("password", "nothing was tested"), ("proxy", "A client can say who it is")],
)
@pytest.mark.slow
def test_check_tells_the_running_site_from_the_settings(
    way: str, said: str, tmp_path: Path, settings: Settings
) -> None:
    """The settings were changed, and the service was not restarted."""
    settings.SIGN_IN, output = "proxy", io.StringIO()
    more = {"BEHIND_PROXY": "true", "PROXY_ADDRESSES": "127.0.0.1"} if way == "proxy" else {}
    with served(prepare(tmp_path), SIGN_IN=way, **more) as (url, _), pytest.raises(CommandError, match=said):
        call_command("check_proxy", url, stdout=output)

    assert ("Nobody was signed in. Give --headers" in output.getvalue()) == (way == "proxy")


def test_check_without_a_person_says_whether_the_site_is_seen(settings: Settings) -> None:
    nobody = "<h1>You are not signed in</h1> People sign in at the proxy of your organization, and it named nobody"

    assert "It is not seen whether the site reads these headers" in check(lambda _: (401, "Who are you?"), settings)
    assert "not seen" not in check(lambda _: (403, f"{nobody} for this request."), settings)


@pytest.mark.parametrize(
    ("role", "groups", "is_hidden"),
    [
        ("admin", ("it", "librarians"), True),
        ("admin", ("", ""), True),
        ("editor", ("", "librarians"), True),
        ("editor", ("it", "librarians"), False),
    ],
)
def test_check_needs_a_person_whose_role_forged_groups_would_raise(
    role: str, groups: tuple[str, str], is_hidden: bool, settings: Settings
) -> None:
    settings.ADMIN_GROUPS, settings.EDITOR_GROUPS = ([name] if name else [] for name in groups)

    def answer(_: int) -> tuple[int, str]:
        return 200, PAGE.format("ada", f"You are an {role}")

    if is_hidden:
        with pytest.raises(CommandError, match=rf"ada is an {role}\. .*give --headers of a person without one"):
            check(answer, settings)
    else:
        assert "37 dropped or replaced" in check(answer, settings)


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("Bad request", "status 400: name 127.0.0.1 in ALLOWED_HOSTS and restart, or have the proxy pass `Host`"),
        ("This request cannot name a person: a comma.", "refuses what the proxy sends: the log of the site says why"),
    ],
)
def test_site_that_refuses_every_request_is_an_error(body: str, said: str, settings: Settings) -> None:
    with pytest.raises(CommandError, match=said):
        check(lambda _: (400, body), settings)


def test_headers_that_sign_nobody_in_are_an_error(settings: Settings, tmp_path: Path) -> None:
    (tmp_path / "headers").write_text("Authorization: Basic wrong")

    with pytest.raises(CommandError, match="--headers signs nobody in"):
        check(lambda _: (401, "Who are you?"), settings, "--headers", str(tmp_path / "headers"))
    assert "Give --headers as well" in check(lambda _: (401, "Who are you?"), settings)


@pytest.mark.parametrize(
    ("other", "said"),
    [
        ((200, PAGE.format("eve", "")), "200, ada; 200, eve"),
        ((200, PAGE.format("ada", "You are an admin")), "200, ada; 200, ada, admin"),
        ((400, "Bad request"), "200, ada; 400, nobody"),
    ],
)
def test_hosts_that_answer_differently_are_an_error(other: tuple[int, str], said: str, settings: Settings) -> None:
    """The proxy sends every second request to the other host."""
    settings.ADMIN_GROUPS = ["it"]

    with pytest.raises(CommandError, match=f"The hosts answer differently: {said}"):
        check(lambda number: other if number % 2 else (200, PAGE.format("ada", "")), settings)


def test_host_that_stops_during_the_attacks_is_an_error(settings: Settings) -> None:
    with pytest.raises(CommandError, match="The hosts answer differently: 200, ada; 404, nobody"):
        check(lambda number: (200, PAGE.format("ada", "")) if number < 40 else (404, ""), settings)


def test_wrong_address_of_one_attack_is_an_error(settings: Settings) -> None:
    refused = f"This request cannot name a person: {NOT_OF_PROXY}."

    with pytest.raises(CommandError, match="PROXY_ADDRESSES lacks"):
        check(lambda number: (400, refused) if number == 4 else (200, "Sign in"), settings)


def test_limit_of_the_proxy_is_no_difference_between_hosts(settings: Settings) -> None:
    with pytest.raises(CommandError, match="Start the command again later"):
        check(lambda number: (429, "") if number > 20 else (200, PAGE.format("ada", "")), settings)
