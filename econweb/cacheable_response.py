"""The response that the cache in front of Django may send again."""

from collections.abc import Callable

from django.http import HttpResponse

# `Cache-Control` of a response to a request with a cookie: no shared cache stores it.
PRIVATE = "private, no-cache"


class CacheableResponse(HttpResponse):
    """A copy of a response with the check that says how long the cache may send it again.

    `is_still_valid` looks at everything that the bytes depend on. The cache calls it once a second.
    """

    def __init__(self, response: HttpResponse, is_still_valid: Callable[[], bool]) -> None:
        super().__init__(response.content, content_type="", status=response.status_code)
        self.headers, self.cookies = response.headers, response.cookies
        self.is_still_valid = is_still_valid
