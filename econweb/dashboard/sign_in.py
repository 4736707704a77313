"""Sign-in and change of a password: throttled after failures, few checks at a time, logged and counted."""

from collections.abc import Callable
from threading import BoundedSemaphore

import structlog
from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from prometheus_client import Counter

from econweb.accounts import throttle
from econweb.accounts.client_address import client_address
from econweb.accounts.sessions import begin_session
from econweb.dashboard import problems

log = structlog.get_logger("econweb.accounts")
SIGN_INS = Counter("econweb_sign_ins", "Tries to sign in by password.", ["outcome"])
# Checking a password takes a quarter of a second of processor time, and any client may request it.
MAX_CHECKS = 2
MAX_NAME, MAX_LOGGED_NAME = 150, 40
_checks = BoundedSemaphore(MAX_CHECKS)


def sign_in(request: HttpRequest) -> HttpResponse:
    """Throttle the sign-in of the admin, which shows the form and checks the password."""
    if request.method != "POST":
        return admin.site.login(request)
    # The form strips the name as well, and no account has a longer one.
    account = request.POST.get("username", "").strip()[:MAX_NAME]
    response = _check(request, account, "sign-in", admin.site.login)
    # The form is shown again when the password is wrong, and also when the account may not use the admin.
    if response.status_code == 302:
        begin_session(request)
    return response


def change_password(request: HttpRequest) -> HttpResponse:
    """Slow guesses at the old password as well: a stolen session must not find it out."""
    if request.method != "POST":
        return admin.site.password_change(request)
    account = request.user.get_username()
    return _check(request, f"change of {account}", "password change", admin.site.password_change)


def _check(
    request: HttpRequest, account: str, action: str, view: Callable[[HttpRequest], HttpResponse]
) -> HttpResponse:
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
