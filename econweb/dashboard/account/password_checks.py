"""Checks of a password: throttled after failures, few at a time, logged and counted."""

from collections.abc import Callable
from threading import BoundedSemaphore

import structlog
from django.http import HttpRequest, HttpResponse
from prometheus_client import Counter

from econweb.accounts import throttle
from econweb.accounts.client_address import client_address
from econweb.dashboard.account.known_browser import new_browser, read_browser, write_browser
from econweb.dashboard.error_pages import error_handlers, problems

log = structlog.get_logger("econweb.accounts")
SIGN_INS = Counter("econweb_sign_ins", "Tries to sign in: ok, failed, refused or busy.", ["outcome"])
for outcome in ("ok", "failed", "refused", "busy"):
    # An alert has to see the first one as an increase.
    SIGN_INS.labels(outcome)
# Checking a password takes a quarter of a second of processor time, and any client may request it.
MAX_CHECKS = 2
MAX_LOGGED_NAME = 40
_checks = BoundedSemaphore(MAX_CHECKS)


def check_password(
    request: HttpRequest, account: str, action: str, view: Callable[[HttpRequest], HttpResponse]
) -> HttpResponse:
    """Let the view check a password, which it answers with a redirect when it is right."""
    client, browser = client_address(request.META), read_browser(request)
    # Anybody may give any name at the sign-in, and must not pause another action by it.
    counted = _counted(action, account)
    if wait := throttle.seconds_to_wait(counted, client, browser):
        return _refuse(request, account, client, action, wait)
    # No queue here: 32 waiting requests would leave no slot for pages.
    if not _checks.acquire(blocking=False):
        SIGN_INS.labels("busy").inc()
        return problems.error_response(request, "too_many_sign_ins")
    try:
        # Other workers may have counted tries in the meantime.
        if wait := throttle.start_try(counted, client, browser):
            return _refuse(request, account, client, action, wait)
        response = view(request)
    finally:
        _checks.release()
    is_right = response.status_code == 302
    SIGN_INS.labels("ok" if is_right else "failed").inc()
    if is_right:
        remember_browser(request, response, account, action)
        words = "signed in" if action == "sign-in" else f"{action} done"
        log.info(words, account=clean_for_log(account), client=client)
    else:
        log.warning(f"{action} failed", account=clean_for_log(account), client=client)
    return response


def remember_browser(request: HttpRequest, response: HttpResponse, account: str, action: str = "sign-in") -> None:
    """Let this browser go on with this account, however often others guess at it."""
    browser = read_browser(request) or new_browser()
    throttle.forget_tries(_counted(action, account), client_address(request.META), browser)
    write_browser(response, browser)


def _counted(action: str, account: str) -> str:
    return f"{action} of {account}"


def _refuse(request: HttpRequest, account: str, client: str, action: str, wait: int) -> HttpResponse:
    SIGN_INS.labels("refused").inc()
    log.warning(f"{action} refused", account=clean_for_log(account), client=client, seconds=wait)
    return error_handlers.too_many_tries(request, wait)


def clean_for_log(account: str) -> str:
    return "".join(letter if letter.isprintable() else "_" for letter in account[:MAX_LOGGED_NAME])
