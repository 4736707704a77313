"""Responses that carry a file, and the formats they offer."""

from dataclasses import replace

import structlog
from django.http import FileResponse, HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.utils.cache import get_conditional_response, patch_cache_control, patch_vary_headers

from econweb.dashboard.error_texts.messages import NO_WORKBOOK
from econweb.dashboard.files.csv_format import CSV
from econweb.dashboard.files.excel_format import CannotWrite, write_workbook
from econweb.dashboard.files.json_format import JSON
from econweb.dashboard.files.latex_format import TEX
from econweb.dashboard.files.markdown_format import MD
from econweb.dashboard.files.negotiation import MEDIA_TYPES
from econweb.dashboard.files.sheet import Sheet
from econweb.dashboard.files.streaming import TextFormat, stream
from econweb.dashboard.files.xml_format import XML
from econweb.dashboard.rendering.etags import weak_etag
from econweb.dashboard.rendering.response_head import add_links, other_form

log = structlog.get_logger("econweb.dashboard")
TEXT_FORMATS: dict[str, TextFormat] = {"csv": CSV, "json": JSON, "xml": XML, "md": MD, "tex": TEX}


def has_whole_records(suffix: str) -> bool:
    return suffix in TEXT_FORMATS and TEXT_FORMATS[suffix].has_whole_records


def export_response(request: HttpRequest, sheet: Sheet, suffix: str) -> HttpResponseBase:
    """Return the file, or 304. The ETag is weak because a workbook contains its time of creation."""
    if request.GET.get("comments") == "no":
        sheet = replace(sheet, has_comments=False)
    head = sheet.name, sheet.title, sheet.caption, sheet.metadata, sheet.has_comments
    etag = weak_etag(suffix, head, sheet.columns, sheet.envelope, sheet.fetched, sheet.revision)
    response = get_conditional_response(request, etag=etag) or file_response(sheet, suffix)
    if response.status_code == 503:
        return response
    response["ETag"] = etag
    add_links(response, [other_form(sheet.metadata["source"], "text/html")])
    patch_cache_control(response, private=True, no_cache=True)
    patch_vary_headers(response, ["Accept"])
    return response


def file_response(sheet: Sheet, suffix: str) -> HttpResponseBase:
    """Return the file, or a 503 where no workbook can be written in DATA_DIR."""
    name, media_type = f"{sheet.name}.{suffix}", MEDIA_TYPES[suffix]
    if suffix == "xlsx":
        try:
            workbook = write_workbook(sheet)
        except CannotWrite as error:
            return _refuse_workbook(error)
        return FileResponse(workbook, as_attachment=True, filename=name, content_type=media_type)
    response = StreamingHttpResponse(stream(sheet, TEXT_FORMATS[suffix]), content_type=f"{media_type}; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def _refuse_workbook(error: CannotWrite) -> HttpResponse:
    log.error("a workbook cannot be written in DATA_DIR", kind=str(error))
    plain = "text/plain; charset=utf-8"
    return HttpResponse(f"{NO_WORKBOOK}\n", status=503, content_type=plain, headers={"Retry-After": "60"})
