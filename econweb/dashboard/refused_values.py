"""Responses to requests that the middleware refuses for their form alone."""

from django.http import HttpRequest, HttpResponse, QueryDict

from econweb.dashboard import problems


def too_long_address(request: HttpRequest) -> HttpResponse:
    """Answer instead of a redirect to an address that no response head can hold."""
    # The query may hold a key, so the page repeats none of it.
    request.GET = QueryDict()
    return problems.error_page(request, problems.build_problem("long_address"))


def chunked(request: HttpRequest) -> HttpResponse:
    response = problems.bad_request(request)
    # What follows on this connection may be the rest of a body.
    response["Connection"] = "close"
    return response
