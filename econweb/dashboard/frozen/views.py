"""The pages of a frozen copy: in public for everyone, and below /me/ for those who may see more."""

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_safe

from econweb.accounts.people import Person, Role
from econweb.dashboard import problems
from econweb.dashboard.frozen.check import check_copy
from econweb.dashboard.frozen.owner import PERIOD, frozen_owner
from econweb.dashboard.frozen.series_pages import show_list, show_series
from econweb.dashboard.page_links import url_path, with_query
from econweb.dashboard.problems import Problem
from econweb.dashboard.rendering.filters import day
from econweb.dashboard.rendering.pages import render_page
from econweb.dashboard.rights import requires
from econweb.dashboard.tags.views import show_names, show_profile, show_tags
from econweb.library.copies import BrokenBody, is_expired
from econweb.library.ids import read_id
from econweb.library.models import FrozenCopy
from econweb.library.rights import may_see

PUBLIC, PERSONAL = "frozen", "my_frozen"
# Rows of a difference that a page lists.
MAX_LISTED = 200
NO_ROWS = "This site may not store what the data provider sends, so this copy has digests and no rows."


@require_safe
def frozen(request: HttpRequest, copy_id: str, suffix: str = "", part: str = "") -> HttpResponseBase:
    return _show_if_allowed(request, None, copy_id, suffix, part)


@require_safe
@requires(Role.READER)
def my_frozen(request: HttpRequest, person: Person, copy_id: str, suffix: str = "", part: str = "") -> HttpResponseBase:
    return _show_if_allowed(request, person, copy_id, suffix, part)


def _show_if_allowed(
    request: HttpRequest, person: Person | None, copy_id: str, suffix: str, part: str
) -> HttpResponseBase:
    response = _find_and_show(request, person, copy_id, suffix, part)
    # The live view is for search engines.
    response["X-Robots-Tag"] = "noindex"
    return response


def _find_and_show(
    request: HttpRequest, person: Person | None, copy_id: str, suffix: str, part: str
) -> HttpResponseBase:
    copy = FrozenCopy.objects.filter(pk=read_id(copy_id)).first()
    if copy is None or not may_see(copy, person):
        return missing_page(request, read_id(copy_id), person)
    route = PERSONAL if person else PUBLIC
    if copy_id != copy.pk:
        return redirect(request.get_full_path().replace(copy_id, copy.pk, 1))
    if copy.withdrawn or is_expired(copy, timezone.now()):
        return gone_page(request, copy)
    try:
        return _show(request, copy, route, suffix, part)
    except BrokenBody:
        message = "Its content is not what was frozen, so it is not shown."
        advice = "Tell the administrator: a backup may have it."
        return problems.error_page(request, Problem(503, "This frozen copy is damaged", message, advice))


def _show(request: HttpRequest, copy: FrozenCopy, route: str, suffix: str, part: str) -> HttpResponseBase:
    if part == "check":
        return _show_check(request, copy, route)
    if request.GET.get("against") == "live":
        return redirect(f"{url_path(f'{route}_part', copy.pk, 'check')}?against=live")
    if not copy.body_id:
        if suffix or part:
            return problems.error_page(request, Problem(404, "No rows", NO_ROWS, "Its page has the digests."))
        context = {"copy": copy, "route": route, "canonical": url_path(route, copy.pk)}
        return render_page(request, "frozen/digests", context)
    return _show_content(request, copy, route, suffix, part)


def _show_content(request: HttpRequest, copy: FrozenCopy, route: str, suffix: str, part: str) -> HttpResponseBase:
    if any(name in request.GET for name in PERIOD):
        return _without_period(request)
    if copy.kind != "tags":
        if part:
            message = "Only a copy of tags has this part."
            return problems.error_page(request, Problem(404, "No such part", message, "Open the copy itself."))
        return (show_series if copy.kind == "series" else show_list)(request, copy, route, suffix)
    owner = frozen_owner(copy, route)
    if part == "names":
        return show_names(request, owner)
    return show_profile(request, owner) if part == "profile" else show_tags(request, owner, suffix)


def _show_check(request: HttpRequest, copy: FrozenCopy, route: str) -> HttpResponse:
    is_live = request.GET.get("against") == "live"
    context = {
        "copy": copy,
        "route": route,
        "is_live": is_live,
        "result": check_copy(copy, is_live),
        "check_link": url_path(f"{route}_part", copy.pk, "check"),
        "most": MAX_LISTED,
    }
    return render_page(request, "frozen/check", context)


def _without_period(request: HttpRequest) -> HttpResponse:
    """A copy has one period."""
    rest = request.GET.copy()
    for name in PERIOD:
        rest.pop(name, None)
    return redirect(with_query(request.path, rest.urlencode()))


def missing_page(request: HttpRequest, copy_id: str, person: Person | None) -> HttpResponse:
    """Return the same page for a copy that never was and for one that the person may not see."""
    problem = Problem(404, "No such frozen copy", "There is none with this id that you may see.", "Check the link.")
    more = {"more_link": url_path(PERSONAL, copy_id), "more_words": "Open it with your account"} if not person else {}
    return problems.error_page(request, problem, **more)


def gone_page(request: HttpRequest, copy: FrozenCopy) -> HttpResponse:
    if copy.withdrawn:
        message = f"{copy.withdrawn_by} withdrew it on {day(copy.withdrawn.date())}: {copy.withdrawn_reason}"
        return problems.error_page(request, Problem(410, "This frozen copy was withdrawn", message))
    last_day = f" until {day(copy.expires.date())}" if copy.expires else ""
    message = f"“{copy.title}” was kept{last_day}."
    return problems.error_page(request, Problem(410, "This frozen copy has expired", message))
