"""Links out of a view: pinned link, files, code, comparison and citations."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers
from django.utils.functional import cached_property
from django.utils.safestring import SafeString

from econweb.dashboard.display.controls import render_list
from econweb.dashboard.files.negotiation import FILE_LABELS, MEDIA_TYPES
from econweb.dashboard.page_links import append_query, page_link, with_query
from econweb.dashboard.rendering.filters import plural
from econweb.dashboard.rendering.pages import render_page
from econweb.dashboard.rendering.response_head import ATOM, add_links, other_form

# RFC 6690, which TimeMaps have.
LINK_FORMAT = "application/link-format"
# In characters: a longer link is in no menu a second time.
MAX_SHORT_LINK = 200


@dataclass(frozen=True)
class Export:
    """Links to the files of a view, which hold all of its rows."""

    files: dict[str, str]
    # Rows of each file; 0 where the view has no table.
    rows: int = 0
    # Label and link of the page with more rows; empty where no more fit.
    to_print: dict[str, str] = field(default_factory=dict)
    # Link to a zip with files, citations and code; empty where there is none.
    pack: str = ""

    @cached_property
    def menu_html(self) -> SafeString:
        """Render the menu once: the pages of a view share it."""
        count = f"<p>{self.rows:,} row{plural(self.rows)}</p>" if self.rows else ""
        files = dict(self._labelled_files())
        files |= {"Appendix pack (.zip)": self.pack} if self.pack else {}
        more = f"<ul>{render_list(self.to_print)}</ul>" if self.to_print else ""
        # The labels are ours, and render_list escapes the links.
        return SafeString(f"{count}<ul>{render_list(files)}</ul>{more}")

    def _labelled_files(self) -> Iterator[tuple[str, str]]:
        for suffix, label in FILE_LABELS.items():
            if link := self.files.get(suffix):
                yield label, link
                # That of a long list would repeat its ids, and the page stays below 30 kB.
                if suffix == "csv" and len(link) <= MAX_SHORT_LINK:
                    yield "CSV without comments", append_query(link, "comments=no")

    @cached_property
    def alternates(self) -> str:
        """Return the files as values of a Link header (RFC 8288)."""
        return ", ".join(other_form(link, MEDIA_TYPES[suffix]) for suffix, link in self.files.items())


@dataclass(frozen=True)
class ViewLinks:
    """Paths within this site; `pinned` is empty when the view has dates already, or no past."""

    export: Export
    pinned: str = ""
    name_of_pin: str = ""
    # The caveat of a link that is fixed at a day which may not be over; empty for other days.
    day_note: str = ""
    # The same view without dates; empty for copies alone, which have no other days.
    current: str = ""
    # False where the service is known to refuse past days of something in the view.
    has_past: bool = True
    # Empty for a view of several requests.
    code: str = ""
    compare: str = ""
    # False for a frozen copy, which has neither a pin nor another copy.
    is_live: bool = True
    # False for a comparison, which can be saved alone.
    can_be_followed: bool = True
    citations: Mapping[str, str] = field(default_factory=dict)
    # The list of frozen copies, for programs; empty for a frozen copy.
    timemap: str = ""
    # The feed of its news; empty where there is none.
    feed: str = ""


def render_with_links(
    request: HttpRequest, name: str, context: Mapping[str, object], links: ViewLinks, steps: Mapping[str, str]
) -> HttpResponse:
    return add_link_header(render_page(request, name, {**context, "view_links": links}), links, steps)


def add_link_header(response: HttpResponse, links: ViewLinks, steps: Mapping[str, str]) -> HttpResponse:
    """Name neighbouring pages, files, feed and frozen copies in a Link header (RFC 8288)."""
    # Firefox loads the next page ahead, against the content policy, unless the link belongs to a part of this page.
    around = [f'<{link}>; rel="{rel}"; anchor="#rows"' for rel, link in steps.items()]
    history = [f'<{links.timemap}>; rel="timemap"; type="{LINK_FORMAT}"'] if links.timemap else []
    feed = [other_form(links.feed, ATOM)] if links.feed else []
    add_links(response, [*around, links.export.alternates, *feed, *history])
    patch_vary_headers(response, ["Accept"])
    return response


def feed_link(source: str) -> str:
    """Return the feed of the news of a series, category or release, such as series:GNPCA."""
    return page_link("news_feed", source=source)


def timemap_link(link: str) -> str:
    """Return the list of frozen copies of a view."""
    return page_link("timemap", target=link)


def timegate_link(link: str) -> str:
    return page_link("timegate", target=link)


def file_links(path: str, query_string: str) -> dict[str, str]:
    return {suffix: with_query(f"{path}.{suffix}", query_string) for suffix in MEDIA_TYPES}
