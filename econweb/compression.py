"""Text goes out in a quarter of its bytes; it holds no secret whose guesses a length could confirm."""

import gzip
import re
from collections.abc import Callable
from functools import lru_cache

import brotli
from django.http import HttpRequest, HttpResponse

from econweb.dashboard.vary import vary_on

# Shorter than a packet, there is nothing to win.
WORTH_COMPRESSING = 1000
LARGE = 64 * 1024
TEXT = ("text/", "application/json", "application/xml")


def compressed(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    def answer(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        is_text = response.get("Content-Type", "").startswith(TEXT) and not response.streaming
        if not is_text or len(response.content) < WORTH_COMPRESSING or "Content-Encoding" in response:
            return response
        vary_on(response, "Accept-Encoding")
        if coding := best_coding(request.headers.get("Accept-Encoding", "")):
            response.content = _packed(response.content, coding, quickly=_is_fragment(request, response))
            response["Content-Encoding"] = coding
            response["Content-Length"] = str(len(response.content))
            if "ETag" in response:
                # Other bytes than those that the view made it for.
                response["ETag"] = f"W/{response['ETag'].removeprefix('W/')}"
        return response

    return answer


@lru_cache(maxsize=256)
def best_coding(accepted: str) -> str:
    """The coding of an answer to a request with this `Accept-Encoding`; empty for none."""
    offers = [re.split(r"\s*;\s*q=", part.strip().lower()) for part in accepted[:1000].split(",")]
    # A coding with the weight 0 is refused.
    good = {name for name, *weight in offers if not re.fullmatch(r"0(\.0*)?", "".join(weight))}
    return next((coding for coding in ("br", "gzip") if coding in good), "")


def _is_fragment(request: HttpRequest, response: HttpResponse) -> bool:
    return "HX-Request" in request.headers and "HX-Request" in response["Vary"]


def _packed(content: bytes, coding: str, quickly: bool) -> bytes:
    """A fragment is mostly made for one reader, once: to pack it well would take longer than it wins."""
    if coding == "br":
        return bytes(brotli.compress(content, quality=2 if quickly else 5))
    # The last half per cent of a large text would take twice the time.
    level = 1 if quickly else 9 if len(content) < LARGE else 6
    return gzip.compress(content, level, mtime=0)
