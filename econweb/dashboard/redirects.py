"""Redirects to the canonical address of a page, without API keys."""

from django.http import HttpRequest
from django.utils.encoding import escape_uri_path
from django.utils.http import escape_leading_slashes

from econweb.dashboard.files.negotiation import is_file
from econweb.dashboard.page_links import KEY_NOTICE, append_query, with_query
from econweb.dashboard.rendering.pages import is_plain_form
from econweb.dashboard.rendering.response_head import is_short_enough
from econweb.redaction import remove_key_parameter, remove_pasted_key


def same_page(request: HttpRequest, query: str) -> str:
    """Return the link to the same page or file with another query string."""
    # A path with two slashes at the beginning would lead to another site.
    return with_query(escape_leading_slashes(escape_uri_path(request.path)), query)


def canonical_redirect(request: HttpRequest, link: str, has_key: bool = False) -> str:
    """Return the address to redirect the browser to; empty when the page may have the requested one."""
    match = request.resolver_match
    if match and "suffix" in match.kwargs:
        # A file stays a file, and cannot show a notice.
        link = same_page(request, link.partition("?")[2])
    elif has_key:
        return append_query(link, KEY_NOTICE)
    if has_key:
        return link
    # An address that is too long for a redirect is served as requested.
    return link if (is_plain_form(request) or "renew" in request.GET) and is_short_enough(link) else ""


def short_link(request: HttpRequest) -> str:
    """Return the link of an invalid form without its empty fields; empty unless a plain form was sent."""
    if not is_plain_form(request) or url_without_pasted_key(request):
        return ""
    given = request.GET.copy()
    del given["form"]
    for name, values in list(given.lists()):
        given.setlist(name, [value for value in values if value])
    link = same_page(request, given.urlencode(safe=":@,"))
    return link if is_short_enough(link) else ""


def url_without_key(request: HttpRequest) -> str:
    """Return the address without the parameter `api_key`; empty when the query has none."""
    query = request.META.get("QUERY_STRING", "")
    clean = remove_key_parameter(query)
    return "" if clean == query else _current_url(request, clean)


def url_without_pasted_key(request: HttpRequest) -> str:
    """Return the address of an error page without keys in any value; empty when there are none."""
    clean = request.GET.copy()
    for name, values in request.GET.lists():
        clean.setlist(name, [remove_pasted_key(value) for value in values])
    return "" if clean == request.GET else _current_url(request, clean.urlencode())


def _current_url(request: HttpRequest, query: str) -> str:
    # A file cannot show a notice.
    names_file = is_file(request) or "." in request.path.rpartition("/")[2]
    link = same_page(request, query)
    return link if names_file else append_query(link, KEY_NOTICE)
