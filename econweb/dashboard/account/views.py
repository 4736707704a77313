"""Sign-in, the page of one's own account, and the choice of a password."""

from datetime import UTC, datetime
from typing import Any

import structlog
from django import forms
from django.conf import settings
from django.contrib.auth import login, logout, update_session_auth_hash
from django.contrib.auth.forms import PasswordChangeForm, SetPasswordForm
from django.contrib.auth.models import User
from django.contrib.auth.tokens import default_token_generator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.http import urlsafe_base64_decode
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from econweb.accounts.client_address import client_address
from econweb.accounts.models import MAX_PERSON, Session
from econweb.accounts.people import Person, Role, has_passwords, may_sign_in, person_of
from econweb.accounts.sessions import SessionStore, begin_session, public_id
from econweb.dashboard.account.destination import wanted_page
from econweb.dashboard.account.forms import SignInForm, rows_of
from econweb.dashboard.account.password_checks import SIGN_INS, check_password, remember_browser
from econweb.dashboard.account.ways_to_sign_in import at_provider
from econweb.dashboard.error_pages import problems
from econweb.dashboard.parameter_checks import GET_OR_POST
from econweb.dashboard.rendering.pages import render_page
from econweb.dashboard.rights import ask_to_sign_in, requires

log = structlog.get_logger("econweb.accounts")


@require_http_methods(GET_OR_POST)
def sign_in(request: HttpRequest) -> HttpResponse:
    if settings.SIGN_IN == "proxy":
        return redirect(wanted_page(request)) if person_of(request) else ask_to_sign_in(request)
    following = wanted_page(request)
    if settings.SIGN_IN == "local" and not following.startswith("/admin/"):
        # The local editor needs no account; only Django's admin asks for one.
        return redirect(following)
    if isinstance(request.user, User):
        return _lead_on(request, following)
    if settings.SIGN_IN == "oidc":
        return at_provider("start", request)
    if request.method != "POST":
        return _form_page(request, SignInForm(request), "Sign in", next=following)
    # The form strips the name as well, and no account has a longer one.
    account = request.POST.get("username", "").strip()[:MAX_PERSON]
    return check_password(request, account, "sign-in", _sign_in)


def _lead_on(request: HttpRequest, following: str) -> HttpResponse:
    if following.startswith("/admin/") and not (isinstance(request.user, User) and request.user.is_staff):
        # The admin sends readers and editors here, who would be sent back there.
        return problems.error_response(request, "no_right", role="admin", name=request.user.get_username())
    return redirect(following)


def _sign_in(request: HttpRequest) -> HttpResponse:
    form = SignInForm(request, request.POST)
    if not form.is_valid():
        return _form_page(request, form, "Sign in", next=wanted_page(request))
    login(request, form.get_user())
    begin_session(request)
    return redirect(wanted_page(request))


@require_POST
def sign_out(request: HttpRequest) -> HttpResponse:
    if settings.SIGN_IN == "oidc":
        return at_provider("sign_out", request)
    logout(request)
    return redirect("home")


@require_safe
@requires(Role.READER)
def me(request: HttpRequest, person: Person) -> HttpResponse:
    # With SIGN_IN=proxy, a session of an account that the site had before is nobody's.
    owner = None if settings.SIGN_IN == "proxy" else request.user.pk
    sessions = Session.objects.filter(user_id=owner or 0, expire_date__gt=timezone.now())
    rows = [_session_row(session, session.session_key == request.session.session_key) for session in sessions]
    # Those of another OpenID provider have ended.
    rows = [row for row in rows if row["began"].timestamp()]
    rows.sort(key=lambda row: row["began"], reverse=True)
    return render_page(
        request,
        "account/me",
        {
            "person": person,
            "role": person.role.name.lower(),
            "sessions": rows,
            "has_password": has_passwords(),
            "is_from_proxy": settings.SIGN_IN == "proxy",
            "has_assistants": settings.MCP,
        },
    )


@require_POST
@requires(Role.READER)
def end_sessions(request: HttpRequest, person: Person) -> HttpResponse:
    """End one other session, or all others."""
    others = Session.objects.filter(user_id=request.user.pk or 0).exclude(session_key=request.session.session_key)
    if "others" in request.POST:
        others.delete()
    for session in others:
        if public_id(session) == request.POST.get("session"):
            session.delete()
    return redirect("me")


@require_http_methods(GET_OR_POST)
@requires(Role.READER)
def password(request: HttpRequest, person: Person) -> HttpResponse:
    """Slow guesses at the old password as well: a stolen session must not find it out."""
    if not has_passwords():
        return problems.error_response(request, "no_passwords")
    if not isinstance(request.user, User):
        return redirect("home")
    if request.method != "POST":
        return _form_page(request, PasswordChangeForm(request.user), "Change your password")
    return check_password(request, person.name, "password change", _change_password)


def _change_password(request: HttpRequest) -> HttpResponse:
    form = PasswordChangeForm(request.user, request.POST)  # type: ignore[arg-type]  # `password` has checked it
    if not form.is_valid():
        return _form_page(request, form, "Change your password")
    user: User = form.save(commit=False)
    # The account may have ended during the hashing.
    if User.objects.filter(pk=user.pk, is_active=True).update(password=user.password):
        # Django ends all other sessions: their key depends on the password.
        update_session_auth_hash(request, user)
    return redirect("me")


@require_http_methods(GET_OR_POST)
def invitation(request: HttpRequest, account: str, token: str) -> HttpResponse:
    """Let the person that holds the link of `manage.py invite` choose a password; it is valid once, for a week."""
    if not has_passwords():
        return problems.error_response(request, "no_passwords")
    user = _find_invited(account)
    if user is None or not default_token_generator.check_token(user, token):
        return problems.error_response(request, "invitation_ended")
    form = SetPasswordForm(user, request.POST if request.method == "POST" else None)
    if not form.is_valid():
        return _form_page(request, form, f"Choose a password for {user.get_username()}")
    # Another request may use the link in the meantime: it has then replaced the password that is looked for.
    found = User.objects.filter(pk=user.pk, password=user.password)
    if not found.update(password=form.save(commit=False).password):
        return problems.error_response(request, "invitation_ended")
    login(request, user)
    begin_session(request)
    SIGN_INS.labels("ok").inc()
    log.info("signed in by an invitation", account=user.get_username(), client=client_address(request.META))
    response = redirect("me")
    remember_browser(request, response, user.get_username())
    return response


def _find_invited(account: str) -> User | None:
    try:
        number = int(urlsafe_base64_decode(account))
    except ValueError:
        return None
    user = User.objects.filter(pk=number).first()
    return user if user and may_sign_in(user) else None


def _form_page(request: HttpRequest, form: forms.BaseForm, title: str, **more: Any) -> HttpResponse:
    return render_page(
        request,
        "account/form",
        {
            "title": title,
            "rows": rows_of(form),
            "wrong": form.non_field_errors(),
            "is_read_by_all": settings.READ == "anyone",
            **more,
        },
    )


def _session_row(session: Session, is_this: bool) -> dict[str, Any]:
    data = SessionStore().decode(session.session_data)
    return {
        "id": public_id(session),
        "is_this": is_this,
        "began": datetime.fromtimestamp(data.get("began", 0), UTC),
        "saved": datetime.fromtimestamp(data.get("saved", 0), UTC),
        "client": data.get("client", ""),
        "browser": data.get("browser", ""),
    }
