"""The requests of the contract (spec 4)."""

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

from econweb.catalogue import access, editions, parameters, queries, replies
from econweb.catalogue.editions import HeldEdition
from econweb.catalogue.parameters import Period, Values

Answer = Callable[[Values], tuple[HeldEdition, HttpResponse]]
View = Callable[[HttpRequest], HttpResponse]


def of_the_contract(answer: Answer) -> View:
    """What holds for all of them: read only, a key, each parameter once, errors in the format asked for."""

    @csrf_exempt
    @wraps(answer)
    def view(request: HttpRequest) -> HttpResponse:
        query = request.META["QUERY_STRING"]
        values = Values(query[: parameters.LONGEST_QUERY])
        file_type = values.file_type()
        if request.method not in {"GET", "HEAD"}:
            return _refusal(file_type, 405, "Method Not Allowed", Allow="GET, HEAD")
        if len(query) > parameters.LONGEST_QUERY:
            return _refusal(file_type, 414, "URI Too Long")
        try:
            today, key = timezone.localdate(), access.require_key(values)
            edition, response = answer(values)
        except parameters.BadRequest as problem:
            return _refusal(file_type, 400, f"Bad Request.  {problem}")
        except DatabaseError:
            # Who asks within the process may ask again in a moment, over a connection that works.
            connection.close_if_unusable_or_obsolete()
            return _unavailable(file_type, "The catalogue cannot be read at the moment.")
        except editions.OtherFormat as problem:
            return _unavailable(file_type, str(problem))
        last_modified = _last_modified(edition, today)
        _describe(response, last_modified)
        # The same bytes may be sent again, in front of this view, as long as this says so.
        response.still_true = partial(_still_true, edition.identity, key, today)  # type: ignore[attr-defined]
        response.true_for_seconds = settings.CATALOGUE_RECHECK_SECONDS  # type: ignore[attr-defined]
        unchanged = get_conditional_response(request, response["ETag"], last_modified, response)
        return cast("HttpResponse", unchanged)

    return view


@of_the_contract
def series(values: Values) -> tuple[HeldEdition, HttpResponse]:
    asked = parameters.series_parameters(values)
    edition, versions = editions.of_one_edition(lambda _: queries.versions(asked))
    return edition, replies.series(values.file_type(), _bounds(asked.period), versions)


@of_the_contract
def category_tags(values: Values) -> tuple[HeldEdition, HttpResponse]:
    return _tags(values, "category")


@of_the_contract
def release_tags(values: Values) -> tuple[HeldEdition, HttpResponse]:
    return _tags(values, "release")


def openapi(request: HttpRequest) -> HttpResponse:
    """What a client may ask, for programs; no key is needed to read it."""
    text = (settings.BASE_DIR / "docs" / "openapi.yaml").read_bytes()
    return HttpResponse(text, content_type="application/yaml; charset=utf-8")


def unknown(request: HttpRequest) -> HttpResponse:
    return _refusal(_file_type(request), 404, "Not Found")


def bad_request(request: HttpRequest) -> HttpResponse:
    words = "Bad Request.  A header of this request cannot be used."
    return _refusal(_file_type(request), 400, words, Connection="close")


def too_long_head(request: HttpRequest) -> HttpResponse:
    return _refusal(_file_type(request), 431, "Request Header Fields Too Large", Connection="close")


def _file_type(request: HttpRequest) -> str:
    return Values(request.META["QUERY_STRING"][: parameters.LONGEST_QUERY]).file_type()


def _tags(values: Values, kind: str) -> tuple[HeldEdition, HttpResponse]:
    number = parameters.owner_number(values, kind)
    asked = parameters.tag_parameters(values)
    edition, found = editions.of_one_edition(lambda held: queries.tags(held, kind, number, asked))
    envelope = _bounds(asked.period) | {
        "order_by": asked.order_by,
        "sort_order": asked.sort_order,
        "count": found.count,
        "offset": asked.offset,
        "limit": asked.limit,
    }
    file_type = values.file_type()
    return edition, replies.tags(file_type, envelope, edition.records[file_type], found.page)


def _bounds(period: Period) -> dict[str, object]:
    return {"realtime_start": period.start, "realtime_end": period.end}


def _describe(response: HttpResponse, last_modified: int) -> None:
    """So that a client need not fetch again what it has."""
    response["Cache-Control"] = "private, no-cache"
    response["ETag"] = f'"{sha256(response.content).hexdigest()[:32]}"'
    response["Last-Modified"] = http_date(last_modified)
    patch_vary_headers(response, ["Accept-Encoding"])


def _last_modified(edition: HeldEdition, today: date) -> int:
    """An answer changes with the day, too, since the real-time period is today by default."""
    midnight = timezone.make_aware(datetime.combine(today, time.min))
    return int(max(edition.loaded, midnight).timestamp())


def _still_true(identity: str, key: str, day: date) -> bool:
    return timezone.localdate() == day and editions.is_current(identity) and access.admits(key)


def _unavailable(file_type: str, why: str) -> HttpResponse:
    return _refusal(file_type, 503, f"Service Unavailable.  {why}", **{"Retry-After": "5"})


def _refusal(file_type: str, status: int, message: str, **headers: str) -> HttpResponse:
    response = replies.error(file_type, status, message)
    for name, value in {"Cache-Control": "no-store", **headers}.items():
        response[name] = value
    return response
