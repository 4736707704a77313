"""The formats in which a view can be taken along, and the answer that carries the file."""

from functools import lru_cache

from django.http import FileResponse, HttpRequest, HttpResponseBase, StreamingHttpResponse
from django.utils.cache import get_conditional_response, patch_cache_control

from econweb.dashboard.etags import weak_etag
from econweb.dashboard.files.csv_file import CSV
from econweb.dashboard.files.json_file import JSON
from econweb.dashboard.files.md_file import MD
from econweb.dashboard.files.sheets import Sheet
from econweb.dashboard.files.streaming import TextFormat, pieces
from econweb.dashboard.files.tex_file import TEX
from econweb.dashboard.files.xlsx_file import workbook
from econweb.dashboard.files.xml_file import XML
from econweb.dashboard.vary import vary_on

# By suffix, in the order of the menu.
MEDIA_TYPES = {
    "csv": "text/csv",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "json": "application/json",
    "xml": "text/xml",
    "md": "text/markdown",
    "tex": "text/x-tex",
}
LONGEST_ACCEPT = 1000
TEXT_FORMATS: dict[str, TextFormat] = {"csv": CSV, "json": JSON, "xml": XML, "md": MD, "tex": TEX}


def wanted_format(request: HttpRequest) -> str:
    """The suffix that the Accept header prefers to a page; empty for a page."""
    return _preferred(request.headers.get("Accept", "*/*")[:LONGEST_ACCEPT])


@lru_cache(maxsize=256)
def _preferred(accept: str) -> str:
    """Most browsers say the same."""
    request = HttpRequest()
    request.META["HTTP_ACCEPT"] = accept
    preferred = request.get_preferred_type(["text/html", *MEDIA_TYPES.values(), "application/xml"])
    suffixes = {media_type: suffix for suffix, media_type in MEDIA_TYPES.items()}
    return (suffixes | {"application/xml": "xml"}).get(preferred or "", "")


def has_whole_records(suffix: str) -> bool:
    return suffix in TEXT_FORMATS and TEXT_FORMATS[suffix].whole_records


def is_file(request: HttpRequest) -> bool:
    """Whoever asked for a file gets words without a page around them when there is none."""
    match = request.resolver_match
    return bool(match and "suffix" in match.kwargs) or wanted_format(request) != ""


def answer(request: HttpRequest, sheet: Sheet, suffix: str) -> HttpResponseBase:
    """What is known already is not written again; the name is weak, since a packed file has its own time."""
    etag = weak_etag(
        suffix, sheet.name, sheet.title, sheet.facts, sheet.columns, sheet.envelope, sheet.fetched
    )
    response = get_conditional_response(request, etag=etag) or in_full(sheet, suffix)
    response["ETag"] = etag
    patch_cache_control(response, private=True, no_cache=True)
    vary_on(response, "Accept")
    return response


def in_full(sheet: Sheet, suffix: str) -> FileResponse | StreamingHttpResponse:
    name, media_type = f"{sheet.name}.{suffix}", MEDIA_TYPES[suffix]
    if suffix == "xlsx":
        return FileResponse(workbook(sheet), as_attachment=True, filename=name, content_type=media_type)
    response = StreamingHttpResponse(
        pieces(sheet, TEXT_FORMATS[suffix]), content_type=f"{media_type}; charset=utf-8"
    )
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
