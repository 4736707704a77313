"""Freeze a view, list frozen copies, change what is said about one, and withdraw it."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django.http import HttpRequest, HttpResponse
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
from econweb.dashboard.frozen.landing import PERSONAL, view_link
from econweb.dashboard.frozen.selection import held_ids, past_days_of, restriction_of
from econweb.dashboard.frozen.series_pages import ids_of
from econweb.dashboard.list_pages import words_context
from econweb.dashboard.page_links import split_link, url_path
from econweb.dashboard.parameter_checks import GET_OR_POST
from econweb.dashboard.parameters import LinkForm
from econweb.dashboard.redirects import canonical_redirect
from econweb.dashboard.rendering.etags import conditional_response
from econweb.dashboard.rendering.filters import first_names
from econweb.dashboard.rendering.pages import render_page, render_search_page
from econweb.dashboard.rights import requires
from econweb.dashboard.saved.targets import BadTarget, Target, read_target, remarks_on_list, title_of_list
from econweb.library import copies
from econweb.library.concurrency import ChangedMeanwhile
from econweb.library.freezing import CannotFreeze, Content, freeze
from econweb.library.models import EVERYONE, FrozenCopy
from econweb.library.rights import may_edit, may_see, may_withdraw

NO_COMPARISON = "A comparison cannot be frozen. Freeze what it compares."
CHANGED_ROWS = "The rows have changed since this form was opened. Look at the view again, or freeze it as it is now."
# A copy would lack them for ever.
FAILED_FOR_NOW = "Some ids could not be loaded: {ids}. Try again in a minute, or remove them from the list."
UNCHANGEABLE = "Nobody can change its title, reason or audience any more."
# Ids that a copy will lack.
MAX_NAMED_MISSING = 10
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
        if content.failed:
            raise NotReady(FAILED_FOR_NOW.format(ids=first_names(content.failed, MAX_NAMED_MISSING)))
        if target.kind == "list":
            content = replace(content, warnings=remarks_on_list(request.GET["target"]))
    except (BadTarget, NotReady) as error:
        problem = problems.build_problem("not_frozen", message=error)
        return problems.error_page(request, problem, **send_again(request))
    proposed = {"title": _propose_title(target, content), "audience": EVERYONE, "days": "0", "sha256": content.sha256}
    form = DraftForm(request.POST if request.method == "POST" else None)
    context = {"content": content, "page_title": "Freeze to cite", "fields": proposed, "days": DURATIONS}
    context |= {
        "restriction": restriction_of(split_link(content.target)[1].get("search_text", "")),
        "most": MAX_NAMED_MISSING,
    }
    if request.method != "POST":
        return _form_page(request, form, context)
    context["fields"] = request.POST
    if not form.is_valid():
        return _form_page(request, form, context, status=400)
    if form.cleaned_data["sha256"] not in {"", content.sha256}:
        context["fields"] = request.POST.dict() | {"sha256": content.sha256}
        return _form_page(request, form, context | {"wrong": CHANGED_ROWS}, status=409)
    try:
        copy = freeze(person, form.draft(), content)
    except CannotFreeze as error:
        return _form_page(request, form, context | {"wrong": str(error)}, status=409)
    return redirect(view_link(copy))


def _propose_title(target: Target, content: Content) -> str:
    """Return the title of the live view, for a list without the ids that were not found."""
    if not content.missing:
        return target.title
    return title_of_list(held_ids(ids_of(content.target), content.missing), content.target)


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
    query = (MyCopiesQuery if person else CopiesQuery)(**form.cleaned_data)
    if better := canonical_redirect(request, query.link()):
        return redirect(better)
    found = CopyList(query, person)
    if person:
        return _list_page(request, form, found)

    def revision() -> object:
        return CopyList(query, None).revision()

    return conditional_response(request, revision, lambda: _list_page(request, form, found), found.revision())


def _list_page(request: HttpRequest, form: LinkForm, found: CopyList) -> HttpResponse:
    context = {
        **words_context(form, found.query),
        "copies": found,
        "link_of": view_link,
        "past_days_of": past_days_of,
        "person": found.person,
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
    form.check_audience(copy, person)
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
    try:
        copies.withdraw(person, copy, form.cleaned_data["reason"])
    except ChangedMeanwhile:
        # Asked again, the page says so.
        return redirect("withdraw_copy", copy.pk)
    return redirect(url_path(PERSONAL, copy.pk))


def _find_kept(copy_id: str, person: Person) -> FrozenCopy:
    """Return a copy that can still be changed."""
    try:
        return find_copy(copy_id, person)
    except NotShown as error:
        if error.problem.status == 410:
            raise NotShown(replace(error.problem, advice=UNCHANGEABLE)) from None
        raise


def _refuse(request: HttpRequest, copy: FrozenCopy, verb: str) -> HttpResponse:
    until = FIRST_DAY if verb == "withdraw" else ""
    return problems.error_response(
        request, "copy_of_others", verb=verb, title=copy.title, name=copy.person, until=until
    )


def _form_page(
    request: HttpRequest, form: DraftForm | WithdrawalForm, context: Mapping[str, Any], status: int = 200
) -> HttpResponse:
    context = {**context, "errors": form.errors, "audiences": AUDIENCE_WORDS}
    return render_page(request, "freezing/form", context, status=status)
