"""The settings of SIGN_IN=oidc belong together, and no other site loads the libraries of a provider."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.config.reading import read_settings, refusal
from tests.server import ROOT

WHOLE = {
    "SIGN_IN": "oidc",
    "ALLOWED_HOSTS": "econ.example.org",
    "OIDC_ISSUER": "https://sso.example.org/realms/one/",
    "OIDC_CLIENT_ID": "econweb",
    "OIDC_CLIENT_SECRET": "0123456789abcdef",
}
NEEDED = ["OIDC_ISSUER", "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET"]


def test_oidc_settings_are_read(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("0123456789abcdef\n", encoding="utf-8")
    given = {**WHOLE, "OIDC_CLIENT_SECRET": "", "OIDC_CLIENT_SECRET_FILE": str(tmp_path / "secret")}
    found = read_settings(tmp_path, **given)

    assert found["OIDC_ISSUER"] == "https://sso.example.org/realms/one"
    assert found["OIDC_CLIENT_SECRET"] == WHOLE["OIDC_CLIENT_SECRET"]
    assert (found["OIDC_SCOPES"], found["OIDC_GROUPS_CLAIM"]) == (["openid", "profile", "email"], "groups")
    assert found["AUTHENTICATION_BACKENDS"] == ["econweb.accounts.oidc.person.ProviderBackend"]


@pytest.mark.parametrize("name", NEEDED)
def test_oidc_stops_the_start_without_its_settings(tmp_path: Path, name: str) -> None:
    line = refusal(tmp_path, **{**WHOLE, name: ""})

    assert line.startswith(f"{name}: is needed with SIGN_IN=oidc. Example: {name}")
    assert "\n" not in line


@pytest.mark.parametrize("name", NEEDED)
@pytest.mark.parametrize("mode", ["password", ""])
def test_oidc_setting_without_effect_stops_the_start(tmp_path: Path, name: str, mode: str) -> None:
    line = refusal(tmp_path, SIGN_IN=mode, **{name: WHOLE[name]})

    assert line == f"{name}: is set, but SIGN_IN is not oidc. Example: SIGN_IN=oidc"


@pytest.mark.parametrize(
    ("value", "wrong"),
    [
        ("sso.example.org", "is not the URL of a provider"),
        (
            "https://sso.example.org/.well-known/openid-configuration",
            "is the address of a document: leave /.well-known/openid-configuration out",
        ),
        ("http://sso.example.org", "is plain http to another machine, which would show OIDC_CLIENT_SECRET"),
    ],
)
def test_oidc_issuer_is_refused_with_the_words_of_a_provider(tmp_path: Path, value: str, wrong: str) -> None:
    line = refusal(tmp_path, **{**WHOLE, "OIDC_ISSUER": value})

    assert line == f"OIDC_ISSUER: {wrong}. Example: OIDC_ISSUER=https://sso.example.org"


@pytest.mark.slow
def test_site_without_a_provider_does_not_load_its_libraries(tmp_path: Path) -> None:
    code = "import sys, django; django.setup(); import econweb.urls; print({'authlib', 'joserfc'} & {*sys.modules})"
    environment = {"PATH": os.environ["PATH"], "DATA_DIR": str(tmp_path), "DJANGO_SETTINGS_MODULE": "econweb.settings"}
    command = [sys.executable, "-c", code]
    ran = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)

    assert ran.stdout.strip() == "set()"
