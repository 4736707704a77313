"""A program behind the response cache, and requests to it."""

import io
from collections.abc import Callable
from dataclasses import dataclass
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from django.http import HttpResponse

from econweb.cacheable_response import CacheableResponse

TEXT = "something worth caching " * 50


@dataclass
class Site:
    """A program that counts its requests; its responses depend on `state` alone."""

    state: str = "first"
    asked: int = 0
    looks: int = 0
    status: int = 200
    cookie: str = ""
    vary: str = "HX-Request"

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> HttpResponse:
        self.asked += 1
        said = self.state
        reader = environ.get("HTTP_HX_REQUEST", "")
        response = HttpResponse(f"{said} {environ['QUERY_STRING']} {reader} {TEXT}", status=self.status)
        response["ETag"] = f'"{said}{environ["QUERY_STRING"]}{reader}"'
        if self.vary:
            response["Vary"] = self.vary
        response["Cache-Control"] = "private, no-cache" if "HTTP_COOKIE" in environ else "public"
        response["X-Request-ID"] = "of-django"
        if self.cookie:
            response.set_cookie(self.cookie, "x")
        start_response(f"{self.status} Said", list(response.items()))
        return CacheableResponse(response, lambda: self.look(said))

    def look(self, said: str) -> bool:
        self.looks += 1
        return said == self.state


@dataclass
class Answer:
    """The response that a server would send."""

    status: str
    headers: dict[str, str]
    body: bytes


Get = Callable[..., Answer]


def asked(
    application: WSGIApplication, query: str = "", method: str = "GET", address: str = "", **headers: str
) -> Answer:
    answer = Answer("", {}, b"")

    def start(status: str, given: list[tuple[str, str]], _error: object = None) -> Callable[[bytes], object]:
        answer.status, answer.headers = status, dict(given)
        return lambda body: None

    environ = {"REQUEST_METHOD": method, "PATH_INFO": "/", "QUERY_STRING": query, "wsgi.url_scheme": "http"}
    environ |= {"REMOTE_ADDR": address, "SERVER_NAME": "testserver"}
    environ |= {f"HTTP_{name.upper()}": value for name, value in headers.items()}
    answer.body = b"".join(application({**environ, "wsgi.input": io.BytesIO()}, start))
    return answer
