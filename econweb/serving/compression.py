"""Compress text responses to a quarter; pages hold no secret that a compressed length could reveal."""

import gzip
import re
from collections.abc import Callable
from functools import lru_cache

import brotli
from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers

# A shorter response fits into one packet anyway.
MIN_COMPRESSED_BYTES = 1000
# Characters of an `Accept-Encoding` header that are read.
MAX_ACCEPTED = 1000
TEXT_TYPES = ("text/", "application/json", "application/xml")


def compress_responses(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    def answer(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        # A 304 has the same Vary as the 200, whatever type and size that has (RFC 9110, 15.4.5).
        patch_vary_headers(response, ["Accept-Encoding"])
        if response.status_code == 304:
            # Django's length of its empty body is not that of the 200 (RFC 9110, 8.6).
            del response["Content-Length"]
        is_text = response.get("Content-Type", "").startswith(TEXT_TYPES) and not response.streaming
        if not is_text or len(response.content) < MIN_COMPRESSED_BYTES or "Content-Encoding" in response:
            return response
        if coding := negotiate_encoding(request.headers.get("Accept-Encoding", "")):
            response.content = _compress(response.content, coding, is_fragment=_is_fragment(request, response))
            response["Content-Encoding"] = coding
            response["Content-Length"] = str(len(response.content))
            if "ETag" in response:
                # The view's ETag is for the uncompressed bytes.
                response["ETag"] = f"W/{response['ETag'].removeprefix('W/')}"
        return response

    return answer


def negotiate_encoding(accepted: str) -> str:
    """Return `br`, `gzip` or an empty text for this `Accept-Encoding`."""
    return _best_coding(accepted[:MAX_ACCEPTED])


@lru_cache(maxsize=256)
def _best_coding(accepted: str) -> str:
    offers = [re.split(r";\s*q=", part.strip().lower()) for part in accepted.split(",")]
    # A client refuses a coding by the weight 0.
    good = {name.rstrip() for name, *weight in offers if not re.fullmatch(r"0(\.0*)?", "".join(weight))}
    return next((coding for coding in ("br", "gzip") if coding in good), "")


def _is_fragment(request: HttpRequest, response: HttpResponse) -> bool:
    return "HX-Request" in request.headers and "HX-Request" in response["Vary"]


def _compress(content: bytes, coding: str, is_fragment: bool) -> bytes:
    """Compress; a fragment is mostly sent once, so a high level would cost more time than it saves."""
    if coding == "br":
        return bytes(brotli.compress(content, quality=2 if is_fragment else 5))
    # Level 9 saves half a per cent, and takes up to twice the time.
    return gzip.compress(content, 1 if is_fragment else 6, mtime=0)
