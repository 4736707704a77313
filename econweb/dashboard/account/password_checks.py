"""Checks of a password: throttled after failures, few at a time, logged and counted."""

from collections.abc import Callable
from threading import BoundedSemaphore

import structlog
from django.http import HttpRequest, HttpResponse
from prometheus_client import Counter

from econweb.accounts import throttle
from econweb.accounts.client_address import client_address
from econweb.dashboard import problems

log = structlog.get_logger("econweb.accounts")
SIGN_INS = Counter("econweb_sign_ins", "Tries to sign in by password.", ["outcome"])
# Checking a password takes a quarter of a second of processor time, and any client may request it.
MAX_CHECKS = 2
MAX_LOGGED_NAME = 40
_checks = BoundedSemaphore(MAX_CHECKS)


def check_password(
    request: HttpRequest, account: str, action: str, view: Callable[[HttpRequest], HttpResponse]
) -> HttpResponse:
    """Let the view check a password, which it answers with a redirect when it is right."""
    client = client_address(request.META)
    if wait := throttle.seconds_to_wait(account, client):
        return _refuse(request, account, client, action, wait)
    # No queue here: 32 waiting requests would leave no slot for pages.
    if not _checks.acquire(blocking=False):
        SIGN_INS.labels("busy").inc()
        return problems.error_response(request, "too_many_sign_ins")
    try:
        # Other workers may have counted tries in the meantime.
        if wait := throttle.start_try(account, client):
            return _refuse(request, account, client, action, wait)
        response = view(request)
    finally:
        _checks.release()
    is_right = response.status_code == 302
    SIGN_INS.labels("ok" if is_right else "failed").inc()
    if is_right:
        throttle.forget_tries(account, client)
        log.info("signed in" if action == "sign-in" else f"{action} done", account=_printable(account), client=client)
    else:
        log.warning(f"{action} failed", account=_printable(account), client=client)
    return response


def _refuse(request: HttpRequest, account: str, client: str, action: str, wait: int) -> HttpResponse:
    SIGN_INS.labels("refused").inc()
    log.warning(f"{action} refused", account=_printable(account), client=client, seconds=wait)
    return problems.too_many_tries(request, wait)


def _printable(account: str) -> str:
    return "".join(letter if letter.isprintable() else "_" for letter in account[:MAX_LOGGED_NAME])
