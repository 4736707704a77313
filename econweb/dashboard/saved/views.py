"""Saved views: the lists, one view for everyone or for a person, and the form that saves, changes and removes one."""

from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods, require_safe

from econweb.accounts.people import Person, Role
from econweb.dashboard.entry_checks import AUDIENCE_WORDS, describe_audience, parse_moment
from econweb.dashboard.error_pages import problems
from econweb.dashboard.error_pages.problems import NotShown, Problem, build_problem
from econweb.dashboard.list_pages import words_context
from econweb.dashboard.page_links import page_link
from econweb.dashboard.parameter_checks import GET_OR_POST
from econweb.dashboard.parameters import LinkForm
from econweb.dashboard.redirects import canonical_redirect
from econweb.dashboard.rendering.etags import conditional_response
from econweb.dashboard.rendering.filters import day
from econweb.dashboard.rendering.pages import render_page, render_search_page
from econweb.dashboard.rights import requires
from econweb.dashboard.saved.forms import SavedViewForm
from econweb.dashboard.saved.live import respond_to_all, respond_to_person
from econweb.dashboard.saved.pack import show_pack
from econweb.dashboard.saved.query import KINDS, MY_PARSERS, PARSERS, MySavedQuery, SavedQuery
from econweb.dashboard.saved.results import SavedList, link_of
from econweb.dashboard.saved.targets import BadTarget, Target, read_target
from econweb.library import saved_views
from econweb.library.concurrency import ChangedMeanwhile
from econweb.library.models import ME, SavedView
from econweb.library.rights import may_edit, may_see
from econweb.library.saved_views import MAX_VIEWS, TooManyViews

FULL = f"You have {MAX_VIEWS} saved views. Remove one that nobody needs."
FULL_OF_OTHERS = f"{{name}} has {MAX_VIEWS} saved views. One of them must be removed first."


@require_safe
def saved(request: HttpRequest) -> HttpResponseBase:
    """List the views for everyone."""
    return _list_views(request, None)


@require_safe
def saved_view(request: HttpRequest, slug: str, suffix: str = "") -> HttpResponseBase:
    """Show a view for everyone. Any other one gets the page of a view that does not exist."""
    view = saved_views.find(slug)
    if view is None or not may_see(view, None):
        problem = build_problem("no_saved_view")
        has_accounts = settings.SIGN_IN != "local"
        return problems.error_page(request, problem, filled="saved/_sign_in.html", slug=slug, has_accounts=has_accounts)
    if view.removed:
        return problems.error_page(request, _describe_removed(view))
    if suffix:
        return show_pack(request, view)
    response = respond_to_all(request, view)
    _mark_opened(request, view)
    return response


@require_safe
@requires(Role.READER)
def my_saved(request: HttpRequest, person: Person) -> HttpResponseBase:
    """List the views that the person may see."""
    return _list_views(request, person)


@require_safe
@requires(Role.READER)
@problems.render_not_shown
def my_saved_view(request: HttpRequest, person: Person, slug: str, suffix: str = "") -> HttpResponseBase:
    view = _find(person, slug)
    if suffix:
        return show_pack(request, view)
    _mark_opened(request, view)
    return respond_to_person(request, view, person)


@require_http_methods(GET_OR_POST)
@requires(Role.READER)
def save_view(request: HttpRequest, person: Person) -> HttpResponseBase:
    """Save the view of a link."""
    given = request.POST if request.method == "POST" else request.GET
    try:
        target = read_target(given.get("target", ""), request.get_host())
    except BadTarget as error:
        return problems.error_response(request, "no_view", message=error)
    if request.method != "POST":
        return _form_page(request, target, {"title": target.title, "audience": ME})
    form = SavedViewForm(request.POST)
    if not form.is_valid():
        return _form_page(request, target, _entered(request), status=400, errors=form.errors)
    try:
        view = saved_views.save(person, target.kind, target.link, form.entry())
    except TooManyViews:
        return _form_page(request, target, _entered(request), status=409, wrong=FULL)
    return redirect(link_of(view))


@require_http_methods(GET_OR_POST)
@requires(Role.READER)
@problems.render_not_shown
def edit_saved_view(request: HttpRequest, person: Person, slug: str) -> HttpResponseBase:
    """Change, remove or restore a saved view."""
    is_restoring = "restore" in request.POST
    view = _find(person, slug, also_removed=is_restoring)
    if not may_edit(view, person):
        return problems.error_response(request, "no_right", role="editor", name=person.name)
    if request.method != "POST":
        return _edit_page(request, view, vars(view))
    if is_restoring:
        return _restore(request, person, view)
    return _store(request, person, view)


def _find(person: Person, slug: str, also_removed: bool = False) -> SavedView:
    """Return a view that the person may see, or raise NotShown."""
    view = saved_views.find(slug)
    if view is None or not may_see(view, person):
        raise NotShown(build_problem("no_saved_view"))
    if view.removed and not also_removed:
        raise NotShown(_describe_removed(view))
    return view


def _store(request: HttpRequest, person: Person, view: SavedView) -> HttpResponse:
    """Change or remove the view, and go on to its page or to the list."""
    form = SavedViewForm(request.POST)
    is_removal = "remove" in request.POST
    if not is_removal:
        form.check_audience(view, person)
    # A view that is removed needs no valid title.
    if "seen" in form.errors or (form.errors and not is_removal):
        return _edit_page(request, view, _entered(request), status=400, errors=form.errors)
    seen = form.cleaned_data["seen"]
    try:
        if is_removal:
            saved_views.remove(person, view.slug, seen)
            return redirect(page_link("my_saved", removed=view.slug))
        return redirect(link_of(saved_views.change(person, view.slug, form.entry(), seen)))
    except ChangedMeanwhile:
        view.refresh_from_db()
        if view.removed or not may_see(view, person):
            # Asked again, the page says so.
            return redirect("edit_saved_view", view.slug)
        # The entered text stays in the form; sending it again replaces the other one.
        return _edit_page(request, view, _entered(request), status=409, is_conflict=True)


def _restore(request: HttpRequest, person: Person, view: SavedView) -> HttpResponse:
    try:
        saved_views.restore(person, view.slug, parse_moment(request.POST.get("seen", "")))
    except TooManyViews:
        full = FULL if view.person == person.name else FULL_OF_OTHERS.format(name=view.person)
        return problems.error_response(request, "not_restored", message=full)
    except ChangedMeanwhile:
        return redirect("edit_saved_view", view.slug)
    return redirect(link_of(view))


def _list_views(request: HttpRequest, person: Person | None) -> HttpResponse:
    form = LinkForm(request.GET, MY_PARSERS if person else PARSERS)
    if not form.is_valid():
        return problems.bad_parameters(request, form)
    slug = form.cleaned_data.pop("removed", "")
    query = (MySavedQuery if person else SavedQuery)(**form.cleaned_data)
    if better := canonical_redirect(request, query.link()):
        return redirect(better)
    found = SavedList(query, person)
    if person:
        return _list_page(request, form, found, _find_removed(person, slug))

    def revision() -> object:
        return SavedList(query, None).revision()

    return conditional_response(request, revision, lambda: _list_page(request, form, found), found.revision())


def _find_removed(person: Person, slug: str) -> SavedView | None:
    """Return the removed view, if the person may restore it."""
    view = saved_views.find(slug) if slug else None
    return view if view and view.removed and may_edit(view, person) else None


def _list_page(
    request: HttpRequest, form: LinkForm, found: SavedList, removed: SavedView | None = None
) -> HttpResponse:
    person = found.person
    context = {
        **words_context(form, found.query),
        "saved": found,
        "removed": removed,
        "link_of": link_of,
        "audience_of": describe_audience,
        "person": person,
        "kind_words": KINDS,
        "title": f"Saved views{' that you may see' if person else ''} {found.in_words()}".rstrip(),
    }
    return render_search_page(request, "saved", context)


def _describe_removed(view: SavedView) -> Problem:
    return build_problem("removed_view", title=view.title, day=day(view.removed))


def _mark_opened(request: HttpRequest, view: SavedView) -> None:
    if request.method == "GET":
        saved_views.mark_opened(view)


def _entered(request: HttpRequest) -> dict[str, str]:
    return {name: request.POST.get(name, "") for name in ("title", "note", "audience", "is_pinned")}


def _edit_page(request: HttpRequest, view: SavedView, fields: Mapping[str, Any], **more: Any) -> HttpResponse:
    return _form_page(
        request, Target(view.kind, view.target, view.title), fields, view=view, link=link_of(view), **more
    )


def _form_page(
    request: HttpRequest, target: Target, fields: Mapping[str, Any], status: int = 200, **more: Any
) -> HttpResponse:
    context = {
        "target": target,
        "fields": fields,
        "audiences": AUDIENCE_WORDS,
        "errors": {},
        **more,
    }
    return render_page(request, "saved/form", context, status=status)
