"""Error pages: what happened, why, and what to do. Their texts are in error_texts/."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from functools import wraps
from typing import Concatenate, ParamSpec

import structlog
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.views.decorators.vary import vary_on_headers

from econweb.dashboard.error_texts.table import ERRORS
from econweb.dashboard.files.negotiation import is_file
from econweb.dashboard.parameters import ABOVE_RESULTS, LinkForm, messages_of
from econweb.dashboard.redirects import short_link, url_without_pasted_key
from econweb.dashboard.rendering.pages import RESULTS, choose_layout, render_page, replace_controls
from econweb.upstream.queries import TagQuery

# The order comes from its menu or from a link. The offset is not among them: another view begins at its first row.
HIDDEN_FIELDS = ["sort", *(field.name for field in fields(TagQuery) if field.name not in ABOVE_RESULTS | {"offset"})]

Arguments = ParamSpec("Arguments")
View = Callable[Concatenate[HttpRequest, Arguments], HttpResponseBase]


@dataclass(frozen=True)
class Problem:
    """The content of one error page."""

    status: int
    title: str
    message: str
    advice: str = ""
    # The link to try again, and after how many seconds at the earliest.
    retry_link: str = ""
    wait: int = 0
    # The same view without its real-time dates.
    as_of_today: str = ""
    # The request id and time, for the administrator.
    reference: str = ""
    # Advice in place of the other where there is no page.
    plain_advice: str = ""


class NotShown(Exception):
    """Raised for what does not exist, or the person may not see; `problem` says so."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.message)
        self.problem = problem


def render_not_shown(view: View[Arguments]) -> View[Arguments]:
    """Decorate a view so that NotShown becomes an error page."""

    @wraps(view)
    def respond(request: HttpRequest, /, *args: Arguments.args, **kwargs: Arguments.kwargs) -> HttpResponseBase:
        try:
            return view(request, *args, **kwargs)
        except NotShown as error:
            return error_page(request, error.problem)

    return respond


def build_problem(code: str, **values: object) -> Problem:
    text = ERRORS[code]
    title, message, advice = (part.format(**values) for part in (text.title, text.message, text.advice))
    return Problem(text.status, title, message, advice, wait=text.retry_after, plain_advice=text.plain_advice)


def error_response(request: HttpRequest, code: str, **values: object) -> HttpResponse:
    return error_page(request, build_problem(code, **values))


# A program that prefers a file to a page gets plain text, and a redirect without a notice.
@vary_on_headers("Accept")
def error_page(
    request: HttpRequest, problem: Problem, q: str = "", page: str = "error", **more: object
) -> HttpResponse:
    """Render the problem as plain text for a file, otherwise on the page for errors or one that shows its form."""
    if canonical := url_without_pasted_key(request):
        return redirect(canonical)
    if is_file(request):
        response = _plain_text(request, problem)
    else:
        hidden = list(_hidden_fields(request)) if choose_layout(request) == RESULTS else []
        context = {"problem": problem, "q": q, "hidden_fields": hidden, **more}
        response = render_page(request, page, context, status=problem.status)
    if problem.wait:
        response["Retry-After"] = str(problem.wait)
    return response


def _plain_text(request: HttpRequest, problem: Problem) -> HttpResponse:
    title = problem.title if problem.title.endswith("?") else f"{problem.title}."
    parts = [title, problem.message, problem.plain_advice or problem.advice]
    if problem.as_of_today:
        parts.append(f"As of today: {request.build_absolute_uri(problem.as_of_today)}")
    text = replace_controls(" ".join(filter(None, parts)))
    return HttpResponse(f"{text}\n", status=problem.status, content_type="text/plain; charset=utf-8")


def _hidden_fields(request: HttpRequest) -> Iterator[tuple[str, str]]:
    """Yield the filters that the form keeps while an error replaces the results."""
    for name in HIDDEN_FIELDS:
        for value in request.GET.getlist(name):
            yield name, value


def bad_parameters(
    request: HttpRequest, form: LinkForm, filled: str = "", page: str = "error", code: str = "", **more: object
) -> HttpResponse:
    """Render the form's errors. `filled` is the template of the form to correct; without it, the search box.

    `code` names another problem than that of invalid values.
    """
    if better := short_link(request):
        return redirect(better)
    message = " ".join(messages_of(form))
    q = form.data.get("q") or form.data.get("series_id", "")
    problem = build_problem(code or ("invalid_field" if filled else "invalid_link"), message=message)
    return error_page(request, problem, q, page, filled=filled, **more)


def current_request_id() -> str:
    return str(structlog.contextvars.get_contextvars().get("request_id", ""))
