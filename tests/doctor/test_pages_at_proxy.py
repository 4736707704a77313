"""`manage.py doctor --url` at a site whose every page is 400."""

from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from pytest_django import Settings

from econweb.doctor.findings import Finding, Level
from econweb.doctor.proxy_checks import check_front
from tests.accounts.test_check_proxy import AUTH, SET_BY_NGINX, proxied
from tests.http_server import running
from tests.server import served
from tests.startup.prepared import prepare

pytestmark = pytest.mark.slow
# Both proxies hide what is for monitoring, and the second one names a person in each request.
PLAIN, NAMING = "satisfy any; allow all;", "satisfy any; allow all; proxy_set_header EconwebUser ada;"
# As in docs/sign-in.md: nginx asks for a password, but not for feeds.
FEEDS = "} location /feeds/ { proxy_pass SITE; proxy_set_header Host "
LOCATIONS = """ }} location /healthz {{ proxy_pass {site}; {client}
}} location ~ ^/(metrics|readyz)$ {{ deny all;"""
GOOD_ADDRESS = {"SIGN_IN": "proxy", "BEHIND_PROXY": "true", "PROXY_ADDRESSES": "127.0.0.1"}
# The address of the client, not what the client says.
CLIENT = "proxy_set_header X-Forwarded-For $remote_addr;"
WRONG_ADDRESS = {"SIGN_IN": "proxy", "BEHIND_PROXY": "true", "PROXY_ADDRESSES": "192.0.2.1"}


class ToHttps(BaseHTTPRequestHandler):
    """The documented server of port 80 (docs/deploy.md, TLS)."""

    def do_GET(self) -> None:
        self.send_response(301)
        self.send_header("Location", f"https://portal.example.org{self.path}")
        self.end_headers()

    def log_message(self, *_: object) -> None: ...


def find(rules: str, folder: Path, client: str = CLIENT, **settings: str) -> list[Finding]:
    """Return what doctor says of a proxy with these rules; `SITE` in them is the address of the site."""
    with (
        served(prepare(folder), **settings) as (site, _),
        proxied("nginx", rules.replace("SITE", site) + LOCATIONS.format(site=site, client=client), site) as url,
    ):
        return [*check_front(url)]


def test_doctor_says_that_allowed_hosts_lacks_the_name(tmp_path: Path) -> None:
    (found,) = find(PLAIN, tmp_path, ALLOWED_HOSTS="econ.example.org", BEHIND_PROXY="true")

    assert found.level == Level.ERROR
    assert "/about/ is 400" in found.text
    assert "name 127.0.0.1 in ALLOWED_HOSTS" in found.text
    assert "have the proxy pass `Host`" in found.text


def test_name_that_the_proxy_replaces_is_good(tmp_path: Path, settings: Settings) -> None:
    settings.ALLOWED_HOSTS = ["econ.example.org"]
    (found,) = find(PLAIN, tmp_path, BEHIND_PROXY="true")

    assert found.level == Level.GOOD


@pytest.mark.parametrize("rules", [PLAIN, NAMING])
def test_doctor_says_that_proxy_addresses_lacks_the_proxy(rules: str, tmp_path: Path, settings: Settings) -> None:
    settings.SIGN_IN = "proxy"

    found = find(rules, tmp_path, **WRONG_ADDRESS)

    assert not [one for one in found if "cannot forge" in one.text]
    assert ["PROXY_ADDRESSES lacks" in one.text for one in found if one.level == Level.ERROR] == [True]


@pytest.mark.parametrize("client", ["", "proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;", CLIENT])
def test_doctor_says_that_a_client_can_choose_its_address(client: str, tmp_path: Path) -> None:
    found = find(PLAIN, tmp_path, client=client, BEHIND_PROXY="true")

    said = [(one.level, "X-Forwarded-For" in one.text) for one in found]
    # Appended to what the client sent, the address of the proxy counts.
    assert said == ([(Level.GOOD, False)] if client else [(Level.ERROR, True)])


def test_address_that_leads_to_https_is_named() -> None:
    with running(ThreadingHTTPServer(("127.0.0.1", 0), ToHttps)) as url:
        found = [*check_front(url)]

    said = f"not looked at: {url} leads to https, so use that address, --url https://portal.example.org"
    assert found == [Finding(Level.WARNING, "proxy", said)]


def test_page_that_leads_to_sign_in_is_good(tmp_path: Path) -> None:
    (found,) = find(PLAIN, tmp_path, SIGN_IN="password", READ="signed-in")

    assert found.level == Level.GOOD


def test_check_proxy_says_that_proxy_addresses_lacks_the_proxy(tmp_path: Path, settings: Settings) -> None:
    """A stranger, such as doctor, is stopped by the proxy before the site is asked."""
    settings.SIGN_IN, headers = "proxy", tmp_path / "headers"
    headers.write_text(AUTH)
    with (
        served(prepare(tmp_path), **WRONG_ADDRESS) as (site, _),
        proxied("nginx", SET_BY_NGINX, site) as url,
        pytest.raises(CommandError, match="PROXY_ADDRESSES"),
    ):
        call_command("check_proxy", url, "--headers", str(headers))


@pytest.mark.parametrize(
    ("allowed", "host"),
    [("econ.example.org", "$http_host;"), ("127.0.0.1", "portal;")],
)
def test_doctor_sees_a_wrong_name_behind_the_password_of_the_proxy(
    allowed: str, host: str, tmp_path: Path, settings: Settings
) -> None:
    settings.SIGN_IN = "proxy"

    found = find(FEEDS + host, tmp_path, ALLOWED_HOSTS=allowed, **GOOD_ADDRESS)

    assert ["/feeds/x is 400: name 127.0.0.1 in ALLOWED_HOSTS" in one.text for one in found][:1] == [True]
    assert found[0].level == Level.ERROR


@pytest.mark.parametrize(
    ("feeds", "said"),
    [
        (f"{FEEDS}$http_host;", []),
        ("", ["not seen: Host and ALLOWED_HOSTS, because the proxy asks for a password at /feeds/ as well"]),
    ],
)
def test_doctor_says_what_it_does_not_see_behind_the_password_of_the_proxy(
    feeds: str, said: list[str], tmp_path: Path, settings: Settings
) -> None:
    settings.SIGN_IN = "proxy"

    found = find(feeds, tmp_path, **GOOD_ADDRESS)

    assert [one.text for one in found if one.level == Level.WARNING] == said
    assert "`manage.py check_proxy --headers` tries each spelling, and PROXY_ADDRESSES" in found[1].text
    assert not [one for one in found if one.level == Level.ERROR]


@pytest.mark.parametrize(
    ("read", "mcp", "said"),
    [
        ("anyone", "on", ["/check.json and /mcp"]),
        ("anyone", "off", ["/check.json"]),
        ("signed-in", "on", []),
    ],
)
def test_doctor_names_data_that_need_no_password(
    read: str, mcp: str, said: list[str], tmp_path: Path, settings: Settings
) -> None:
    settings.SIGN_IN = "proxy"
    locations = f"{FEEDS}$http_host; }} location ~ ^/(check.json|mcp) {{ proxy_pass SITE;"

    found = find(locations, tmp_path, READ=read, MCP=mcp, **GOOD_ADDRESS)

    named = [one.text.partition("reads data at ")[2].partition(":")[0] for one in found if "READ=" in one.text]
    assert named == said
    assert {one.level for one in found} <= {Level.GOOD, Level.WARNING}
    assert [one.level for one in found if one.level == Level.WARNING] == [Level.WARNING] * len(said)


def test_doctor_compares_the_address_with_allowed_hosts() -> None:
    """Nothing listens there."""
    for url, is_named in (
        ("http://localhost:1", True),
        ("http://[::1]:1", True),
        ("http://LOCALHOST:1", True),
        ("http://econ.invalid:1", False),
    ):
        named = [one.text for one in check_front(url) if "is not in ALLOWED_HOSTS" in one.text]

        assert named == ([] if is_named else ["econ.invalid is not in ALLOWED_HOSTS: every page would be 400"])
