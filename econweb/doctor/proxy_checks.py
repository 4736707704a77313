"""The proxy in front, as any client sees it."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import requests
from django.conf import settings
from django.http.request import split_domain_port, validate_host

from econweb.accounts import proxy_check
from econweb.accounts.client_address import NOT_OF_PROXY
from econweb.accounts.site_address import site_address
from econweb.doctor.findings import Finding, error, good, warning
from econweb.timed_http import ReplyTooLong, TimedAdapter, name_cause

TOPIC = "proxy"
SECONDS = 10.0
CLOSED = ("/metrics", "/readyz")
# Unlike /healthz, a page is refused under a host name that the site does not have.
PAGE = "/about/"
# The proxy asks nobody for a password there (docs/sign-in.md), and the site has no such feed.
OPEN = "/feeds/x"
# Programs bring a token there in place of a password, and only READ=signed-in asks for it.
CHECK, ASSISTANTS = "/check.json?ids=GNPCA", "/mcp"
# An address for documents (RFC 5737), which no client has.
FORGED_ADDRESS = "198.51.100.7"
MESSAGE = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}


def check_front(url: str) -> Iterator[Finding]:
    """Request paths at the address that people open, some with a forged header."""
    if not url:
        if settings.BEHIND_PROXY:
            yield warning(TOPIC, f"not looked at: name the site as people open it, --url {site_address()}")
        return
    try:
        front = _ask("GET", f"{url}/healthz", headers={"X-Forwarded-For": FORGED_ADDRESS})
        page = _get(url + PAGE)
        if asks := _asks_for_sign_in(page):
            page = _get(url + OPEN)
        closed = {path: _get(url + path).status_code for path in CLOSED}
    except (requests.RequestException, ReplyTooLong) as failure:
        yield error(TOPIC, f"{url} does not answer ({name_cause(failure)})")
        # Where it answers, its pages show whether the proxy sends another name.
        if not validate_host(split_domain_port(urlsplit(url).netloc.lower())[0], settings.ALLOWED_HOSTS):
            yield error(TOPIC, f"{urlsplit(url).hostname} is not in ALLOWED_HOSTS: every page would be 400")
        return
    found = [*_judge(url, front, page, closed)]
    yield from found or [good(TOPIC, f"{url} leads to an econweb, and hides what is for monitoring")]
    # Where each page is 400, so is one with a forged header.
    if settings.SIGN_IN == "proxy" and _is_of_this_program(front) and page.status_code != 400:
        yield _forge_name(url)
        if asks:
            yield from _find_open_data(url)
        if _asks_for_sign_in(page):
            unseen = "not seen: Host and ALLOWED_HOSTS, because the proxy asks for a password at /feeds/ as well"
            yield warning(TOPIC, unseen)


def _asks_for_sign_in(page: requests.Response) -> bool:
    return page.status_code == 401 or page.is_redirect


def _find_open_data(url: str) -> Iterator[Finding]:
    """Name the addresses that send data to everybody, although the proxy asks for a password at pages."""
    try:
        statuses = {
            CHECK: _get(url + CHECK).status_code,
            ASSISTANTS: _ask("POST", url + ASSISTANTS, json=MESSAGE).status_code,
        }
    except (requests.RequestException, ReplyTooLong) as failure:
        yield warning(TOPIC, f"{CHECK} and {ASSISTANTS} got no answer ({name_cause(failure)}): nothing is known")
        return
    found = " and ".join(path.partition("?")[0] for path, status in statuses.items() if status == 200)
    if found:
        remedy = "set READ=signed-in if only your own people may read (docs/sign-in.md)"
        yield warning(TOPIC, f"the proxy asks for a password at pages, and everybody reads data at {found}: {remedy}")


def _is_of_this_program(front: requests.Response) -> bool:
    return front.status_code == 200 and front.text == "ok\n"


def _forge_name(url: str) -> Finding:
    """Claim to be somebody, without any password."""
    header, nobody = settings.PROXY_USER_HEADER, proxy_check.Reply(200, "", "", is_refused=False)
    try:
        reply = proxy_check.ask(urlsplit(url), [(header, proxy_check.forged_name())])
    except OSError as failure:
        return warning(TOPIC, f"a forged {header} got no answer ({name_cause(failure)}): nothing is known")
    if reply.has_wrong_address:
        return error(TOPIC, f"{header} does not count: {proxy_check.WRONG_ADDRESS}")
    found = proxy_check.judge(nobody, reply)
    if found == proxy_check.GOT_THROUGH:
        return error(TOPIC, f"anybody can choose a name by {header}: have the proxy replace it (docs/sign-in.md)")
    if found == proxy_check.NO_VERDICT:
        return warning(TOPIC, f"a forged {header} got status {reply.status}: nothing is known")
    return good(
        TOPIC,
        f"a stranger cannot forge {header}; `manage.py check_proxy --headers` tries each spelling, and PROXY_ADDRESSES",
    )


def _judge(url: str, front: requests.Response, page: requests.Response, closed: dict[str, int]) -> Iterator[Finding]:
    secure = front.headers.get("Location", "").removesuffix("/healthz")
    if front.is_redirect and secure.startswith("https://") and not url.startswith("https://"):
        yield warning(TOPIC, f"not looked at: {url} leads to https, so use that address, --url {secure}")
        return
    if not _is_of_this_program(front):
        yield error(TOPIC, f"{url}/healthz is {front.status_code}, and not of this program: does the proxy lead here?")
        return
    if front.headers.get("X-Client-Address") == FORGED_ADDRESS:
        remedy = "have the proxy replace X-Forwarded-For, as docs/nginx.conf does"
        yield error(TOPIC, f"a client can choose its address, and so evade every limit: {remedy}")
    if page.status_code == 400 and NOT_OF_PROXY in page.text:
        yield error(TOPIC, f"{PAGE} is 400: {proxy_check.WRONG_ADDRESS}")
    elif page.status_code == 400:
        yield error(TOPIC, f"{urlsplit(page.url).path} is 400: {proxy_check.name_host_remedy(url)}")
    for path, status in closed.items():
        if status == 200:
            yield warning(TOPIC, f"{path} is open to everybody: have the proxy answer 403, as docs/nginx.conf does")
    if urlsplit(url).scheme != "https" and settings.SESSION_COOKIE_SECURE:
        yield error(TOPIC, "nobody can sign in over http: give the proxy a certificate (docs/deploy.md, TLS)")
    elif settings.SECURE_HSTS_SECONDS and "Strict-Transport-Security" not in front.headers:
        yield error(TOPIC, "it does not set X-Forwarded-Proto to https, so every form is refused")


def _get(address: str) -> requests.Response:
    return _ask("GET", address)


def _ask(method: str, address: str, **options: Any) -> requests.Response:
    with requests.Session() as session:
        # Not through a proxy that the environment names: users do not use it.
        session.trust_env = False
        for scheme in ("https://", "http://"):
            session.mount(scheme, TimedAdapter(settings.ECON_CA_FILE))
        return session.request(method, address, timeout=SECONDS, allow_redirects=False, **options)
