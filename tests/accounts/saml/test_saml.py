"""SAML: Apache with mod_auth_mellon, set up as docs/sign-in.md says, and an identity provider made of pysaml2."""

import base64
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
import requests
import trustme

from tests.accounts.oidc.test_real_providers import filled, install_python
from tests.accounts.test_check_proxy import MODULES, check, listening, load_modules, settings_of_site
from tests.programs import MELLON, program
from tests.server import ROOT, free_port, served
from tests.startup.prepared import prepare

pytestmark = pytest.mark.slow
HERE = Path(__file__).parent
PASSWORD = "seven green trams at noon"
APACHE = """
ServerRoot {folder}
ServerName 127.0.0.1
PidFile {folder}/apache.pid
ErrorLog {folder}/apache.log
Listen 127.0.0.1:{port}
{modules}
{rules}
"""


def documented() -> str:
    """Return the lines of the document, without HTTPS, which the test has no certificate for."""
    text = (ROOT / "docs/sign-in.md").read_text(encoding="utf-8")
    block = next(block for block in text.split("```apache\n") if "AuthType Mellon" in block).partition("```")[0]
    return block.replace("MellonSecureCookie On\n", "").replace("X-Forwarded-Proto https", "X-Forwarded-Proto http")


@contextmanager
def behind_saml(data: Path) -> Iterator[str]:
    """Run the site, Apache and the provider; return the address at Apache."""
    module, python = program(MELLON), data / "saml/bin/python"
    program("xmlsec1")
    install_python(data / "saml", "pysaml2>=7.5,<8")
    with TemporaryDirectory() as name, served(data, **settings_of_site(), EDITOR_GROUPS="data desk") as (site, _):
        folder, port, provider = Path(name), free_port(), free_port()
        folder.chmod(0o755)
        front = f"http://127.0.0.1:{port}"
        for owner in ("portal", "provider"):
            pair = trustme.CA().issue_cert(f"{owner}.example.org", key_type=trustme.KeyType.RSA)
            pair.private_key_pem.write_to_path(folder / f"{owner}.key")
            pair.cert_chain_pems[0].write_to_path(folder / f"{owner}.crt")
        command = [str(python), str(HERE / "identity_provider.py"), str(provider), front, name, PASSWORD]
        with listening(command, provider):
            metadata = requests.get(f"http://127.0.0.1:{provider}/metadata", timeout=20).text
            (folder / "provider.xml").write_text(metadata)
            rules = documented().replace("/etc/apache2/mellon", name).replace("https://econ.example.org", front)
            rules = rules.replace("http://192.0.2.2:8000", site)
            modules = f"{load_modules(MODULES)}\nLoadModule auth_mellon_module {module}"
            config = APACHE.format(folder=folder, port=port, modules=modules, rules=rules)
            (folder / "config").write_text(config)
            with listening([program("apache2"), "-D", "FOREGROUND", "-f", str(folder / "config")], port):
                yield front


@pytest.fixture(scope="module")
def front(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    data = prepare(tmp_path_factory.mktemp("data"))
    with behind_saml(data) as address:
        yield address, data


def begin(browser: requests.Session, address: str) -> tuple[str, dict[str, str]]:
    """Sign in at the provider; return where its signed reply goes, and the reply."""
    page = browser.get(address, timeout=20)
    return filled(browser.post(*filled(page, {"login": "ada", "password": PASSWORD}), timeout=20), {})


def test_person_signs_in_and_out_by_saml(front: tuple[str, Path]) -> None:
    browser = requests.Session()
    action, fields = begin(browser, f"{front[0]}/me/")
    page = browser.post(action, fields, timeout=20)

    assert page.url == f"{front[0]}/me/"
    assert "<bdi>ada</bdi>" in page.text
    assert "You are an editor" in page.text
    assert browser.get(f"{front[0]}/changes/", timeout=20).status_code == 200

    left = browser.get(f"{front[0]}/mellon/logout", params={"ReturnTo": f"{front[0]}/"}, timeout=20)
    assert "SAMLRequest" in left.text, left.text
    assert "password" in browser.get(f"{front[0]}/me/", timeout=20).text


def test_forged_headers_beside_saml_are_refused(front: tuple[str, Path]) -> None:
    browser = requests.Session()
    action, fields = begin(browser, f"{front[0]}/me/")
    browser.post(action, fields, timeout=20)
    cookies = "; ".join(f"{cookie.name}={cookie.value}" for cookie in browser.cookies)
    result = check(front[0], front[1], f"Cookie: {cookies}")

    assert result.returncode == 0, result.stdout + result.stderr
    assert "Without a forged header: ada (status 200)." in result.stdout
    assert "GOT THROUGH" not in result.stdout


def test_changed_or_repeated_saml_reply_signs_nobody_in(front: tuple[str, Path]) -> None:
    browser, other = requests.Session(), requests.Session()
    action, fields = begin(browser, f"{front[0]}/me/")
    begin(other, f"{front[0]}/me/")
    reply = base64.b64decode(fields["SAMLResponse"]).decode()
    changed = base64.b64encode(reply.replace(">ada<", ">eve<").encode()).decode()

    assert ">ada<" in reply
    assert browser.post(action, fields | {"SAMLResponse": changed}, timeout=20).status_code == 400
    assert browser.post(action, fields, timeout=20).status_code == 200
    assert [each.post(action, fields, timeout=20).status_code for each in (browser, other)] == [400, 400]
