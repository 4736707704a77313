"""API endpoints of the contract."""

from collections.abc import Callable
from datetime import date, datetime, time
from functools import partial, wraps
from hashlib import sha256
from typing import cast

from django.conf import settings
from django.db import DatabaseError, connection
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.http import http_date
from django.views.decorators.csrf import csrf_exempt

from econweb.cacheable_response import PRIVATE, CacheableResponse
from econweb.catalogue import access, parameters, replies
from econweb.catalogue.answers import queries
from econweb.catalogue.answers.snapshot import CatalogueSnapshot, FormatMismatch, consistent_read, is_current
from econweb.catalogue.parameters import Period, QueryParameters

Answer = Callable[[QueryParameters], tuple[CatalogueSnapshot, HttpResponse]]
Endpoint = Callable[[HttpRequest], HttpResponse]


def api_endpoint(answer: Answer) -> Endpoint:
    """Decorator for API endpoints: GET or HEAD, an API key, no repeated parameter, errors in the requested format."""

    @csrf_exempt
    @wraps(answer)
    def view(request: HttpRequest) -> HttpResponse:
        query = request.META["QUERY_STRING"]
        values = QueryParameters(query[: parameters.MAX_QUERY_LENGTH])
        file_type = values.file_type()
        if request.method not in {"GET", "HEAD"}:
            return _method_not_allowed(file_type)
        if len(query) > parameters.MAX_QUERY_LENGTH:
            return _refusal(file_type, 414, "URI Too Long")
        try:
            today, key = timezone.localdate(), access.require_key(values)
            snapshot, response = answer(values)
        except parameters.BadRequest as problem:
            return _refusal(file_type, 400, f"Bad Request.  {problem}")
        except DatabaseError:
            # The next call in this process then gets a working connection.
            connection.close_if_unusable_or_obsolete()
            return _unavailable(file_type, "The catalogue cannot be read at the moment.")
        except FormatMismatch as problem:
            return _unavailable(file_type, str(problem))
        last_modified = _last_modified(snapshot, today)
        _add_validators(response, last_modified)
        is_still_valid = partial(_is_still_valid, snapshot.identity, key, today)
        cacheable = CacheableResponse(response, is_still_valid)
        return cast("HttpResponse", get_conditional_response(request, response["ETag"], last_modified, cacheable))

    return view


@api_endpoint
def series(values: QueryParameters) -> tuple[CatalogueSnapshot, HttpResponse]:
    requested = parameters.series_parameters(values)
    snapshot, versions = consistent_read(lambda _: queries.versions(requested))
    return snapshot, replies.series(values.file_type(), _bounds(requested.period), versions)


@api_endpoint
def category_tags(values: QueryParameters) -> tuple[CatalogueSnapshot, HttpResponse]:
    return _tags(values, "category")


@api_endpoint
def release_tags(values: QueryParameters) -> tuple[CatalogueSnapshot, HttpResponse]:
    return _tags(values, "release")


@csrf_exempt
def openapi(request: HttpRequest) -> HttpResponse:
    """Return the OpenAPI description; it needs no key."""
    if request.method not in {"GET", "HEAD"}:
        return _method_not_allowed(_file_type(request))
    text = (settings.BASE_DIR / "docs" / "openapi.yaml").read_bytes()
    return HttpResponse(text, content_type="application/yaml; charset=utf-8")


@csrf_exempt
def unknown(request: HttpRequest) -> HttpResponse:
    # A body was not read, and must not be taken for the next request.
    closing = {} if request.method in {"GET", "HEAD"} else {"Connection": "close"}
    return _refusal(_file_type(request), 404, "Not Found", **closing)


def bad_request(request: HttpRequest) -> HttpResponse:
    words = "Bad Request.  A header of this request cannot be used."
    return _refusal(_file_type(request), 400, words, Connection="close")


def too_long_head(request: HttpRequest) -> HttpResponse:
    return _refusal(_file_type(request), 431, "Request Header Fields Too Large", Connection="close")


def _file_type(request: HttpRequest) -> str:
    return QueryParameters(request.META["QUERY_STRING"][: parameters.MAX_QUERY_LENGTH]).file_type()


def _tags(values: QueryParameters, kind: str) -> tuple[CatalogueSnapshot, HttpResponse]:
    number = parameters.owner_number(values, kind)
    requested = parameters.tag_parameters(values)
    snapshot, found = consistent_read(lambda current: queries.tags(current, kind, number, requested))
    envelope = _bounds(requested.period) | {
        "order_by": requested.order_by,
        "sort_order": requested.sort_order,
        "count": found.count,
        "offset": requested.offset,
        "limit": requested.limit,
    }
    file_type = values.file_type()
    return snapshot, replies.tags(file_type, envelope, snapshot.records[file_type], found.page)


def _bounds(period: Period) -> dict[str, object]:
    return {"realtime_start": period.start, "realtime_end": period.end}


def _add_validators(response: HttpResponse, last_modified: int) -> None:
    """Add the headers by which a client revalidates its copy."""
    response["Cache-Control"] = PRIVATE
    response["ETag"] = f'"{sha256(response.content).hexdigest()[:32]}"'
    response["Last-Modified"] = http_date(last_modified)
    patch_vary_headers(response, ["Accept-Encoding"])


def _last_modified(snapshot: CatalogueSnapshot, today: date) -> int:
    """Return the later of load time and midnight: the default real-time period changes with the day."""
    midnight = timezone.make_aware(datetime.combine(today, time.min))
    return int(max(snapshot.loaded, midnight).timestamp())


def _is_still_valid(identity: str, key: str, day: date) -> bool:
    return timezone.localdate() == day and is_current(identity) and access.is_accepted(key)


def _method_not_allowed(file_type: str) -> HttpResponse:
    return _refusal(file_type, 405, "Method Not Allowed", Allow="GET, HEAD", Connection="close")


def _unavailable(file_type: str, why: str) -> HttpResponse:
    return _refusal(file_type, 503, f"Service Unavailable.  {why}", **{"Retry-After": "5"})


def _refusal(file_type: str, status: int, message: str, **headers: str) -> HttpResponse:
    response = replies.error(file_type, status, message)
    for name, value in {"Cache-Control": "no-store", **headers}.items():
        response[name] = value
    return response
