"""Settings are read from the environment, and a wrong one stops the start with one line."""

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
KEY = "0123456789abcdefghijklmnopqrstuv"


def start(tmp_path: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """A process that does nothing but read the settings."""
    ours = {"PATH": os.environ["PATH"], "DATA_DIR": str(tmp_path / "var")} | environment
    return subprocess.run(
        [sys.executable, "-c", "import econweb.settings"],
        cwd=ROOT,
        env=ours,
        capture_output=True,
        text=True,
        check=False,
    )


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
    ],
    "ECON_WEBSITE_CATEGORY": ["https://data.example.org/{series_id}"],
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
    "CACHE_URL": ["memcached://somewhere"],
    "ECON_REQUESTS_PER_MINUTE": ["many", "100001"],
    "FRAME_ANCESTORS": ["wiki.example.org; script-src *", "https://*", "https://*:8080", "https://*.*", "*"],
    "BEHIND_PROXY": ["yes!"],
    "DATABASE_URL": ["oracle://somewhere/x"],
    "LOG_FORMAT": ["xml"],
    "SECRET_KEY_FILE": ["/does/not/exist", "/dev/null"],
}


@pytest.mark.parametrize(("name", "value"), [(name, value) for name in WRONG for value in WRONG[name]])
def test_an_invalid_value_is_reported_in_one_line_without_the_value(tmp_path: Path, name: str, value: str) -> None:
    needed = {"ECON_API_KEY": KEY} if name == "ECON_BASE_URL" else {}

    started = start(tmp_path, **needed, **{name: value})

    assert started.returncode == 1
    assert started.stderr.startswith(f"{name}: ")
    assert started.stderr.count("\n") == 1
    assert "Example: " in started.stderr
    assert value not in started.stderr.partition("Example: ")[0]


@pytest.mark.parametrize(
    "environment",
    [
        {"ECON_BASE_URL": "https://data.example.org/api/", "ECON_API_KEY": KEY},
        {"ECON_BASE_URL": "http://127.0.0.1:8001", "ECON_API_KEY": KEY},
        {"ECON_BASE_URL": "http://[::1]:8001", "ECON_API_KEY": KEY, "ECON_FILE_TYPE": "xml"},
        {"ECON_WEBSITE_RELEASE": "https://data.example.org:8443/release?rid={release_id}&page=1#top"},
        {"ECON_TIMEOUT": "2.5", "DEBUG": "true", "ECON_API_KEY": ""},
    ],
)
def test_a_good_value_is_taken(tmp_path: Path, environment: dict[str, str]) -> None:
    assert start(tmp_path, **environment).stderr == ""


def test_another_service_needs_a_key(tmp_path: Path) -> None:
    started = start(tmp_path, ECON_BASE_URL="https://data.example.org")

    assert started.stderr.startswith("ECON_API_KEY: is needed when ECON_BASE_URL is set.")


def test_a_value_may_stand_in_a_file_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "key").write_text("not a key\n", encoding="utf-8")

    assert start(tmp_path, ECON_API_KEY_FILE=str(tmp_path / "key")).stderr.startswith("ECON_API_KEY: is not 32")


def test_a_value_set_in_two_places_is_refused(tmp_path: Path) -> None:
    (tmp_path / "key").write_text(KEY, encoding="utf-8")

    started = start(tmp_path, ECON_API_KEY=KEY, ECON_API_KEY_FILE=str(tmp_path / "key"))

    assert (started.returncode, started.stderr.count("\n")) == (1, 1)
    assert started.stderr.startswith("ECON_API_KEY_FILE: is set together with ECON_API_KEY: set only one of them.")


def test_the_secret_key_is_made_once_for_its_owner_only(tmp_path: Path) -> None:
    start(tmp_path)
    kept = tmp_path / "var" / "secret_key"
    first = kept.read_text(encoding="utf-8")
    start(tmp_path)

    assert len(first) >= 50
    assert kept.read_text(encoding="utf-8") == first
    assert kept.stat().st_mode & 0o777 == 0o600


def ask(tmp_path: Path, name: str, **environment: str) -> str:
    """What a setting comes out as."""
    ours = {"PATH": os.environ["PATH"], "DATA_DIR": str(tmp_path / "var")} | environment
    code = f"from econweb import settings; print(settings.{name})"
    return subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=ours, capture_output=True, text=True, check=True
    ).stdout.strip()


def test_nothing_in_a_value_is_a_reference_to_another(tmp_path: Path) -> None:
    key = "$HOME-and-so-on-${PATH}-to-the-end"

    assert ask(tmp_path, "SECRET_KEY", SECRET_KEY=key) == key


@pytest.mark.parametrize("folder", ["a # b", "a?b", "a%20b", "é"])
def test_the_database_is_kept_in_the_data_folder_whatever_its_name(tmp_path: Path, folder: str) -> None:
    database = ask(tmp_path, "DATABASES['default']['NAME']", DATA_DIR=str(tmp_path / folder))

    assert database == str(tmp_path / folder / "econweb.sqlite3")


def test_a_postgresql_is_taken_apart(tmp_path: Path) -> None:
    database = ask(tmp_path, "DATABASES['default']", DATABASE_URL="postgresql://me:w%40rd@db.example.org:5433/econ")

    for part in ("postgresql", "'NAME': 'econ'", "'USER': 'me'", "'PASSWORD': 'w@rd'", "'PORT': '5433'"):
        assert part in database


@pytest.mark.parametrize(
    ("hosts", "behind_proxy", "expected"),
    [
        ("127.0.0.1,localhost", "false", "(0, False, None)"),
        ("portal.example.org", "false", "(31536000, True, None)"),
        ("portal.example.org", "true", "(31536000, True, ('HTTP_X_FORWARDED_PROTO', 'https'))"),
    ],
)
def test_off_this_machine_https_is_meant(tmp_path: Path, hosts: str, behind_proxy: str, expected: str) -> None:
    names = "SECURE_HSTS_SECONDS, settings.SESSION_COOKIE_SECURE, settings.SECURE_PROXY_SSL_HEADER"

    found = ask(tmp_path, f"__dict__ and (settings.{names})", ALLOWED_HOSTS=hosts, BEHIND_PROXY=behind_proxy)

    assert found == expected


def dot_env(tmp_path: Path, text: str) -> subprocess.CompletedProcess[str]:
    """Reads a `.env` and says what came of it."""
    (tmp_path / ".env").write_bytes(text.encode("latin-1"))
    code = "import os, sys; from pathlib import Path; from econweb.config import environment as e;"
    code += "e.read_dot_env(Path(sys.argv[1])); print({k: v for k, v in os.environ.items() if 'ECON_' in k})"
    return subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / ".env")],
        cwd=ROOT,
        env={},
        capture_output=True,
        text=True,
        check=False,
    )


def test_dot_env_is_read(tmp_path: Path) -> None:
    text = "# a comment\n\nECON_A=1\nexport ECON_B='two words'\nECON_C=\"3\"\nECON_D=a=b\n"

    assert dot_env(tmp_path, text).stdout == "{'ECON_A': '1', 'ECON_B': 'two words', 'ECON_C': '3', 'ECON_D': 'a=b'}\n"


@pytest.mark.parametrize("line", [f"ECON_API_KEY: {KEY}", f"ECON_API_KEY {KEY}", f"é={KEY}", f"ECON_API_KEY = {KEY}"])
def test_a_bad_line_in_dot_env_is_reported_by_number_only(tmp_path: Path, line: str) -> None:
    told = dot_env(tmp_path, f"DEBUG=false\n{line}\n")

    assert told.returncode == 1
    assert told.stderr.startswith(".env")
    assert told.stderr.count("\n") == 1
    assert KEY not in told.stderr


def names_read() -> set[str]:
    """Every setting that settings.py reads through a reader of config/environment.py."""
    tree = ast.parse((ROOT / "econweb" / "settings.py").read_text(encoding="utf-8"))
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)]
    return {
        str(call.args[0].value)
        for call in calls
        if ast.unparse(call.func).startswith("environment.") and call.args and isinstance(call.args[0], ast.Constant)
    }


@pytest.mark.parametrize(
    ("document", "line"), [(".env.example", r"^#(\w+)="), ("docs/settings.md", r"^\| `([A-Z_]+)`")]
)
def test_every_setting_is_documented_and_nothing_else(document: str, line: str) -> None:
    text = (ROOT / document).read_text(encoding="utf-8")

    assert set(re.findall(line, text, re.MULTILINE)) == names_read()
