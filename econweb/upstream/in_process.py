"""The seam to the embedded service: requests calls a WSGI application instead of a socket."""

import io
import sys
from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import unquote_to_bytes, urlsplit
from wsgiref.types import StartResponse, WSGIApplication

from django.urls import get_script_prefix, set_script_prefix
from requests import PreparedRequest, Response
from requests.adapters import BaseAdapter
from requests.structures import CaseInsensitiveDict
from urllib3 import HTTPResponse


class WSGIAdapter(BaseAdapter):
    """Mount it on a scheme that starts with `http`: requests drops the parameters of any other."""

    def __init__(self, application: WSGIApplication) -> None:
        super().__init__()
        self.application = application

    def send(  # noqa: PLR0913, PLR0917  the signature is that of requests
        self,
        request: PreparedRequest,
        stream: bool = False,
        timeout: Any = None,
        verify: Any = True,
        cert: Any = None,
        proxies: Mapping[str, str] | None = None,
    ) -> Response:
        answer = Response()
        answer.request, answer.url = request, request.url or ""

        def start_response(status: str, headers: list[tuple[str, str]], exc_info: Any = None) -> Any:
            code, _, answer.reason = status.partition(" ")
            answer.status_code = int(code)
            answer.headers = CaseInsensitiveDict(headers)

        # Django's handler resets the script prefix of the thread, in which an outer request is under way.
        prefix = get_script_prefix()
        try:
            body = _body(self.application, _environ(request), start_response)
        finally:
            set_script_prefix(prefix)
        answer.raw = HTTPResponse(io.BytesIO(body), preload_content=False)
        return answer

    def close(self) -> None:
        """Nothing is held open."""


def _body(application: WSGIApplication, environ: dict[str, Any], start_response: StartResponse) -> bytes:
    chunks: Iterable[bytes] = application(environ, start_response)
    try:
        return b"".join(chunks)
    finally:
        if hasattr(chunks, "close"):
            chunks.close()


def _environ(request: PreparedRequest) -> dict[str, Any]:
    parts = urlsplit(request.url or "")
    headers = {
        f"HTTP_{name.upper().replace('-', '_')}": value for name, value in (request.headers or {}).items()
    }
    return {
        "REQUEST_METHOD": request.method,
        "SCRIPT_NAME": "",
        "PATH_INFO": unquote_to_bytes(parts.path).decode("latin-1"),
        "QUERY_STRING": parts.query,
        "SERVER_NAME": parts.hostname,
        "SERVER_PORT": "80",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "REMOTE_ADDR": "127.0.0.1",
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": "http",
        "wsgi.input": io.BytesIO(),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
        **headers,
        "HTTP_HOST": parts.netloc,
    }
