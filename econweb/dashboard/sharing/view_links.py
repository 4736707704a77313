"""Links out of a view: pinned link, files, code, comparison and citations."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import date

from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers
from django.utils.functional import cached_property
from django.utils.safestring import SafeString

from econweb.dashboard.display.controls import render_list
from econweb.dashboard.files.negotiation import MEDIA_TYPES
from econweb.dashboard.links import with_query
from econweb.dashboard.rendering.pages import render_page
from econweb.dashboard.sharing.pins import name_of_pin


@dataclass(frozen=True)
class Export:
    """Links to the files of a view, which hold all of its rows."""

    files: dict[str, str]
    # Label and link of the page with more rows; empty where no more fit.
    to_print: dict[str, str] = field(default_factory=dict)

    @cached_property
    def shown(self) -> SafeString:
        return render_list(self.files | self.to_print)

    @cached_property
    def alternates(self) -> str:
        """Return the files as values of a Link header (RFC 8288)."""
        return ", ".join(
            f'<{link}>; rel="alternate"; type="{MEDIA_TYPES[suffix]}"' for suffix, link in self.files.items()
        )


@dataclass(frozen=True)
class ViewLinks:
    """Paths within this site; `pinned` is empty when the view has dates already, or no past."""

    pinned: str
    export: Export
    code: str
    compare: str
    citations: Mapping[str, str]
    name_of_pin: str = "Pin to today"
    # False where the service is known to refuse past days of something in the view.
    has_past: bool = True


def view_links(path: str, words: str, pinned_link: str, days: Collection[date], has_past: bool) -> ViewLinks:
    """Build the links of a view of several requests, which has no code; `days` are those of its pinned link."""
    export, pin = Export(file_links(path.rstrip("/"), words)), pinned_link if has_past else ""
    return ViewLinks(pin, export, "", "", {}, name_of_pin(days), has_past)


def render_with_links(
    request: HttpRequest, name: str, context: Mapping[str, object], links: ViewLinks, steps: Mapping[str, str]
) -> HttpResponse:
    return add_link_header(render_page(request, name, {**context, "take": links}), links, steps)


def add_link_header(response: HttpResponse, links: ViewLinks, steps: Mapping[str, str]) -> HttpResponse:
    """Name neighbouring pages and files in a Link header (RFC 8288)."""
    # Firefox loads the next page ahead, against the content policy, unless the link belongs to a part of this page.
    around = [f'<{link}>; rel="{rel}"; anchor="#rows"' for rel, link in steps.items()]
    response["Link"] = ", ".join([*around, links.export.alternates])
    patch_vary_headers(response, ["Accept"])
    return response


def file_links(path: str, words: str) -> dict[str, str]:
    return {suffix: with_query(f"{path}.{suffix}", words) for suffix in MEDIA_TYPES}
