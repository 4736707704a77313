"""The page that shows the request behind a view as code."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from econweb.dashboard.links import with_query
from econweb.dashboard.redirects import canonical_redirect
from econweb.dashboard.rendering.pages import render_page
from econweb.dashboard.sharing.snippets import ServiceRequest, snippets


def render_code_page(request: HttpRequest, link: str, asked: ServiceRequest) -> HttpResponse:
    if better := canonical_redirect(request, with_query(request.path, link.partition("?")[2])):
        return redirect(better)
    return render_page(request, "sharing/code", {"link": link, "snippets": snippets(asked)})
