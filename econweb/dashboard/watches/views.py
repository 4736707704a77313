"""Follow a view, see what one follows, and stop following."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from econweb.accounts.people import Person, Role
from econweb.dashboard.error_pages import problems
from econweb.dashboard.list_pages import words_context
from econweb.dashboard.page_links import follow_link
from econweb.dashboard.parameter_checks import GET_OR_POST
from econweb.dashboard.parameters import LinkForm
from econweb.dashboard.redirects import canonical_redirect
from econweb.dashboard.rendering.pages import render_page, render_search_page
from econweb.dashboard.rendering.response_head import is_short_enough
from econweb.dashboard.rights import requires
from econweb.dashboard.saved.targets import BadTarget
from econweb.dashboard.watches.query import PARSERS, WatchQuery
from econweb.dashboard.watches.results import WatchList
from econweb.dashboard.watches.targets import Followed, read_followed
from econweb.watching import watches
from econweb.watching.ask import is_sure
from econweb.watching.subscriptions import mail_address, subscription_of
from econweb.watching.watcher import may_watch
from econweb.watching.watches import MAX_SOURCES, MAX_WATCHES, TooManySources, TooManyWatches

FULL = f"You already follow {MAX_WATCHES} views, the most possible. Stop following one first."
FULL_OF_SOURCES = (
    f"With this view you would follow more than {MAX_SOURCES:,} series, categories and releases, the most possible. "
    "Stop following another view first."
)
FROM_FIRST_LOOK = "Changes count from the first look on, soon after you follow."
FROM_TWO_LOOKS = "Changes count once two looks, an hour apart, agree."


@require_http_methods(GET_OR_POST)
@requires(Role.READER)
def follow(request: HttpRequest, person: Person) -> HttpResponse:
    """Say whether the person follows the view of a link, and follow it."""
    given = request.POST if request.method == "POST" else request.GET
    try:
        followed = read_followed(given.get("target", ""), request.get_host())
    except BadTarget as error:
        return problems.error_response(request, "not_followed", message=error)
    if request.method != "POST":
        return _follow_page(request, person, followed)
    try:
        watches.follow(person, followed.kind, followed.link, followed.sources, _read_number(request, "ended"))
    except TooManyWatches:
        return _follow_page(request, person, followed, status=409, wrong=FULL)
    except TooManySources:
        return _follow_page(request, person, followed, status=409, wrong=FULL_OF_SOURCES)
    link = follow_link(followed.link)
    return redirect(link if is_short_enough(link) else "my_watches")


@require_http_methods(GET_OR_POST)
@requires(Role.READER)
def my_watches(request: HttpRequest, person: Person) -> HttpResponse:
    """List what the person follows, or stop following one thing."""
    form = LinkForm(request.GET, PARSERS)
    if not form.is_valid():
        return problems.bad_parameters(request, form)
    query = WatchQuery(**form.cleaned_data)
    if request.method == "POST":
        ended = watches.unfollow(person, _read_number(request, "stop"))
        return redirect(query.link(offset=query.offset, ended=ended.pk if ended else 0))
    if better := canonical_redirect(request, query.link()):
        return redirect(better)
    found = WatchList(query, person)
    context = {
        **words_context(form, query),
        "watches": found,
        "may_watch": may_watch(),
        "stopped": _read_stopped(request, person, query.ended),
        "canonical": query.link(offset=query.offset, ended=0),
    }
    return render_search_page(request, "watches", context)


def _read_stopped(request: HttpRequest, person: Person, number: int) -> Followed | None:
    """Return what the person has just stopped following; None for what the person follows."""
    ended = watches.find_ended(person.name, number)
    try:
        stopped = read_followed(ended.target if ended else "", request.get_host())
    except BadTarget:
        return None
    return None if watches.find(person.name, stopped.link) else stopped


def _read_number(request: HttpRequest, name: str) -> int:
    """Return the number in a field of a form; 0, which no row has, for anything else."""
    digits = request.POST.get(name, "")
    return int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 19 else 0


def _follow_page(
    request: HttpRequest, person: Person, followed: Followed, status: int = 200, wrong: str = ""
) -> HttpResponse:
    watch = watches.find(person.name, followed.link)
    context: dict[str, Any] = {
        "followed": followed,
        "watch": watch,
        "is_new": watch is not None and watch.sources.filter(state_at=None).exists(),
        "count_rule": FROM_FIRST_LOOK if is_sure() else FROM_TWO_LOOKS,
        "may_watch": may_watch(),
        "subscription": subscription_of(person.name),
        "may_have_mail": settings.MAIL_SERVER is not None and bool(mail_address(person.name)),
        "wrong": wrong,
    }
    return render_page(request, "watches/follow", context, status=status)
