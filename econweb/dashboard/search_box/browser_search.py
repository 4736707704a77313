"""The site as a search engine of browsers: its description by OpenSearch 1.1, and suggestions as JSON."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_safe
from markupsafe import Markup

from econweb.dashboard.page_links import url_path
from econweb.dashboard.rendering.etags import conditional_response
from econweb.dashboard.search_box.find import find_series_with_words, find_tags_with_words, find_with_others
from econweb.dashboard.search_box.id_lists import drop_marks
from econweb.redaction import remove_pasted_key

# Browsers show about as many, and send what was typed in the address bar.
MAX_SUGGESTIONS, MAX_TYPED = 8, 200
# The bound of OpenSearch.
MAX_SHORT_NAME = 16
DESCRIPTION = Markup("""<?xml version="1.0" encoding="UTF-8"?>
<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">
<ShortName>{name}</ShortName>
<Description>Series, categories and releases of economic data</Description>
<InputEncoding>UTF-8</InputEncoding>
<Url type="text/html" template="{site}{search}?q={{searchTerms}}"/>
<Url type="application/x-suggestions+json" template="{site}{suggestions}?q={{searchTerms}}"/>
</OpenSearchDescription>
""")


@require_safe
def describe(request: HttpRequest) -> HttpResponse:
    site = f"{request.scheme}://{request.get_host()}"
    return conditional_response(request, lambda: site, lambda: _description(site))


def _description(site: str) -> HttpResponse:
    text = DESCRIPTION.format(
        name=settings.SITE.name[:MAX_SHORT_NAME],
        site=site,
        search=url_path("go"),
        suggestions=url_path("browser_suggestions"),
    )
    return HttpResponse(text, content_type="application/opensearchdescription+xml")


@require_safe
def suggest_to_browser(request: HttpRequest) -> HttpResponse:
    """Send the text, and names with their kinds and links, in the order of the search box."""
    typed = request.GET.get("q", "").strip()[:MAX_TYPED]
    text = drop_marks(typed)
    destinations = find_with_others(text) if text else []
    links = {one.link for one in destinations}
    others = [*find_series_with_words(text), *find_tags_with_words(text)] if text else []
    destinations += [one for one in others if one.link not in links]
    # Equal names would look like one suggestion given twice; the search box tells them apart.
    named = {one.name: one for one in reversed(destinations) if one.name and not one.is_guess}
    found = list(reversed(named.values()))[:MAX_SUGGESTIONS]
    site = f"{request.scheme}://{request.get_host()}"
    rows = [
        [one.name for one in found],
        [f"{one.title}, discontinued" if one.has_ended else one.title for one in found],
        [site + one.link_with_notice for one in found],
    ]
    return JsonResponse([remove_pasted_key(typed), *rows], safe=False, content_type="application/x-suggestions+json")
