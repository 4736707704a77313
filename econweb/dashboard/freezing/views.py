"""Freeze a view, list frozen copies, change what is said about one, and withdraw it."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django.db.models import Count, Max
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from econweb.accounts.people import Person, Role
from econweb.dashboard.entered_text import send_again
from econweb.dashboard.entry_checks import AUDIENCE_WORDS
from econweb.dashboard.error_pages import problems, upstream_problems
from econweb.dashboard.error_pages.problems import NotShown
from econweb.dashboard.freezing.forms import DURATIONS, DraftForm, WithdrawalForm
from econweb.dashboard.freezing.query import PARSERS, CopiesQuery, MyCopiesQuery
from econweb.dashboard.freezing.results import CopyList
from econweb.dashboard.frozen.access import find_copy, render_missing_copies
from econweb.dashboard.frozen.contents import NotReady, find_content
from econweb.dashboard.frozen.landing import PERSONAL, link_of
from econweb.dashboard.frozen.owner import view_link
from econweb.dashboard.page_links import url_path
from econweb.dashboard.parameter_checks import GET_OR_POST, suggest_spellings
from econweb.dashboard.parameters import LinkForm
from econweb.dashboard.redirects import canonical_redirect
from econweb.dashboard.rendering.etags import conditional_response
from econweb.dashboard.rendering.pages import render_page, render_search_page
from econweb.dashboard.rights import requires
from econweb.dashboard.saved.targets import BadTarget, read_target
from econweb.library import copies
from econweb.library.concurrency import ChangedMeanwhile
from econweb.library.freezing import CannotFreeze, freeze
from econweb.library.models import AUDIENCES, EVERYONE, ME, FrozenCopy
from econweb.library.public_copies import public_copies
from econweb.library.rights import may_edit, may_see, may_withdraw

NO_COMPARISON = "A comparison cannot be frozen. Freeze what it compares."
UNCHANGEABLE = "Nobody can change its title, reason or audience any more."
FIRST_DAY = " on the first day"


@require_http_methods(GET_OR_POST)
@requires(Role.READER)
@upstream_problems.render_upstream_errors
def freeze_view(request: HttpRequest, person: Person) -> HttpResponse:
    try:
        target = read_target(request.GET.get("target", ""), request.get_host())
        if target.kind == "compare":
            raise BadTarget(NO_COMPARISON)
        content = find_content(target.link)
    except (BadTarget, NotReady) as error:
        problem = problems.build_problem("not_frozen", message=error)
        return problems.error_page(request, problem, **send_again(request))
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
    except CannotFreeze as error:
        return _form_page(request, form, context | {"wrong": str(error)}, status=409)
    return redirect(view_link(copy))


@require_safe
@requires(Role.READER)
def my_copies(request: HttpRequest, person: Person) -> HttpResponse:
    """List the copies that the person may see."""
    return _list_copies(request, person)


@require_safe
def public_list(request: HttpRequest) -> HttpResponse:
    """List the copies for everyone."""
    return _list_copies(request, None)


def _list_copies(request: HttpRequest, person: Person | None) -> HttpResponse:
    form = LinkForm(request.GET, PARSERS)
    if not form.is_valid():
        return problems.bad_parameters(request, form)
    found = CopyList((MyCopiesQuery if person else CopiesQuery)(**form.cleaned_data), person)
    if better := canonical_redirect(request, found.query.link()):
        return redirect(better)
    if person:
        return _list_page(request, form, found)
    return conditional_response(request, _revision, lambda: _list_page(request, form, found))


def _revision() -> object:
    """Return what changes with every copy for everyone, also on its last day."""
    return tuple(public_copies().aggregate(Count("pk"), Max("changed")).values())


def _list_page(request: HttpRequest, form: LinkForm, found: CopyList) -> HttpResponse:
    context = {
        "copies": found,
        "link_of": link_of,
        "query": found.query,
        "person": found.person,
        "canonical": found.query.link(),
        "form_link": found.query.path,
        "misspelt": suggest_spellings(form.data, form.fields),
    }
    return render_search_page(request, "freezing", context)


@require_http_methods(GET_OR_POST)
@requires(Role.READER)
@render_missing_copies
def edit_copy(request: HttpRequest, person: Person, copy_id: str) -> HttpResponse:
    copy = _find_kept(copy_id, person)
    if not may_edit(copy, person):
        return _refuse(request, copy, "change")
    form = DraftForm(request.POST if request.method == "POST" else None)
    given = {"title": copy.title, "reason": copy.reason, "audience": copy.audience}
    context: dict[str, Any] = {"page_title": "Change a frozen copy", "fields": given, "copy": copy}
    if request.method != "POST":
        return _form_page(request, form, context)
    if form.is_valid():
        _check_audience(form, copy, person)
    context["fields"] = request.POST
    return _store(request, person, copy, form, context)


def _store(
    request: HttpRequest, person: Person, copy: FrozenCopy, form: DraftForm, context: Mapping[str, Any]
) -> HttpResponse:
    if not form.is_valid():
        return _form_page(request, form, context, status=400)
    try:
        copies.change(person, copy, form.draft(), form.cleaned_data["seen"])
    except ChangedMeanwhile:
        copy.refresh_from_db()
        if copy.is_gone or not may_see(copy, person):
            # Asked again, the page says so.
            return redirect("edit_copy", copy.pk)
        # The entered text stays in the form; sending it again replaces the other one.
        return _form_page(request, form, {**context, "is_conflict": True}, status=409)
    return redirect(url_path(PERSONAL, copy.pk))


@require_http_methods(GET_OR_POST)
@requires(Role.READER)
@render_missing_copies
def withdraw_copy(request: HttpRequest, person: Person, copy_id: str) -> HttpResponse:
    copy = _find_kept(copy_id, person)
    if not may_withdraw(copy, person, timezone.now()):
        return _refuse(request, copy, "withdraw")
    form = WithdrawalForm(request.POST if request.method == "POST" else None)
    context = {"page_title": "Withdraw a frozen copy", "fields": request.POST, "copy": copy, "is_withdrawal": True}
    if request.method != "POST" or not form.is_valid():
        return _form_page(request, form, context, status=400 if form.errors else 200)
    copies.withdraw(person, copy, form.cleaned_data["reason"])
    return redirect(url_path(PERSONAL, copy.pk))


def _find_kept(copy_id: str, person: Person) -> FrozenCopy:
    """Return a copy that can still be changed."""
    try:
        return find_copy(copy_id, person)
    except NotShown as error:
        if error.problem.status == 410:
            raise NotShown(replace(error.problem, advice=UNCHANGEABLE)) from None
        raise


def _check_audience(form: DraftForm, copy: FrozenCopy, person: Person) -> None:
    """Refuse an audience that would hide a cited copy without a word, or hide it from its editor."""
    wanted = form.cleaned_data["audience"]
    if wanted == ME and copy.person != person.name:
        form.add_error("audience", f"Only {copy.person} can keep this copy private.")
    elif AUDIENCES.index(wanted) < AUDIENCES.index(copy.audience) and not may_withdraw(copy, person, timezone.now()):
        form.add_error("audience", "Others may have cited this copy since. Ask an editor to show it to fewer people.")


def _refuse(request: HttpRequest, copy: FrozenCopy, verb: str) -> HttpResponse:
    until = FIRST_DAY if verb == "withdraw" else ""
    return problems.error_response(
        request, "copy_of_others", verb=verb, title=copy.title, name=copy.person, until=until
    )


def _form_page(
    request: HttpRequest, form: DraftForm | WithdrawalForm, context: Mapping[str, Any], status: int = 200
) -> HttpResponse:
    more = {"errors": form.errors, "audiences": AUDIENCE_WORDS, "csrf_token": get_token(request)}
    return render_page(request, "freezing/form", {**context, **more}, status=status)
