"""The page of this site that a browser wanted before it was sent to sign in."""

from django.http import HttpRequest
from django.utils.encoding import iri_to_uri
from django.utils.http import url_has_allowed_host_and_scheme


def wanted_page(request: HttpRequest) -> str:
    wanted = request.POST.get("next") or request.GET.get("next", "")
    is_safe = url_has_allowed_host_and_scheme(wanted, {request.get_host()}, require_https=request.is_secure())
    # A redirect takes a text without a slash for the name of a view. Encoded, so that its length counts in cookies.
    return iri_to_uri(wanted) if is_safe and wanted.startswith("/") else "/"
