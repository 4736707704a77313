"""A content type on a request without a form changes nothing and is looked up nowhere."""

import codecs
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

import pytest
from django.core.wsgi import get_wsgi_application
from django.test import RequestFactory

from econweb.serving.content_type import remove_content_types

pytestmark = pytest.mark.django_db
FORM = "application/x-www-form-urlencoded"
CHARSETS = ["cp037", "utf-16", "zlib", "hex", "unicode_escape", "x" * 60_000]


def content_type_seen(method: str, path: str, content_type: str) -> str:
    seen: list[str] = []

    def application(environ: WSGIEnvironment, start_response: StartResponse) -> list[bytes]:
        seen.append(environ["CONTENT_TYPE"])
        start_response("200 OK", [])
        return []

    environ = {"REQUEST_METHOD": method, "PATH_INFO": path, "CONTENT_TYPE": content_type}
    remove_content_types(application)(environ, lambda *_: lambda _: None)
    return seen[0]


def body_of(application: WSGIApplication, content_type: str = "") -> bytes:
    environ = RequestFactory().get("/go", {"q": "no such thing"}).environ | {"CONTENT_TYPE": content_type}
    return b"".join(application(environ, lambda *_: lambda _: None))


@pytest.mark.parametrize("charset", CHARSETS)
def test_charset_does_not_change_how_a_query_is_read(charset: str) -> None:
    """A40"""
    application = remove_content_types(get_wsgi_application())

    with_charset, without = (body_of(application, kind) for kind in (f"text/plain; charset={charset}", ""))

    assert with_charset.count(b"no such thing") == without.count(b"no such thing") > 1


def test_no_codec_is_looked_up_by_a_name_from_a_request(monkeypatch: pytest.MonkeyPatch) -> None:
    """A40"""
    looked_up: list[str] = []
    lookup = codecs.lookup

    def note(name: str) -> codecs.CodecInfo:
        looked_up.append(name)
        return lookup(name)

    monkeypatch.setattr(codecs, "lookup", note)
    body_of(get_wsgi_application(), "text/plain; charset=planted1")
    body_of(remove_content_types(get_wsgi_application()), "text/plain; charset=planted2")

    assert "planted1" in looked_up
    assert "planted2" not in looked_up


@pytest.mark.parametrize(
    ("method", "path", "content_type", "is_kept"),
    [
        ("POST", "/admin/login/", "application/x-www-form-urlencoded", True),
        ("POST", "/admin/login/", "application/x-www-form-urlencoded; charset=UTF-8", True),
        ("POST", "/admin/login/", "multipart/form-data; boundary=----WebKitFormBoundary7MA4YWxk", True),
        ("POST", "/admin/login/", "application/x-www-form-urlencoded; charset=zlib", False),
        ("POST", "/admin/login/", "multipart/form-data; boundary=x; charset=zlib", False),
        ("POST", "/go", "application/x-www-form-urlencoded", False),
        ("GET", "/admin/login/", "application/x-www-form-urlencoded", False),
    ],
)
def test_only_forms_of_the_admin_keep_their_content_type(
    method: str, path: str, content_type: str, is_kept: bool
) -> None:
    assert content_type_seen(method, path, content_type) == (content_type if is_kept else "")


@pytest.mark.parametrize(("path", "seen"), [("/me/names/", FORM), ("/sign-in/", FORM), ("/go", ""), ("/mean/", "")])
def test_form_is_read_under_personal_paths_only(path: str, seen: str) -> None:
    assert content_type_seen("POST", path, FORM) == seen
