"""Pages for people with a right: others sign in first, or read why they may not."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect

from econweb.accounts.people import Person, Role, person_of
from econweb.dashboard.entered_text import send_again
from econweb.dashboard.error_pages import problems
from econweb.dashboard.error_pages.problems import Arguments, View
from econweb.dashboard.files.negotiation import is_file
from econweb.dashboard.page_links import page_link
from econweb.dashboard.rendering.pages import current_path_of, htmx_of, is_embedded
from econweb.dashboard.rendering.response_head import is_short_enough

# Where the form of this site signs nobody in, a stranger gets a sentence.
_STRANGERS = {"local": "other_machine", "proxy": "unnamed_by_proxy"}
PersonalView = Callable[Concatenate[HttpRequest, Person, Arguments], HttpResponseBase]


def requires(right: Role) -> Callable[[PersonalView[Arguments]], View[Arguments]]:
    """Decorate a view that takes the person as its second argument."""

    def decorate(view: PersonalView[Arguments]) -> View[Arguments]:
        @wraps(view)
        def respond(request: HttpRequest, /, *args: Arguments.args, **kwargs: Arguments.kwargs) -> HttpResponseBase:
            person = person_of(request)
            if person is None:
                return ask_to_sign_in(request)
            if not person.may(right):
                return problems.error_response(request, "no_right", role=right.name.lower(), name=person.name)
            return view(request, person, *args, **kwargs)

        return respond

    return decorate


def ask_to_sign_in(request: HttpRequest) -> HttpResponse:
    """Lead a browser to the form; a frame and a program, which cannot fill it in, get a sentence."""
    entered = send_again(request)
    if settings.SIGN_IN in _STRANGERS:
        return problems.error_page(request, problems.build_problem(_STRANGERS[settings.SIGN_IN]), **entered)
    htmx = htmx_of(request)
    # A fragment has no page of its own, but each personal path has one: the browser comes back to the page of either.
    wanted = request.get_full_path()
    if htmx and not htmx.boosted and not request.path_info.startswith(settings.PERSONAL_PATHS):
        wanted = current_path_of(htmx) or wanted
    # A link that is too long for a redirect gives way to the view of its form, or to the path alone.
    links = [page_link("sign_in", next=one) for one in (wanted, request.GET.get("target"), request.path) if one]
    link = next(filter(is_short_enough, links), page_link("sign_in"))
    if request.method == "POST":
        # The redirect would lose what the person has entered.
        problem = problems.build_problem("session_ended")
        return problems.error_page(request, problem, more_link=link, more_words="Sign in", **entered)
    if htmx:
        return HttpResponse(headers={"HX-Redirect": link})
    is_browser = "text/html" in request.headers.get("Accept", "")
    if is_embedded(request) or (is_file(request) and not is_browser):
        return problems.error_response(request, "sign_in_first")
    return redirect(link)
