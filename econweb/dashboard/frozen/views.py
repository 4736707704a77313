"""The pages of a frozen copy: in public for everyone, and below /me/ for those who may see more."""

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.views.decorators.http import require_safe

from econweb.accounts.people import Person, Role
from econweb.dashboard.error_pages import problems
from econweb.dashboard.files.negotiation import wanted_format
from econweb.dashboard.frozen.access import check_rows, find_whole_copy, render_missing_copies
from econweb.dashboard.frozen.against_live import live_comparison_link
from econweb.dashboard.frozen.check import check_copy
from econweb.dashboard.frozen.landing import Landing
from econweb.dashboard.frozen.owner import frozen_owner
from econweb.dashboard.frozen.pack import pack_of
from econweb.dashboard.frozen.series_pages import show_list, show_series
from econweb.dashboard.frozen.titles import whole_title
from econweb.dashboard.parameters import without_period
from econweb.dashboard.redirects import same_page
from econweb.dashboard.rendering.pages import render_page
from econweb.dashboard.rights import requires
from econweb.dashboard.sharing import citations
from econweb.dashboard.sharing.pack import PACK, pack_response
from econweb.dashboard.tags.views import show_names, show_profile, show_tags


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


@render_missing_copies
def _find_and_show(
    request: HttpRequest, person: Person | None, copy_id: str, suffix: str, part: str
) -> HttpResponseBase:
    copy = find_whole_copy(copy_id, person)
    if copy_id != copy.pk:
        return redirect(request.get_full_path().replace(copy_id, copy.pk, 1))
    landing = Landing(copy, person, request)
    if suffix in citations.MEDIA_TYPES:
        if request.GET:
            # A copy has one citation, whatever filters its page has.
            return redirect(request.path)
        return citations.citation_response(landing.citation, suffix)
    response = _show(landing, suffix, part)
    if response.status_code in {200, 304} and not part:
        landing.add_head(response, is_file=bool(suffix or wanted_format(request)))
    return response


def _show(landing: Landing, suffix: str, part: str) -> HttpResponseBase:
    request, copy = landing.request, landing.copy
    if part == "check":
        return _show_check(landing)
    if request.GET.get("against") == "live":
        return redirect(live_comparison_link(copy, landing.person))
    if not copy.body_id and not (suffix or part):
        return render_page(request, "frozen/digests", {**landing.context(), "canonical": landing.path})
    check_rows(copy)
    if suffix == PACK:
        return pack_response(request, pack_of(landing))
    return _show_content(landing, suffix, part)


def _show_content(landing: Landing, suffix: str, part: str) -> HttpResponseBase:
    request, copy = landing.request, landing.copy
    rest = without_period(request.GET)
    if len(rest) < len(request.GET):
        # A copy has a period of its own.
        return redirect(same_page(request, rest.urlencode()))
    if copy.kind != "tags":
        if part:
            return problems.error_response(request, "no_part")
        return (show_series if copy.kind == "series" else show_list)(landing, suffix)
    owner = frozen_owner(copy, landing.person)
    if part == "names":
        return show_names(request, owner)
    return show_profile(request, owner) if part == "profile" else show_tags(request, owner, suffix)


def _show_check(landing: Landing) -> HttpResponse:
    context = {
        **landing.context(),
        "result": check_copy(landing.copy),
        "against_live": live_comparison_link(landing.copy, landing.person),
        "headings": {"a": "Frozen", "b": "Now"},
        "title": whole_title(landing.copy),
    }
    return render_page(landing.request, "frozen/check", context)
