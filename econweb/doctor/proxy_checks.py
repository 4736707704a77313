"""The proxy in front, as any client sees it."""

from collections.abc import Iterator
from urllib.parse import urlsplit

import requests
from django.conf import settings

from econweb.accounts.site_address import site_address
from econweb.doctor.findings import Finding, error, good, warning
from econweb.timed_http import ReplyTooLong, TimedAdapter, name_cause

TOPIC = "proxy"
SECONDS = 10.0
CLOSED = ("/metrics", "/readyz")


def check_front(url: str) -> Iterator[Finding]:
    """Request three paths at the address that people open."""
    if not url:
        if settings.BEHIND_PROXY:
            yield warning(TOPIC, f"not looked at: name the site as people open it, --url {site_address()}")
        return
    try:
        front = _get(f"{url}/healthz")
        closed = {path: _get(url + path).status_code for path in CLOSED}
    except (requests.RequestException, ReplyTooLong) as failure:
        yield error(TOPIC, f"{url} does not answer ({name_cause(failure)})")
        return
    found = [*_judge(url, front, closed)]
    yield from found or [good(TOPIC, f"{url} leads here, and hides what is for monitoring")]


def _judge(url: str, front: requests.Response, closed: dict[str, int]) -> Iterator[Finding]:
    if front.status_code != 200 or front.text != "ok\n":
        yield error(TOPIC, f"{url}/healthz is {front.status_code}, and not of this program: does the proxy lead here?")
        return
    for path, status in closed.items():
        if status == 200:
            yield warning(TOPIC, f"{path} is open to everybody: have the proxy answer 403, as docs/nginx.conf does")
    if urlsplit(url).scheme != "https" and settings.SESSION_COOKIE_SECURE:
        yield error(TOPIC, "nobody can sign in over http: give the proxy a certificate (docs/deploy.md, TLS)")
    elif settings.SECURE_HSTS_SECONDS and "Strict-Transport-Security" not in front.headers:
        yield error(TOPIC, "it does not set X-Forwarded-Proto to https, so every form is refused")
    if settings.SIGN_IN == "proxy":
        yield warning(TOPIC, f"it names people: attack it by `manage.py check_proxy {url} --headers FILE`")


def _get(address: str) -> requests.Response:
    with requests.Session() as session:
        # Not through a proxy that the environment names: users do not use it.
        session.trust_env = False
        for scheme in ("https://", "http://"):
            session.mount(scheme, TimedAdapter(settings.ECON_CA_FILE))
        return session.get(address, timeout=SECONDS, allow_redirects=False)
