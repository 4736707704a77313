"""Freeze a view, list frozen copies, change what is said about one, and withdraw it."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from econweb.accounts.people import Person, Role
from econweb.dashboard import problems
from econweb.dashboard.frozen.contents import NotReady, find_content
from econweb.dashboard.frozen.forms import AUDIENCES as AUDIENCE_WORDS
from econweb.dashboard.frozen.forms import DURATIONS, DraftForm, WithdrawalForm
from econweb.dashboard.frozen.owner import query_of
from econweb.dashboard.frozen.views import PERSONAL, PUBLIC, gone_page, missing_page
from econweb.dashboard.page_links import url_path, with_query
from econweb.dashboard.problems import Problem
from econweb.dashboard.rendering.pages import render_page
from econweb.dashboard.rights import requires
from econweb.dashboard.saved.targets import BadTarget, read_target
from econweb.library import copies
from econweb.library.freezing import LibraryFull, freeze
from econweb.library.ids import read_id
from econweb.library.models import AUDIENCES, EVERYONE, ME, FrozenCopy
from econweb.library.rights import may_edit, may_see, may_withdraw, visible_to

GET_OR_POST = ["GET", "HEAD", "POST"]
MAX_LISTED = 500
NO_COMPARISON = "A comparison cannot be frozen. Freeze what it compares."
FIRST_DAY = " on the first day"


@require_http_methods(GET_OR_POST)
@requires(Role.READER)
@problems.render_upstream_errors
def freeze_view(request: HttpRequest, person: Person) -> HttpResponse:
    try:
        target = read_target(request.GET.get("target", ""), request.get_host())
        if target.kind == "compare":
            raise BadTarget(NO_COMPARISON)
        content = find_content(target.link)
    except (BadTarget, NotReady) as error:
        return problems.error_response(request, "invalid_link", message=str(error))
    proposed = {"title": target.title, "audience": EVERYONE, "days": "0"}
    form = DraftForm(request.POST if request.method == "POST" else None)
    context = {"content": content, "page_title": "Freeze this view", "fields": proposed, "days": DURATIONS}
    if request.method != "POST":
        return _form_page(request, form, context)
    context["fields"] = request.POST
    if not form.is_valid():
        return _form_page(request, form, context, status=400)
    try:
        copy = freeze(person, form.draft(), content)
    except LibraryFull as error:
        return _form_page(request, form, context | {"wrong": str(error)}, status=409)
    path = url_path(PUBLIC if copy.audience == EVERYONE else PERSONAL, copy.pk)
    copies.remove_expired()
    return redirect(with_query(path, query_of(copy)) if copy.kind == "tags" else path)


@require_safe
@requires(Role.READER)
def my_copies(request: HttpRequest, person: Person) -> HttpResponse:
    found = FrozenCopy.objects.filter(visible_to(person)).order_by("-created")
    context = {"copies": found[:MAX_LISTED], "person": person, "now": timezone.now()}
    return render_page(request, "frozen/list", context)


@require_http_methods(GET_OR_POST)
@requires(Role.READER)
def edit_copy(request: HttpRequest, person: Person, copy_id: str) -> HttpResponse:
    copy = _find(copy_id, person)
    if copy is None:
        return missing_page(request, read_id(copy_id), person)
    if _is_gone(copy):
        return gone_page(request, copy)
    if not may_edit(copy, person):
        return _refuse(request, copy, "change")
    form = DraftForm(request.POST if request.method == "POST" else None)
    given = {"title": copy.title, "reason": copy.reason, "audience": copy.audience}
    context = {"page_title": "Change a frozen copy", "fields": given, "copy": copy}
    if request.method != "POST":
        return _form_page(request, form, context)
    if form.is_valid():
        _check_audience(form, copy, person)
    if not form.is_valid():
        return _form_page(request, form, context | {"fields": request.POST}, status=400)
    copies.change(person, copy, form.draft())
    return redirect(url_path(PERSONAL, copy.pk))


@require_http_methods(GET_OR_POST)
@requires(Role.READER)
def withdraw_copy(request: HttpRequest, person: Person, copy_id: str) -> HttpResponse:
    copy = _find(copy_id, person)
    if copy is None:
        return missing_page(request, read_id(copy_id), person)
    if _is_gone(copy):
        return gone_page(request, copy)
    if not may_withdraw(copy, person, timezone.now()):
        return _refuse(request, copy, "withdraw")
    form = WithdrawalForm(request.POST if request.method == "POST" else None)
    context = {"page_title": "Withdraw a frozen copy", "fields": request.POST, "copy": copy, "is_withdrawal": True}
    if request.method != "POST" or not form.is_valid():
        return _form_page(request, form, context, status=400 if form.errors else 200)
    copies.withdraw(person, copy, form.cleaned_data["reason"])
    return redirect(url_path(PERSONAL, copy.pk))


def _find(copy_id: str, person: Person) -> FrozenCopy | None:
    copy = FrozenCopy.objects.filter(pk=read_id(copy_id)).first()
    return copy if copy and may_see(copy, person) else None


def _is_gone(copy: FrozenCopy) -> bool:
    return bool(copy.withdrawn) or copies.is_expired(copy, timezone.now())


def _check_audience(form: DraftForm, copy: FrozenCopy, person: Person) -> None:
    """Refuse an audience that would hide a cited copy without a word, or hide it from its editor."""
    wanted = form.cleaned_data["audience"]
    if wanted == ME and copy.person != person.name:
        form.add_error("audience", f"Only {copy.person} can keep this copy private.")
    elif AUDIENCES.index(wanted) < AUDIENCES.index(copy.audience) and not may_withdraw(copy, person, timezone.now()):
        form.add_error("audience", "Others may have cited this copy since. Ask an editor to show it to fewer people.")


def _refuse(request: HttpRequest, copy: FrozenCopy, verb: str) -> HttpResponse:
    message = f"“{copy.title}” was frozen by {copy.person}, who may {verb} it{FIRST_DAY if verb == 'withdraw' else ''}."
    return problems.error_page(request, Problem(403, f"You may not {verb} this copy", message, "Ask an editor."))


def _form_page(
    request: HttpRequest, form: DraftForm | WithdrawalForm, context: Mapping[str, Any], status: int = 200
) -> HttpResponse:
    more = {"errors": form.errors, "audiences": AUDIENCE_WORDS, "csrf_token": get_token(request)}
    return render_page(request, "frozen/form", {**context, **more}, status=status)
