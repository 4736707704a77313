"""Remove the content type of requests that carry no form, before Django looks at it."""

import re
from collections.abc import Iterable
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from django.conf import settings

# The types that browsers send with forms.
_FORM = re.compile(
    r"application/x-www-form-urlencoded(?:; ?charset=utf-8)?|multipart/form-data; ?boundary=[\w'()+,./:=?-]{1,70}",
    re.IGNORECASE,
)


def remove_content_types(application: WSGIApplication) -> WSGIApplication:
    """Remove the header: Django decodes the query by its charset, and Python caches each unknown one for ever."""

    def answer(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        may_have_form = environ["REQUEST_METHOD"] == "POST" and environ["PATH_INFO"].startswith(settings.PERSONAL_PATHS)
        if not (may_have_form and _FORM.fullmatch(environ.get("CONTENT_TYPE", ""))):
            environ["CONTENT_TYPE"] = ""
        return application(environ, start_response)

    return answer
