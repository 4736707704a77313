"""The page of similar categories and releases."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from econweb.dashboard.lookup.tag_owners import TagOwner, get_owner
from econweb.dashboard.page_links import page_link, tag_link, url_path
from econweb.dashboard.rendering.etags import conditional_response
from econweb.dashboard.rendering.pages import render_page
from econweb.label_book.lookup import revision as label_revision
from econweb.search_index.reading.status import describe_coverage
from econweb.search_index.tags import tag_index
from econweb.search_index.tags.owners import read_counts
from econweb.search_index.tags.similar import Similarities, similarities


@dataclass(frozen=True)
class Row:
    """A similar category or release, and why it is similar."""

    owner: TagOwner
    similarity: float
    # The tags that contribute most, with links to their pages.
    reasons: tuple[tuple[str, str], ...]
    comparison: str


@require_safe
def similar(request: HttpRequest, kind: str, number: int) -> HttpResponse:
    return conditional_response(request, _revision, lambda: _page(request, get_owner(kind, number)))


def _revision() -> object:
    return similarities().state, describe_coverage(), label_revision()


def _page(request: HttpRequest, owner: TagOwner) -> HttpResponse:
    known = similarities()
    counts = read_counts(owner.kind, [owner.number]).get(owner.number)
    has_no_tags = counts is not None and not counts.tags
    context = {
        "owner": owner,
        "rows": list(_rows(owner, known)),
        "title": f"Similar to {owner.full_title}",
        "canonical": url_path("similar", owner.kind, owner.number),
        "coverage": describe_coverage(),
        "is_read": has_no_tags or (owner.kind, owner.number) in known.vectors,
        "has_no_tags": has_no_tags,
        "is_any_read": bool(known.vectors),
        "is_computing": bool(not known.vectors and tag_index.coverage().read),
    }
    return render_page(request, "similar/page", context)


def _rows(owner: TagOwner, known: Similarities) -> Iterator[Row]:
    for found in known.nearest((owner.kind, owner.number)):
        other = get_owner(*found.owner)
        sources = {"a": f"{owner.kind}:{owner.number}", "b": f"{other.kind}:{other.number}"}
        yield Row(
            other,
            found.similarity,
            tuple((tag, tag_link(tag)) for tag in found.reasons),
            page_link("compare", **sources),
        )
