"""Text is compressed with an encoding that the client accepts."""

import gzip
from collections.abc import Callable

import brotli
import pytest
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory

from econweb.serving.compression import compress_responses, negotiate_encoding

TEXT = "something worth compressing " * 50
HTMX = {"HX-Request": "true"}
UNPACK: dict[str, Callable[[bytes], bytes]] = {"br": brotli.decompress, "gzip": gzip.decompress, "": bytes}


def answer(
    accepted: str, text: str = TEXT, content_type: str = "text/html", vary: str = "", **headers: str
) -> HttpResponse:
    def view(request: HttpRequest) -> HttpResponse:
        said = {"ETag": '"made"'} | ({"Vary": vary} if vary else {})
        return HttpResponse(text, content_type=content_type, headers=said)

    return compress_responses(view)(RequestFactory().get("/", headers={"accept-encoding": accepted, **headers}))


@pytest.mark.parametrize("content_type", ["text/html", "text/xml", "application/json; charset=UTF-8"])
@pytest.mark.parametrize(("accepted", "coding"), [("gzip, deflate, br", "br"), ("gzip", "gzip"), ("", "")])
def test_compressed_response_has_the_same_text(accepted: str, coding: str, content_type: str) -> None:
    response = answer(accepted, content_type=content_type)

    assert response.get("Content-Encoding", "") == coding
    assert UNPACK[coding](response.content).decode() == TEXT
    assert response["Vary"] == "Accept-Encoding"
    assert response["ETag"] == ('W/"made"' if coding else '"made"')


@pytest.mark.parametrize("coding", ["br", "gzip"])
def test_compressed_fragment_is_quick_and_has_the_same_text(coding: str) -> None:
    text = " ".join(f"row {n * n} of many" for n in range(2000))
    page, fragment = (answer(coding, text, vary="HX-Request", **asked) for asked in ({}, HTMX))
    other = answer(coding, text, **HTMX)

    assert UNPACK[coding](fragment.content) == UNPACK[coding](page.content) == text.encode()
    assert len(fragment.content) > len(page.content)
    # A response that is the same for everybody has the same bytes for everybody.
    assert other.content == page.content


@pytest.mark.parametrize(("text", "content_type"), [("short", "text/html"), (TEXT, "image/png")])
def test_small_responses_are_not_compressed(text: str, content_type: str) -> None:
    response = answer("gzip", text, content_type)

    assert "Content-Encoding" not in response
    assert response.content.decode() == text


@pytest.mark.parametrize(
    ("accepted", "coding"),
    [
        ("br;q=1.0, gzip;q=0.8", "br"),
        ("br;q=0, gzip", "gzip"),
        ("gzip;q=0.0", ""),
        ("identity", ""),
        ("GZIP", "gzip"),
        (",;=,q", ""),
        ("x" * 100_000, ""),
    ],
)
def test_compression_uses_accepted_encodings_only(accepted: str, coding: str) -> None:
    assert negotiate_encoding(accepted) == coding
