"""The file format that a request asks for."""

from functools import lru_cache

from django.http import HttpRequest

# By suffix.
MEDIA_TYPES = {
    "csv": "text/csv",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "json": "application/json",
    "xml": "text/xml",
    "md": "text/markdown",
    "tex": "text/x-tex",
}
# In the order of the menu.
FILE_LABELS = {
    "xlsx": "Excel (.xlsx)",
    "csv": "CSV",
    "json": "JSON",
    "xml": "XML",
    "md": "Markdown table",
    "tex": "LaTeX table",
}
MAX_ACCEPT_LENGTH = 1000


def wanted_format(request: HttpRequest) -> str:
    """Return the suffix of the format that the Accept header prefers; empty for a page."""
    return _prefer_suffix(request.headers.get("Accept", "*/*")[:MAX_ACCEPT_LENGTH])


@lru_cache(maxsize=256)
def _prefer_suffix(accept: str) -> str:
    """Parse the header; cached, since most browsers send the same."""
    request = HttpRequest()
    request.META["HTTP_ACCEPT"] = accept
    preferred = request.get_preferred_type(["text/html", *MEDIA_TYPES.values(), "application/xml"])
    suffixes = {media_type: suffix for suffix, media_type in MEDIA_TYPES.items()}
    return (suffixes | {"application/xml": "xml"}).get(preferred or "", "")


def is_file(request: HttpRequest) -> bool:
    """Return whether the request is for a file; its errors are plain text then."""
    match = request.resolver_match
    return bool(match and "suffix" in match.kwargs) or wanted_format(request) != ""
