"""The frozen copies of a view over time, for programs: a TimeMap and a TimeGate (RFC 7089)."""

from datetime import UTC, datetime

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.utils.http import parse_http_date
from django.views.decorators.http import require_safe

from econweb.dashboard.error_pages import problems
from econweb.dashboard.frozen.landing import http_moment, view_link
from econweb.dashboard.page_links import with_query
from econweb.dashboard.rendering.etags import conditional_response
from econweb.dashboard.saved.targets import BadTarget, kind_and_link
from econweb.dashboard.sharing.view_links import LINK_FORMAT, timegate_link, timemap_link
from econweb.library.models import FrozenCopy
from econweb.library.public_copies import public_copies

# The newest ones; each is a line of about 120 bytes.
MAX_LISTED = 1000
NO_DATE = "Accept-Datetime: write a date such as Tue, 20 Jan 2026 12:00:00 GMT."


@require_safe
def timemap(request: HttpRequest) -> HttpResponse:
    """List the copies of a view that everybody may see."""
    try:
        link = _read_view(request)
    except BadTarget as error:
        return problems.error_response(request, "invalid_link", message=str(error))

    def ids() -> list[str]:
        return [copy.pk for copy in _listed(link)]

    return conditional_response(request, ids, lambda: _write(request, link, _listed(link)))


@require_safe
def timegate(request: HttpRequest) -> HttpResponse:
    """Lead to the last copy of a view at the time that the request asks for, or else to its first one."""
    wanted = request.headers.get("Accept-Datetime")
    try:
        link = _read_view(request)
        # A date has whole seconds, and a copy parts of one.
        moment = datetime.fromtimestamp(parse_http_date(wanted), UTC) if wanted else timezone.now()
    except BadTarget as error:
        return problems.error_response(request, "invalid_link", message=str(error))
    except (ValueError, OverflowError, OSError):
        return problems.error_response(request, "invalid_link", message=NO_DATE)
    copies = _copies(link)
    copy = copies.filter(fetched__lte=moment.replace(microsecond=999_999)).last() or copies.first()
    response = redirect(view_link(copy)) if copy else problems.error_response(request, "never_frozen")
    patch_vary_headers(response, ["Accept-Datetime"])
    around = {"original": link, "timemap": timemap_link(link)}
    response["Link"] = ", ".join(f'<{request.build_absolute_uri(to)}>; rel="{rel}"' for rel, to in around.items())
    return response


def _read_view(request: HttpRequest) -> str:
    """Return the canonical link of a view, whose pages have the same copies."""
    _, link = kind_and_link(request.GET.get("target", ""), request.get_host())
    path, _, query = link.partition("?")
    return with_query(path, "&".join(part for part in query.split("&") if not part.startswith("offset=")))


def _copies(link: str) -> QuerySet[FrozenCopy]:
    """Return the copies that have their content, the oldest first."""
    return public_copies().filter(target=link).exclude(body=None).order_by("fetched", "created", "pk")


def _listed(link: str) -> list[FrozenCopy]:
    return list(_copies(link).reverse()[:MAX_LISTED])[::-1]


def _write(request: HttpRequest, link: str, copies: list[FrozenCopy]) -> HttpResponse:
    absolute = request.build_absolute_uri
    span = [
        f'{name}="{http_moment(copy)}"'
        for name, copy in zip(("from", "until"), (copies[:1] + copies[-1:]), strict=False)
    ]
    own = [f'<{absolute(timemap_link(link))}>; rel="self"', f'type="{LINK_FORMAT}"', *span]
    lines = [
        f'<{absolute(link)}>; rel="original"',
        f'<{absolute(timegate_link(link))}>; rel="timegate"',
        "; ".join(own),
    ]
    for place, copy in enumerate(copies):
        ends = "first " * (place == 0) + "last " * (place == len(copies) - 1)
        lines.append(f'<{absolute(view_link(copy))}>; rel="{ends}memento"; datetime="{http_moment(copy)}"')
    return HttpResponse(",\n".join(lines) + "\n", content_type=LINK_FORMAT)
