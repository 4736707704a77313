"""The views of the way to sign in that SIGN_IN names; those of a provider load its libraries."""

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.module_loading import import_string
from django.views.decorators.http import require_GET, require_safe


def at_provider(view: str, request: HttpRequest) -> HttpResponse:
    """Let the provider's view of this name answer; other sites have none, and save half a second at their start."""
    if settings.SIGN_IN != "oidc":
        raise Http404
    response: HttpResponse = import_string(f"econweb.dashboard.account.provider_views.{view}")(request)
    return response


@require_GET
def callback(request: HttpRequest) -> HttpResponse:
    return at_provider("callback", request)


@require_safe
def signed_out(request: HttpRequest) -> HttpResponse:
    return at_provider("signed_out", request)
