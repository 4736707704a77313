"""The service, the OpenID provider and the mail server: one request to each."""

import time
from collections.abc import Iterator
from email.utils import parsedate_to_datetime
from smtplib import SMTPAuthenticationError

import requests
from django.conf import settings
from django.core.mail import get_connection

from econweb.accounts.oidc.bounded_http import ProviderUnavailable
from econweb.accounts.oidc.provider import find_keys
from econweb.doctor.findings import Finding, error, good, warning
from econweb.startup.database_state import check_database
from econweb.timed_http import name_cause
from econweb.upstream import service
from econweb.upstream.clock import Deadline
from econweb.upstream.errors import Busy, NotFound, Refused, UpstreamError, is_not_found

# Any series: one that the service does not have also shows that it accepts the key.
SERIES = "GNPCA"


def check_key() -> Iterator[Finding]:
    """Send one request, past the cache and within the rate limit."""
    if not settings.ECON_BASE_URL and check_database() != "ok":
        # Without tables it has no key.
        return
    client, started = service.upstream().client, time.monotonic()
    name = "the service" if settings.ECON_BASE_URL else "the embedded service"
    try:
        client.get("series", {"series_id": SERIES}, Deadline(settings.ECON_TIMEOUT))
    except NotFound as missing:
        if not (missing.is_explicit and is_not_found(str(missing))):
            # Any server says 404 of a path that it does not have.
            yield error("service", "no service answers at this address: check ECON_BASE_URL and ECON_SERVICE_PATH")
            return
    except Refused as refusal:
        reason = "refuses the key: check ECON_API_KEY" if refusal.is_about_key else f"refuses a request: {refusal}"
        yield error("service", f"{name} {reason}")
        return
    except Busy as busy:
        yield warning("service", f"{name} was not asked: {busy}")
        return
    except UpstreamError as failure:
        yield error("service", f"{name} does not answer: {failure}")
        return
    yield good("service", f"{name} accepts the key, in {time.monotonic() - started:.2f} s")


def read_service_clock() -> dict[str, float]:
    """Return by how many seconds the service's clock is ahead; the request has no key."""
    if not settings.ECON_BASE_URL:
        return {}
    session = service.upstream().client.session
    try:
        reply = session.head(f"{settings.ECON_BASE_URL}/", timeout=settings.ECON_TIMEOUT, allow_redirects=False)
        return {"the service": parsedate_to_datetime(reply.headers.get("Date", "")).timestamp() - time.time()}
    except (UpstreamError, requests.RequestException, OSError, ValueError):
        # check_key says why.
        return {}


def check_provider() -> Iterator[Finding]:
    if settings.SIGN_IN == "oidc":
        try:
            find_keys()
        except ProviderUnavailable as failure:
            yield error("sign-in", f"the OpenID provider cannot be read: {failure}. Check OIDC_ISSUER")
        else:
            yield good("sign-in", "the OpenID provider has its keys ready")


def check_mail() -> Iterator[Finding]:
    """Connect and sign in, without a mail."""
    if settings.MAIL_SERVER:
        connection = settings.MAIL_SERVER.connection
        server = f"the server {connection['host']}:{connection['port']}"
        try:
            with get_connection(**connection):
                yield good("mail", f"{server} accepts a connection")
        except SMTPAuthenticationError:
            yield error("mail", f"{server} refuses the user or the password in EMAIL_URL")
        except OSError as failure:
            cause = name_cause(failure, "the system has to trust its authority")
            yield error("mail", f"{server} cannot be used ({cause}): check EMAIL_URL")
