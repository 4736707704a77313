"""The cookie with the sign-ins at the provider that a browser has begun; an anonymous client writes no row."""

from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from econweb.accounts.oidc.flow import Flow
from econweb.accounts.oidc.person import FLOW_FOR

SALT = "econweb.dashboard.account begun flows"
# A browser that opens its tabs again begins several; the newest comes first.
MAX_FLOWS = 4


def read_flows(request: HttpRequest) -> list[Flow]:
    """Return the sign-ins that this browser may still finish."""
    try:
        given = signing.loads(request.COOKIES.get(settings.FLOW_COOKIE_NAME, ""), salt=SALT)
    except signing.BadSignature:
        return []
    # Each new sign-in signs the cookie again, which must not prolong the others.
    earliest = (timezone.now() - FLOW_FOR).timestamp()
    return [flow for flow in (Flow(*fields) for fields in given) if flow.begun > earliest]


def write_flows(response: HttpResponse, flows: list[Flow]) -> None:
    if not flows:
        response.delete_cookie(settings.FLOW_COOKIE_NAME, samesite="Lax")
        return
    held = [(flow.state, flow.following, flow.begun) for flow in flows[:MAX_FLOWS]]
    response.set_cookie(
        settings.FLOW_COOKIE_NAME,
        signing.dumps(held, salt=SALT, compress=True),
        max_age=FLOW_FOR,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )
