"""Pages for people with a right: others sign in first, or read why they may not."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse

from econweb.accounts.people import Person, Role, person_of
from econweb.dashboard import problems
from econweb.dashboard.page_links import encode_query, with_query
from econweb.dashboard.rendering.pages import htmx_of

Arguments = ParamSpec("Arguments")
View = Callable[Concatenate[HttpRequest, Person, Arguments], HttpResponseBase]
PersonalView = Callable[Concatenate[HttpRequest, Arguments], HttpResponseBase]


def requires(right: Role) -> Callable[[View[Arguments]], PersonalView[Arguments]]:
    """Decorate a view that takes the person as its second argument."""

    def decorate(view: View[Arguments]) -> PersonalView[Arguments]:
        @wraps(view)
        def respond(request: HttpRequest, /, *args: Arguments.args, **kwargs: Arguments.kwargs) -> HttpResponseBase:
            person = person_of(request)
            if person is None:
                return _ask_to_sign_in(request)
            if not person.may(right):
                return problems.error_response(request, "no_right", role=right.name.lower(), name=person.name)
            return view(request, person, *args, **kwargs)

        return respond

    return decorate


def _ask_to_sign_in(request: HttpRequest) -> HttpResponse:
    if settings.SIGN_IN == "local":
        return problems.error_response(request, "other_machine")
    link = with_query(reverse("sign_in"), encode_query({"next": request.get_full_path()}))
    if htmx_of(request):
        # A fragment cannot show the form: the browser goes there.
        return HttpResponse(headers={"HX-Redirect": link})
    return redirect(link)
