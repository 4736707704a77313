"""A requests adapter that calls the embedded service as a WSGI application in this process."""

import io
import sys
from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import unquote_to_bytes, urlsplit
from wsgiref.types import StartResponse, WSGIApplication

from django.core.handlers.wsgi import WSGIHandler, WSGIRequest
from django.urls import get_script_prefix, set_script_prefix
from requests import PreparedRequest, Response
from requests.adapters import BaseAdapter
from requests.structures import CaseInsensitiveDict
from urllib3 import HTTPResponse


class _InProcessRequest(WSGIRequest):
    def get_host(self) -> str:
        """Return the host of the call, which no request from outside may name."""
        return str(self.META["HTTP_HOST"])


class InProcessHandler(WSGIHandler):
    """Django's handler for calls from this process."""

    request_class = _InProcessRequest


class WSGIAdapter(BaseAdapter):
    """Call a WSGI application; mount it on a scheme that starts with `http`, else requests drops parameters."""

    def __init__(self, application: WSGIApplication) -> None:
        super().__init__()
        self.application = application

    # The embedded service waits for nothing but the database, so no timeout is needed.
    def send(  # noqa: PLR0913, PLR0917  the signature is that of requests
        self,
        request: PreparedRequest,
        stream: bool = False,
        timeout: Any = None,
        verify: Any = True,
        cert: Any = None,
        proxies: Mapping[str, str] | None = None,
    ) -> Response:
        reply = Response()
        reply.request, reply.url = request, request.url or ""

        def start_response(status: str, headers: list[tuple[str, str]], exc_info: Any = None) -> Any:
            code, _, reply.reason = status.partition(" ")
            reply.status_code = int(code)
            reply.headers = CaseInsensitiveDict(headers)

        # Django's handler resets the script prefix of the thread, which the outer request still needs.
        prefix = get_script_prefix()
        try:
            body = _read_body(self.application, _build_environ(request), start_response)
        finally:
            set_script_prefix(prefix)
        reply.raw = HTTPResponse(io.BytesIO(body), preload_content=False)
        return reply

    def close(self) -> None:
        """Do nothing: no connection is open."""


def _read_body(application: WSGIApplication, environ: dict[str, Any], start_response: StartResponse) -> bytes:
    chunks: Iterable[bytes] = application(environ, start_response)
    try:
        return b"".join(chunks)
    finally:
        if hasattr(chunks, "close"):
            chunks.close()


def _build_environ(request: PreparedRequest) -> dict[str, Any]:
    parts = urlsplit(request.url or "")
    # Nothing travels, so compression would only take time.
    sent = {name: value for name, value in (request.headers or {}).items() if name.lower() != "accept-encoding"}
    headers = {f"HTTP_{name.upper().replace('-', '_')}": value for name, value in sent.items()}
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
