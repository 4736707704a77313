"""Settings are read from the environment, and a wrong one stops the start with one line."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.config.reading import KEY, read_settings, refusal
from tests.server import ROOT

WRONG = {
    "DEBUG": ["maybe"],
    "ECON_BASE_URL": [
        "data.example.org",
        "ftp://data.example.org",
        "http://data.example.org",
        "https://user:word@data.example.org",
        "https://data.example.org:port",
        "https://data.example.org/?api_key=x",
        "https://",
        "https://data.example.org?",
        "https://data.example.org#",
        "https://exa mple.org",
        "https://data..org",
        "https://-data.example.org",
        "https://data.example.org:0",
        "https://data.example.org/a b",
        "https://data.example.org\\@evil.example",
        "http://evil.localhost",
    ],
    "ECON_API_KEY": ["SHOUTED0123456789abcdefghijklmno", "short"],
    "ECON_FILE_TYPE": ["yaml"],
    "ECON_TIMEOUT": ["soon", "-1", "0.05", "1e3", "１０", "100000"],
    "ECON_SERVICE_PATH": ["../up", "a b", "x?y", "./x"],
    "ECON_PROVIDER": ["<b>Bank</b>", "Bank\nof Example", "x" * 101],
    "ECON_WEBSITE": [
        "data.example.org/{series_id}",
        "javascript:alert({series_id})",
        "https://data.example.org/series",
        "https://data.example.org/{category_id}",
        "https://data.example.org/{series_id}/{series_id}",
        "https://{series_id}/",
        "https://user:word@data.example.org/{series_id}",
        'https://data.example.org/"{series_id}',
        "https://data.example.org/a b/{series_id}",
        "https://data.example.org:99999/{series_id}",
    ],
    "ECON_WEBSITE_CATEGORY": ["https://data.example.org/{series_id}", "https://data.example.org:0/{category_id}"],
    "ECON_WEBSITE_RELEASE": ["https://data.example.org/?rid="],
    "ALLOWED_HOSTS": [
        "bad host/",
        "portal.example.org:8000",
        ", ,",
        "*",
        "*.example.org",
        "portal.example.org,*",
    ],
    "SECRET_KEY": ["abc", "0123456789abcdefghijklmnopqrstu"],
    "DATA_DIR": ["/proc/nowhere", "/etc/passwd"],
    "TIME_ZONE": ["Mars/Base"],
    "CACHE_URL": ["memcached://somewhere", "redis://127.0.0.1:99999/0", "redis://:word@127.0.0.1:99999"],
    "ECON_BACKGROUND_SHARE": ["0.51", "0.0255", "-0.1", "half", "1", ".1"],
    "ECON_REQUESTS_PER_MINUTE": ["many", "100001"],
    "FRAME_ANCESTORS": ["wiki.example.org; script-src *", "https://*", "https://*:8080", "https://*.*", "*"],
    "BEHIND_PROXY": ["yes!"],
    "DATABASE_URL": [
        "oracle://somewhere/x",
        "postgresql://me:p@ss:w/rd@127.0.0.1/name",
        "postgresql://me:12/rd@127.0.0.1/name",
        "postgresql://me:12?rd@127.0.0.1/name",
        "postgresql://me:12#rd@127.0.0.1/name",
        "postgresql://me:p[ss@127.0.0.1/name",
    ],
    "LOG_FORMAT": ["xml"],
    "ECON_MAY_STORE": ["perhaps"],
    "SERVICE_NOTICE": [
        "Data by Example.",
        "https://data.example.org/terms",
        "Data by Example. http://data.example.org/terms",
        "Data by Example. javascript:alert(1)",
        "Data by Example. https://user:word@data.example.org/",
        'Data by Example. https://data.example.org/"',
        "Data by <b>Example</b>. https://data.example.org/terms",
        "Data by\x07 Example. https://data.example.org/terms",
        "Data by \u202eExample. https://data.example.org/terms",
        f"{'x' * 301} https://data.example.org/terms",
    ],
    "OIDC_ISSUER": ["sso.example.org", "http://sso.example.org", "https://sso.example.org/?x=1"],
    "OIDC_CLIENT_ID": ["a b", "x" * 201],
    "OIDC_CLIENT_SECRET": ["short", "with a space in the middle"],
    "OIDC_SCOPES": ["profile,email", "openid profile"],
    "OIDC_GROUPS_CLAIM": ["my groups"],
    "SECRET_KEY_FILE": ["/does/not/exist", "/dev/null"],
}


@pytest.mark.parametrize(("name", "value"), [(name, value) for name in WRONG for value in WRONG[name]])
def test_invalid_setting_is_reported_in_one_line_without_its_value(tmp_path: Path, name: str, value: str) -> None:
    needed = {"ECON_API_KEY": KEY} if name == "ECON_BASE_URL" else {}

    line = refusal(tmp_path, **needed, **{name: value})

    assert line.startswith(f"{name}: ")
    assert "\n" not in line
    assert "Example: " in line
    assert value not in line.partition("Example: ")[0]


@pytest.mark.parametrize(
    ("name", "value", "wrong"),
    [
        ("ECON_STALE_SECONDS", "7776001", "is not between 0 and 7776000 seconds"),
        ("ALLOWED_HOSTS", "portal.example.org, bad host", "has a part that cannot be used, number 2 of 2"),
        ("DATABASE_URL", "postgresql://me:p/ss@127.0.0.1/name", "write @ / : # ? in a password as %40 %2F %3A %23 %3F"),
    ],
)
def test_invalid_setting_says_what_would_be_valid(tmp_path: Path, name: str, value: str, wrong: str) -> None:
    assert wrong in refusal(tmp_path, **{name: value})


@pytest.mark.slow
def test_invalid_setting_ends_the_program_with_one_line(tmp_path: Path) -> None:
    command = [sys.executable, "-c", "import econweb.settings"]
    environment = {"PATH": os.environ["PATH"], "DATA_DIR": str(tmp_path / "var"), "DEBUG": "maybe"}
    ran = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)

    assert (ran.returncode, ran.stdout, ran.stderr.count("\n")) == (1, "", 1)
    assert ran.stderr.startswith("DEBUG: ")


@pytest.mark.parametrize(
    "environment",
    [
        {"ECON_BASE_URL": "https://data.example.org/api/", "ECON_API_KEY": KEY},
        {"ECON_BASE_URL": "http://127.0.0.1:8001", "ECON_API_KEY": KEY},
        {"ECON_BASE_URL": "http://[::1]:8001", "ECON_API_KEY": KEY, "ECON_FILE_TYPE": "xml"},
        {"ECON_WEBSITE_RELEASE": "https://data.example.org:8443/release?rid={release_id}&page=1#top"},
        {"ECON_BACKGROUND_SHARE": "0.025", "CACHE_URL": "redis://cache_1:65535/0"},
        {"ECON_TIMEOUT": "2.5", "DEBUG": "true", "ECON_API_KEY": "", "CACHE_URL": "rediss://:a:b@c@[::1]:6379"},
    ],
)
def test_valid_setting_is_accepted(tmp_path: Path, environment: dict[str, str]) -> None:
    found = read_settings(tmp_path, **environment)

    assert {name: str(found[name]).lower() for name in environment} == {
        name: value.removesuffix("/") for name, value in environment.items()
    }


def test_setting_of_another_service_needs_a_key(tmp_path: Path) -> None:
    line = refusal(tmp_path, ECON_BASE_URL="https://data.example.org")

    assert line.startswith("ECON_API_KEY: is needed when ECON_BASE_URL is set.")


def test_setting_may_be_in_a_file(tmp_path: Path) -> None:
    (tmp_path / "key").write_text("not a key\n", encoding="utf-8")

    assert refusal(tmp_path, ECON_API_KEY_FILE=str(tmp_path / "key")).startswith("ECON_API_KEY: is not 32")


def test_setting_in_two_places_is_refused(tmp_path: Path) -> None:
    (tmp_path / "key").write_text(KEY, encoding="utf-8")

    line = refusal(tmp_path, ECON_API_KEY=KEY, ECON_API_KEY_FILE=str(tmp_path / "key"))

    assert "\n" not in line
    assert line.startswith("ECON_API_KEY_FILE: is set together with ECON_API_KEY: set only one of them.")


def test_secret_key_is_created_once_for_its_owner_only(tmp_path: Path) -> None:
    read_settings(tmp_path)
    kept = tmp_path / "var" / "secret_key"
    first = kept.read_text(encoding="utf-8")
    read_settings(tmp_path)

    assert len(first) >= 50
    assert kept.read_text(encoding="utf-8") == first
    assert kept.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({}, "True"),
        ({"ECON_MAY_STORE": "false"}, "False"),
        ({"ECON_BASE_URL": "https://data.example.org", "ECON_API_KEY": KEY}, "False"),
        ({"ECON_BASE_URL": "https://data.example.org", "ECON_API_KEY": KEY, "ECON_MAY_STORE": "true"}, "True"),
    ],
)
def test_replies_of_another_service_are_stored_only_if_the_operator_says_so(
    tmp_path: Path, environment: dict[str, str], expected: str
) -> None:
    assert str(read_settings(tmp_path, **environment)["ECON_MAY_STORE"]) == expected


def test_service_notice_is_a_sentence_and_a_link(tmp_path: Path) -> None:
    given = "Data by Example & Co. https://data.example.org/terms"

    assert read_settings(tmp_path, SERVICE_NOTICE=given)["SERVICE_NOTICE"] == tuple(given.rsplit(" ", 1))
    assert read_settings(tmp_path)["SERVICE_NOTICE"] == ("", "")


def test_setting_values_are_not_interpolated(tmp_path: Path) -> None:
    key = "$HOME-and-so-on-${PATH}-to-the-end"

    assert read_settings(tmp_path, SECRET_KEY=key)["SECRET_KEY"] == key


@pytest.mark.parametrize("folder", ["a # b", "a?b", "a%20b", "é"])
def test_database_is_in_the_data_folder(tmp_path: Path, folder: str) -> None:
    database = read_settings(tmp_path, DATA_DIR=str(tmp_path / folder))["DATABASES"]["default"]

    assert str(database["NAME"]) == str(tmp_path / folder / "econweb.sqlite3")


def test_postgresql_url_is_parsed(tmp_path: Path) -> None:
    url = "postgresql://me:w%40rd@db.example.org:5433/econ"
    database = read_settings(tmp_path, DATABASE_URL=url)["DATABASES"]["default"]

    assert database["ENGINE"].endswith("postgresql")
    assert [str(database[part]) for part in ("NAME", "USER", "PASSWORD", "PORT")] == ["econ", "me", "w@rd", "5433"]


def test_host_of_the_database_that_vanishes_holds_nobody_for_long(tmp_path: Path) -> None:
    url = "postgresql://me@db.example.org/econ?connect_timeout=9"
    options = read_settings(tmp_path, DATABASE_URL=url)["DATABASES"]["default"]["OPTIONS"]
    silence = options["keepalives_idle"] + options["keepalives_interval"] * options["keepalives_count"]

    assert (options["tcp_user_timeout"], silence, options["connect_timeout"]) == (5000, 11, "9")


@pytest.mark.parametrize(
    ("hosts", "behind_proxy", "expected"),
    [
        ("127.0.0.1,localhost", "false", [0, False, None]),
        ("portal.example.org", "false", [31536000, True, None]),
        ("portal.example.org", "true", [31536000, True, ("HTTP_X_FORWARDED_PROTO", "https")]),
    ],
)
def test_https_settings_apply_outside_this_machine(
    tmp_path: Path, hosts: str, behind_proxy: str, expected: list[object]
) -> None:
    names = ("SECURE_HSTS_SECONDS", "SESSION_COOKIE_SECURE", "SECURE_PROXY_SSL_HEADER")

    found = read_settings(tmp_path, ALLOWED_HOSTS=hosts, BEHIND_PROXY=behind_proxy)

    assert [found[name] for name in names] == expected
