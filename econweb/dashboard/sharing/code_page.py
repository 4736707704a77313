"""The page that shows the request behind a view as code."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from econweb.dashboard.page_links import append_query, with_query
from econweb.dashboard.redirects import canonical_redirect, same_page
from econweb.dashboard.rendering.pages import render_page
from econweb.dashboard.sharing.snippets import ServiceRequest, fetch_in_stata, snippets


def render_code_page(request: HttpRequest, link: str, view: str, service_request: ServiceRequest) -> HttpResponse:
    """Render the request as code; `link` leads back to the view, and `view` is its name."""
    if better := canonical_redirect(request, same_page(request, link.partition("?")[2])):
        return redirect(better)
    code, is_public = snippets(service_request), settings.READ == "anyone"
    if is_public:
        # Stata reads neither JSON nor XML.
        code["Stata"] = fetch_in_stata(request.build_absolute_uri(_plain_csv(link)))
    context = {
        "link": link,
        "view": view,
        "snippets": code,
        "is_public": is_public,
        "api_description": _api_description(),
    }
    return render_page(request, "sharing/code", context)


def _plain_csv(link: str) -> str:
    path, _, query_string = link.partition("?")
    return append_query(with_query(f"{path.rstrip('/')}.csv", query_string), "comments=no")


def _api_description() -> str:
    """Return the path of the description of the embedded service, or an empty text where another one is used."""
    return "" if settings.ECON_BASE_URL else f"{settings.CATALOGUE_PATH}openapi.yaml"
