"""A page that cannot be shown says what happened, why, and what to do."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import wraps
from typing import Concatenate, ParamSpec

import structlog
from django import forms
from django.core.exceptions import TooManyFieldsSent
from django.http import HttpRequest, HttpResponse, QueryDict
from django.http.response import HttpResponseBase
from django.shortcuts import redirect

from econweb.dashboard.destinations import address_without_pasted_key
from econweb.dashboard.files.formats import is_file
from econweb.dashboard.forms import HELD_BY_RESULTS
from econweb.dashboard.pages import RESULTS, layout_of, show
from econweb.dashboard.provenance import stamp, with_words
from econweb.upstream.errors import BadReply, Busy, NotFound, Refused, Unavailable, UpstreamError

log = structlog.get_logger("econweb.dashboard")
Arguments = ParamSpec("Arguments")
View = Callable[Concatenate[HttpRequest, Arguments], HttpResponseBase]


@dataclass(frozen=True)
class Problem:
    """The words of one page."""

    status: int
    title: str
    words: str
    advice: str = ""
    # The same may work a little later, and after how many seconds at the earliest.
    again: str = ""
    wait: int = 0
    # The same without its real-time dates.
    as_of_today: str = ""
    # Under which it is written down, and when.
    written: str = ""


_OF_THE_SERVICE = {
    NotFound: (404, "Not found", "Look at the spelling, or start from another id."),
    Refused: (502, "The service refused this", "Change what is asked, or tell whoever runs this portal."),
    Busy: (503, "The service is busy", "Wait a little, then load the page again."),
    Unavailable: (503, "The service is not available", "Nothing is lost: load the page again in a while."),
    BadReply: (
        502,
        "The reply cannot be read",
        "Nothing is shown rather than something wrong. Try again in a while.",
    ),
}


def shown(view: View[Arguments]) -> View[Arguments]:
    """Whatever goes wrong with the service becomes a page in words."""

    @wraps(view)
    def answer(
        request: HttpRequest, /, *args: Arguments.args, **kwargs: Arguments.kwargs
    ) -> HttpResponseBase:
        try:
            return view(request, *args, **kwargs)
        except UpstreamError as error:
            return of_service(request, error, request.get_full_path())

    return answer


def of_service(request: HttpRequest, error: UpstreamError, link: str, about: str = "") -> HttpResponse:
    """What went wrong, the link under which the same may work a little later, and what it would be about."""
    status, title, advice = _OF_THE_SERVICE[type(error)]
    wait = math.ceil(error.seconds) if isinstance(error, Busy) else 0
    again = "" if isinstance(error, (NotFound, Refused)) else link
    as_of_today = _without_dates(request) if isinstance(error, NotFound) else ""
    if as_of_today:
        advice = "It may have no record in that period."
    problem = Problem(status, title, words_of(error), advice, again, wait, as_of_today, _written())
    response = page(request, problem, about=about)
    if wait:
        response["Retry-After"] = str(wait)
    return response


def _without_dates(request: HttpRequest) -> str:
    """The address as of today; empty where it is that already."""
    words = request.GET.copy()
    dropped = [words.pop(name) for name in ("realtime_start", "realtime_end") if name in words]
    return with_words(request.path, words.urlencode()) if dropped else ""


def words_of(error: UpstreamError) -> str:
    """The service begins its own with the name of the status."""
    return str(error).removeprefix("Bad Request.").strip()


def page(request: HttpRequest, problem: Problem, q: str = "", **more: object) -> HttpResponse:
    if better := address_without_pasted_key(request):
        return redirect(better)
    if is_file(request):
        words = " ".join(filter(None, (f"{problem.title}.", problem.words, problem.advice)))
        return HttpResponse(f"{words}\n", status=problem.status, content_type="text/plain; charset=utf-8")
    held = list(_held(request)) if layout_of(request) == RESULTS else []
    context = {"problem": problem, "q": q, "held": held, **more}
    return show(request, "problem", context, status=problem.status)


def _held(request: HttpRequest) -> Iterator[tuple[str, str]]:
    """Words that stand in the place of results must not cost the reader the other filters."""
    for name in HELD_BY_RESULTS:
        for value in request.GET.getlist(name):
            yield name, value


def bad_parameters(request: HttpRequest, form: forms.Form, filled: str = "", **more: object) -> HttpResponse:
    """`filled` is the template of a form that shows what was given; without it there is the box."""
    words = " ".join(str(message) for messages in form.errors.values() for message in messages)
    q = form.data.get("q") or form.data.get("series_id", "")
    advice = "Mend it below and try again." if filled else "Mend it in the box and try again."
    problem = Problem(400, "That cannot be looked up", words, advice)
    return page(request, problem, q=q, filled=filled, **more)


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    if isinstance(exception, TooManyFieldsSent):
        # To read the address again would end in the same error.
        request.GET = QueryDict()
    words = "The address or a header of this request cannot be used."
    advice = "Look at the address, or start from the box."
    return page(request, Problem(400, "Bad request", words, advice))


def too_long_head(request: HttpRequest) -> HttpResponse:
    words = "The headers of this request are longer than this portal reads."
    response = page(request, Problem(431, "Too long a request", words, "Clear the cookies of this site."))
    response["Connection"] = "close"
    return response


def forbidden(request: HttpRequest, exception: Exception | None = None, reason: str = "") -> HttpResponse:
    """Also what comes of a form that was sent from elsewhere (`reason` is Django's word for it)."""
    words = "Nothing was changed: a form is taken only from a page that this portal opened in this browser."
    return page(request, Problem(403, "Not allowed", words, "Open the page again and send it once more."))


def without_database(request: HttpRequest, error: Exception) -> HttpResponse:
    # Its text may hold an address, and a trace would come with every request.
    log.error("the database cannot be used", kind=type(error).__name__)
    words = "The database of this portal cannot be used at the moment."
    advice = "Load the page again in a while."
    response = page(
        request, Problem(503, "The portal is not ready", words, advice, request.get_full_path(), 5)
    )
    response["Retry-After"] = "5"
    return response


def too_many_forms(request: HttpRequest) -> HttpResponse:
    words = "Other forms are still on their way. What you wrote is not saved."
    response = page(request, Problem(503, "Too many forms at once", words, "Send it once more in a moment."))
    response["Retry-After"] = "2"
    return response


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    advice = "Look at the address, or start from the box."
    return page(request, Problem(404, "Not found", "There is no page at this address.", advice))


def server_error(request: HttpRequest) -> HttpResponse:
    advice = f"It is written down as request {_identity()}. Try again, or tell that to who runs this portal."
    return page(
        request, Problem(500, "Something broke here", "The fault is this program's, not yours.", advice)
    )


def _written() -> str:
    return f"Request {_identity()}, {stamp(datetime.now(UTC))}"


def _identity() -> str:
    return str(structlog.contextvars.get_contextvars().get("request_id", ""))
