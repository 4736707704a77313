"""Atom feeds of the news: of everything or a source, of a saved view, and of the person whose token is given."""

from collections.abc import Callable
from dataclasses import replace

from django.conf import settings
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response
from django.views.decorators.http import require_safe

from econweb.accounts.people import is_from_elsewhere
from econweb.cacheable_response import PRIVATE, CacheableResponse
from econweb.dashboard.error_pages import problems
from econweb.dashboard.news.atom import Feed, write_feed
from econweb.dashboard.news.query import PARSERS, NewsQuery
from econweb.dashboard.news.results import revision_of
from econweb.dashboard.news.sources import sources_of
from econweb.dashboard.page_links import url_path
from econweb.dashboard.parameters import LinkForm
from econweb.dashboard.rendering.etags import weak_etag
from econweb.dashboard.rendering.jinja import render
from econweb.dashboard.rendering.response_head import ATOM, add_links, other_form
from econweb.library import saved_views
from econweb.library.models import SavedView
from econweb.library.rights import may_see
from econweb.search_index.titles.source_names import name_sources
from econweb.watching.models import Announcement
from econweb.watching.news import find_news, read_items
from econweb.watching.subscriptions import subscription_of_token
from econweb.watching.watches import watches_of

SUFFIX = "atom"
MAX_ENTRIES = 100
Find = Callable[[], QuerySet[Announcement]]
GetRevision = Callable[[], object]


@require_safe
def news_feed(request: HttpRequest, suffix: str) -> HttpResponse:
    form = LinkForm(request.GET, {"source": PARSERS["source"]})
    if not form.is_valid():
        return problems.bad_parameters(request, form)
    query = NewsQuery(**form.cleaned_data)
    sources = query.sources

    def title() -> str:
        return f"News of {name_sources(sources)[sources[0]]}" if sources else f"News · {settings.SITE.name}"

    feed = Feed(query.feed, title(), (), query.feed, query.link())
    return _respond_to_all(request, feed, lambda: find_news(sources), title)


@require_safe
def saved_feed(request: HttpRequest, slug: str, suffix: str) -> HttpResponse:
    """Send the news of a view that is for everyone; for any other one there is the same error."""
    view = saved_views.find(slug)
    if view is None or not may_see(view, None) or view.removed:
        return problems.error_response(request, "no_saved_view")
    path = url_path("saved_feed", slug)
    feed = Feed(path, f"News of {view.title}", (), path, url_path("saved_view", slug))

    sources = sources_of(view.kind, view.target)

    def revision() -> object:
        # A response in the cache asks again whether everybody may still see the view.
        return SavedView.objects.filter(pk=slug).values_list("audience", "title", "removed").first()

    return _respond_to_all(request, feed, lambda: find_news(sources), revision)


@require_safe
def my_feed(request: HttpRequest, suffix: str) -> HttpResponse:
    """Send the news of the person whose token is in the query string, which no log holds."""
    found = None if is_from_elsewhere(request) else subscription_of_token(request.GET.get("token", ""))
    if found is None:
        return problems.error_response(request, "no_feed")
    feed = Feed(f"of/{found.pk}", "Your news", (), request.get_full_path(), url_path("my_news"))

    def revision() -> object:
        # The end of a watch takes its lines from an entry that another watch still has.
        return list(watches_of(found.person).values_list("pk", flat=True))

    response, _ = _respond(request, feed, lambda: find_news(person=found.person), revision, found.person)
    response["Cache-Control"] = PRIVATE
    # The address has the token, which the pages of its entries must not get.
    response["Referrer-Policy"] = "no-referrer"
    return response


def _respond_to_all(request: HttpRequest, feed: Feed, find: Find, revision: GetRevision) -> HttpResponse:
    full = replace(feed, subtitle=render("news/_only_followed.html"))
    response, etag = _respond(request, full, find, revision)
    address = request.get_full_path()
    return CacheableResponse(response, lambda: etag == _etag(address, find, revision))


def _respond(
    request: HttpRequest, feed: Feed, find: Find, revision: GetRevision, person: str | None = None
) -> tuple[HttpResponse, str]:
    """Return the feed or a 304, and its ETag."""
    etag = _etag(request.get_full_path(), find, revision)
    # No moment says what is new: an announcement may be stored after one that was confirmed later.
    response = get_conditional_response(request, etag=etag)
    if response is None:
        full = replace(feed, items=read_items(find()[:MAX_ENTRIES], name_sources, person))
        content = write_feed(full, request.build_absolute_uri)
        response = HttpResponse(content, content_type=f"{ATOM}; charset=utf-8")
    response["ETag"] = etag
    add_links(response, [other_form(feed.page, "text/html")])
    return response, etag


def _etag(address: str, find: Find, revision: GetRevision) -> str:
    return weak_etag(address, revision_of(find()[:MAX_ENTRIES]), revision())
