"""`manage.py doctor`: what it says of an installation, and how it ends."""

import os
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from smtplib import SMTPAuthenticationError
from typing import NamedTuple

import pytest
import structlog
from django.core.management import call_command
from django.db import connection
from pytest_django import Settings

from econweb.config import environment
from econweb.config.mail_config import MailServer
from tests.builders import a_series
from tests.conftest import Loader
from tests.http_server import running

# It closes the connection, as the readiness check does.
pytestmark = pytest.mark.django_db(transaction=True)


class Report(NamedTuple):
    lines: list[str]
    code: int

    def about(self, topic: str) -> list[str]:
        return [" ".join(line.split()) for line in self.lines if line.split()[1] == topic]


Doctor = Callable[..., Report]


@pytest.fixture
def doctor(capsys: pytest.CaptureFixture[str]) -> Iterator[Doctor]:
    def run(*arguments: str) -> Report:
        code = 0
        try:
            call_command("doctor", *arguments)
        except SystemExit as end:
            code = int(end.code or 0)
        return Report(capsys.readouterr().out.splitlines(), code)

    before = structlog.get_config()
    # A logger that is used for the first time would otherwise stay silent in later tests.
    structlog.configure(cache_logger_on_first_use=False)
    yield run
    structlog.configure(**before)


def test_doctor_finds_nothing_on_a_good_site(doctor: Doctor, catalogue: Loader) -> None:
    catalogue(series=[a_series()])

    report = doctor()

    assert report.code == 0
    assert report.about("service")[0].startswith("ok service the embedded service accepts the key")
    assert [line for line in report.lines if line.startswith("ERROR")] == []
    assert report.about("database") == [f"ok database {connection.vendor} has the tables of this version"]


@pytest.mark.parametrize(
    ("name", "hint"),
    [("ECON_TIMOUT", ": is ECON_TIMEOUT meant?"), ("ALLOWED_HOST", ": is ALLOWED_HOSTS meant?"), ("ECON_ZZZZ", "")],
)
def test_doctor_names_the_setting_that_is_meant(
    doctor: Doctor, monkeypatch: pytest.MonkeyPatch, name: str, hint: str
) -> None:
    """O22"""
    monkeypatch.setenv(name, "5")
    monkeypatch.setenv("EDITOR", "vi")

    assert doctor().about("settings")[0] == f"warning settings {name} in the environment is no setting{hint}"


def test_doctor_names_the_line_of_dot_env(doctor: Doctor, monkeypatch: pytest.MonkeyPatch) -> None:
    """O22"""
    monkeypatch.setitem(environment.dot_env_lines, "CASH_URL", 3)

    assert (
        doctor().about("settings")[0] == "warning settings CASH_URL (.env, line 3) is no setting: is CACHE_URL meant?"
    )


@pytest.mark.parametrize(
    ("name", "needed"),
    [
        ("ECON_REQUESTS_PER_MINUTE", "ECON_BASE_URL, which is unset"),
        ("PROXY_USER_HEADER", "SIGN_IN=proxy, and it is local"),
        ("OIDC_SCOPES", "SIGN_IN=oidc, and it is local"),
        ("EDITOR_GROUPS_FILE", "SIGN_IN=proxy or oidc, and it is local"),
        ("ADMINS", "accounts, and SIGN_IN is local"),
    ],
)
def test_doctor_names_settings_without_effect(
    doctor: Doctor, monkeypatch: pytest.MonkeyPatch, name: str, needed: str
) -> None:
    """O22"""
    monkeypatch.setenv(name, "7")
    shown = name.removesuffix("_FILE")

    assert f"warning settings {shown} is set without effect: it needs {needed}" in doctor().about("settings")


def test_doctor_ends_with_1_on_warnings_if_asked(doctor: Doctor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ECON_TIMOUT", "5")

    assert doctor("--strict").code == 1


def test_debug_on_a_public_site_is_an_error(doctor: Doctor, settings: Settings) -> None:
    settings.DEBUG = settings.SESSION_COOKIE_SECURE = True

    report = doctor()

    assert report.code == 1
    assert report.about("settings")[0].startswith("ERROR settings DEBUG is true")
    assert any("nobody can sign in: BEHIND_PROXY is false" in line for line in report.lines)


def test_doctor_asks_an_unreachable_cache_and_mail_server(doctor: Doctor, settings: Settings) -> None:
    settings.CACHE_URL = "redis://127.0.0.1:1/0"
    settings.CACHES = {
        "default": {"BACKEND": "econweb.upstream.cache.redis_backend.SharedCache", "LOCATION": settings.CACHE_URL}
    }
    settings.MAIL_SERVER = MailServer(
        {"backend": "django.core.mail.backends.smtp.EmailBackend", "host": "127.0.0.1", "port": 1}, "a@example.org"
    )

    report = doctor()

    assert report.about("cache")[0].startswith("ERROR cache it cannot be used (nothing listens at its port)")
    assert report.about("mail")[0].startswith("ERROR mail the server 127.0.0.1:1 cannot be used (nothing listens")


def test_doctor_says_that_the_mail_server_refuses_the_password(
    doctor: Doctor, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = {"backend": "django.core.mail.backends.smtp.EmailBackend", "host": "mail.example.org", "port": 465}
    settings.MAIL_SERVER = MailServer(server, "a@example.org")

    def refuse(*_: object) -> None:
        raise SMTPAuthenticationError(535, b"secret-word")

    monkeypatch.setattr("django.core.mail.backends.smtp.EmailBackend.open", refuse)

    said = "ERROR mail the server mail.example.org:465 refuses the user or the password in EMAIL_URL"
    assert doctor().about("mail") == [said]


@pytest.mark.parametrize(
    ("waiting", "said"),
    [
        (["library.0009_more"], "1 migration is to be applied"),
        (["library.0009_more", "library.0010_last"], "2 migrations are to be applied"),
    ],
)
def test_doctor_lists_what_an_upgrade_changes(
    doctor: Doctor, catalogue: Loader, monkeypatch: pytest.MonkeyPatch, waiting: list[str], said: str
) -> None:
    catalogue(series=[a_series()])
    monkeypatch.setattr("econweb.doctor.database_checks.waiting_migrations", lambda: waiting)
    monkeypatch.setattr("econweb.startup.database_state.waiting_migrations", lambda: waiting)

    report = doctor()

    assert report.about("upgrade")[0].endswith("; ".join(f"migrates {name}" for name in waiting))
    assert report.about("database")[0] == f"warning database {connection.vendor}: {said}"
    assert report.code == 0


def test_doctor_names_open_secrets_and_files_of_the_future(doctor: Doctor, settings: Settings, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path
    secret = tmp_path / "secret_key"
    secret.touch(mode=0o644)
    os.utime(secret, (time.time() + 3600,) * 2)

    report = doctor()

    remedy = f"call `chmod go= {secret}`, and change its secrets if others may have read them"
    assert report.about("files") == [f"warning files {secret} is open to other users: {remedy}"]
    assert report.about("clock")[0].startswith("ERROR clock it was set back: a file in ")


def test_doctor_goes_on_after_a_check_that_fails(
    doctor: Doctor, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: object) -> None:
        raise ValueError(f"word {settings.CATALOGUE_OWN_KEY}")

    monkeypatch.setattr("shutil.disk_usage", fail)

    report = doctor()

    assert report.about("disk") == ["ERROR disk this check failed itself (ValueError: word [hidden])"]
    assert report.about("database")


class Front(BaseHTTPRequestHandler):
    """A proxy that lets everything through."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"ok\n")

    def log_message(self, *_: object) -> None: ...


def test_doctor_sees_an_open_door_in_the_proxy(doctor: Doctor, settings: Settings) -> None:
    settings.SESSION_COOKIE_SECURE = settings.BEHIND_PROXY = True
    with running(ThreadingHTTPServer(("127.0.0.1", 0), Front)) as address:
        found = doctor("--url", f"{address}/").about("proxy")

    assert [line.split()[:3] for line in found] == [
        ["warning", "proxy", "/metrics"],
        ["warning", "proxy", "/readyz"],
        ["ERROR", "proxy", "nobody"],
    ]


def test_doctor_says_that_nothing_answers_at_the_address(doctor: Doctor) -> None:
    found = doctor("--url", "http://127.0.0.1:1").about("proxy")

    assert found == ["ERROR proxy http://127.0.0.1:1 does not answer (nothing listens at its port)"]


def test_address_of_links_and_citations_is_named(doctor: Doctor, settings: Settings) -> None:
    here = doctor().about("address")
    settings.ALLOWED_HOSTS, settings.SESSION_COOKIE_SECURE = ["portal.example.org"], True
    (public,) = doctor().about("address")

    assert here == ["ok address ALLOWED_HOSTS names this machine only, and so do links, citations and invitations"]
    assert "https://portal.example.org" in public
