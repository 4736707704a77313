"""Pages that need not be made again: an ETag of all that they rest on, and whether that is still so."""

from collections.abc import Callable
from functools import cache
from hashlib import blake2b

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response

from econweb.dashboard.pages import layout_of, of_one_address
from econweb.dashboard.provenance import today

# Headers that an ETag answers.
_CONDITIONS = {"HTTP_IF_MATCH", "HTTP_IF_NONE_MATCH"}


def answer_once(
    request: HttpRequest, facts: object, facts_now: Callable[[], object], make: Callable[[], HttpResponse]
) -> HttpResponse:
    """Nothing but the facts, the link and the day may decide what is made."""
    # Both live as long as the answer is kept, so they hold little.
    asked = (layout_of(request), request.get_full_path())
    etag = _etag(asked, facts)
    response = get_conditional_response(request, etag=etag) if _CONDITIONS & request.META.keys() else None
    response = make() if response is None else of_one_address(response)
    response["ETag"] = etag
    response.still_true = lambda: etag == _etag(asked, facts_now())  # type: ignore[attr-defined]
    return response


def weak_etag(*said: object) -> str:
    return f'W/"{blake2b(repr((edition(), *said)).encode(), digest_size=12).hexdigest()}"'


def _etag(asked: tuple[str, str], facts: object) -> str:
    return weak_etag(today(), asked, facts)


@cache
def edition() -> str:
    """What the program itself says: a release makes new pages of old data, and all hosts of it the same."""
    root, digest = settings.BASE_DIR, blake2b(digest_size=8)
    for path in sorted(
        [*root.glob("templates/*.html"), *root.glob("static/**/*.*"), *root.glob("econweb/**/*.py")]
    ):
        text = path.read_bytes()
        digest.update(f"{path.relative_to(root)} {len(text)} ".encode() + text)
    return digest.hexdigest()
