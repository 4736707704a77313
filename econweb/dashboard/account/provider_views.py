"""Sign-in and sign-out at an OpenID provider; only a site with SIGN_IN=oidc loads this module."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from threading import BoundedSemaphore

import structlog
from django.contrib.auth import login, logout
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.crypto import constant_time_compare

from econweb.accounts.client_address import client_address
from econweb.accounts.oidc.bounded_http import ProviderUnavailable
from econweb.accounts.oidc.flow import Flow, address_to_begin, address_to_end, begin_flow, check_issuer, finish
from econweb.accounts.oidc.id_token import SignInRefused
from econweb.accounts.oidc.person import find_account
from econweb.accounts.sessions import begin_session
from econweb.dashboard.account.destination import wanted_page
from econweb.dashboard.account.flow_cookie import read_flows, write_flows
from econweb.dashboard.account.password_checks import SIGN_INS, clean_for_log
from econweb.dashboard.error_pages import problems
from econweb.dashboard.rendering.pages import render_page
from econweb.ownership import problem_with_new_name

# The provider is not told of account changes there, so people pass by it again after half a day.
MAX_SESSION_SECONDS = 12 * 3600
# Longer codes and tokens are not kept or sent on.
MAX_CODE = MAX_HINT = 3000
# The cookie with these shares a response head of 4 KiB with the provider's address.
MAX_FOLLOWING = 300
# Requests to the provider take up to ten seconds each; other pages keep their slots.
MAX_EXCHANGES = 8
_exchanges = BoundedSemaphore(MAX_EXCHANGES)
log = structlog.get_logger("econweb.accounts")


class _TooMany(Exception):
    """Too many sign-ins wait for the provider."""


def start(request: HttpRequest) -> HttpResponse:
    """Send the browser to the provider."""
    following = wanted_page(request)
    flow = begin_flow(following if len(following) <= MAX_FOLLOWING else "/")
    try:
        with _exchange():
            response: HttpResponse = redirect(address_to_begin(flow, _callback_address(request)))
    except (ProviderUnavailable, _TooMany) as error:
        return _unavailable(request, error)
    write_flows(response, [flow, *read_flows(request)])
    return response


def callback(request: HttpRequest) -> HttpResponse:
    """Sign in the person whom the provider sends back to the browser that began here."""
    # The values stay out of pages and of links in them.
    given, request.GET = request.GET, QueryDict()
    flows = read_flows(request)
    flow = next((flow for flow in flows if constant_time_compare(flow.state, given.get("state", ""))), None)
    if flow is None:
        return redirect("home") if request.user.is_authenticated else _problem(request, "sign_in_ended")
    response = _finish(request, flow, given)
    # After a failure of the provider, the browser may load the page again.
    if response.status_code < 500:
        write_flows(response, [other for other in flows if other != flow])
    return response


def sign_out(request: HttpRequest) -> HttpResponse:
    """End the session here, and send the browser to the provider's page for it if there is one."""
    hint = request.session.get("id_token", "")
    logout(request)
    try:
        with _exchange():
            link = address_to_end(hint, request.build_absolute_uri(reverse("signed_out")))
    except (ProviderUnavailable, _TooMany):
        link = ""
    return _signed_out_page(request, link)


def signed_out(request: HttpRequest) -> HttpResponse:
    return _signed_out_page(request)


def _signed_out_page(request: HttpRequest, link: str = "") -> HttpResponse:
    return render_page(request, "account/signed_out", {"link": link})


def _finish(request: HttpRequest, flow: Flow, given: QueryDict) -> HttpResponse:
    client = client_address(request.META)
    # Refused codes pause nobody: a code cannot be guessed, and an institute may share one address.
    try:
        with _exchange():
            user = _find_user(request, flow, given)
    except (ProviderUnavailable, _TooMany) as error:
        return _unavailable(request, error)
    except SignInRefused as error:
        return _refuse(request, error, client)
    SIGN_INS.labels("ok").inc()
    log.info("signed in", account=clean_for_log(user.get_username()), client=client)
    return redirect(flow.following)


def _find_user(request: HttpRequest, flow: Flow, given: QueryDict) -> User:
    if any(len(values) > 1 for _, values in given.lists()):
        raise SignInRefused("a parameter that is repeated")
    check_issuer(given.get("iss"))
    code = given.get("code", "")
    if "error" in given or not 0 < len(code) <= MAX_CODE:
        raise SignInRefused(f"the provider says {clean_for_log(given.get('error', 'nothing'))}")
    claims = finish(flow, code, _callback_address(request))
    user = find_account(flow, claims, problem_with_new_name)
    login(request, user)
    begin_session(request)
    request.session["issuer"] = claims.issuer
    request.session["groups"] = claims.groups()
    request.session["max_seconds"] = MAX_SESSION_SECONDS
    request.session["id_token"] = claims.id_token if len(claims.id_token) <= MAX_HINT else ""
    return user


def _refuse(request: HttpRequest, error: SignInRefused, client: str) -> HttpResponse:
    SIGN_INS.labels("failed").inc()
    log.warning("sign-in failed", reason=str(error), client=client)
    return _problem(request, error.code)


def _unavailable(request: HttpRequest, error: Exception) -> HttpResponse:
    SIGN_INS.labels("busy" if isinstance(error, _TooMany) else "unavailable").inc()
    log.warning("sign-in failed", reason=str(error) or "too many at once", client=client_address(request.META))
    return _problem(request, "provider_unavailable")


def _problem(request: HttpRequest, code: str) -> HttpResponse:
    return problems.error_page(request, replace(problems.build_problem(code), retry_link=reverse("sign_in")))


def _callback_address(request: HttpRequest) -> str:
    return request.build_absolute_uri(reverse("sign_in_callback"))


@contextmanager
def _exchange() -> Iterator[None]:
    if not _exchanges.acquire(blocking=False):
        raise _TooMany
    try:
        yield
    finally:
        _exchanges.release()
