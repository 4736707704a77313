"""The directory of the categories and releases that have a name."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_safe

from econweb.dashboard.browse.directory import Section, branch_at, build_sections, shown_root
from econweb.dashboard.browse.query import PARSERS, BrowseQuery
from econweb.dashboard.error_pages import problems
from econweb.dashboard.lookup.tag_owners import PLURALS, get_owner
from econweb.dashboard.parameters import LinkForm
from econweb.dashboard.redirects import canonical_redirect
from econweb.dashboard.rendering.etags import conditional_response
from econweb.dashboard.rendering.pages import render_page, render_search_page
from econweb.dashboard.search_box.find import suggest_destinations
from econweb.label_book.lookup import category_tree, get_label
from econweb.label_book.lookup import revision as label_revision

HEADS = {"": "Categories and releases", "category": "Categories", "release": "Releases"}


@require_safe
def browse(request: HttpRequest, kind: str = "") -> HttpResponse:
    form = LinkForm(request.GET, PARSERS)
    if not form.is_valid():
        return problems.bad_parameters(request, form)
    given = form.cleaned_data
    text, at = given.get("q", ""), given.get("at")
    # Words are looked for in the whole tree.
    at = at if kind == "category" and not text else None
    query = BrowseQuery(text, kind, given.get("offset", 0), at)
    if better := canonical_redirect(request, query.link()):
        return redirect(better)
    sections = build_sections(query)
    return conditional_response(
        request,
        lambda: _revision(build_sections(query)),
        lambda: _directory(request, query, sections),
        _revision(sections),
    )


@require_safe
def children(request: HttpRequest, number: int) -> HttpResponse:
    """Send the categories in a category, for the branch of the tree that the user opens."""
    query = BrowseQuery(kind="category", at=number)
    (section,) = sections = build_sections(query)
    return conditional_response(
        request,
        lambda: _revision(build_sections(query)),
        lambda: render_page(request, "browse/_branch", {"section": section}),
        _revision(sections),
    )


def _revision(sections: list[Section]) -> object:
    """Return all that a page shows: the names, and what is known of its rows."""
    return label_revision(), shown_root(), [(row.known, row.age) for section in sections for row in section.rows]


def _directory(request: HttpRequest, query: BrowseQuery, sections: list[Section]) -> HttpResponse:
    context = {
        "query": query,
        "sections": [section for section in sections if section.found],
        "count": _count_in_words(query, sections),
        "title": _title(query),
        "canonical": query.link(),
        "form_link": BrowseQuery(kind=query.kind).link(),
        "path": get_owner("category", query.at).parents() if query.at is not None else [],
        # The category whose branch is shown: at the top, the one that all others are part of.
        "root": get_label("category", query.at) if query.at is not None else shown_root(),
        "popular": [one for one in suggest_destinations() if one.note] if query == BrowseQuery() else [],
    }
    return render_search_page(request, "browse", context)


def _title(query: BrowseQuery) -> str:
    if query.at is not None:
        label = get_label("category", query.at)
        return label.name if label else f"Category {query.at}"
    return f"{HEADS[query.kind]} with “{query.text}”" if query.text else HEADS[query.kind]


def _count_in_words(query: BrowseQuery, sections: list[Section]) -> str:
    if query.at is not None:
        count, below = len(branch_at(query.at)), category_tree().count_below(query.at)
        words = f"{count:,} {PLURALS['category'] if count != 1 else 'category'}"
        return f"{words}, {below:,} with those in them" if below > count else words
    totals = [(one.all_count, one) for one in sections]
    counts = [f"{total:,} {one.title.lower() if total != 1 else one.kind}" for total, one in totals]
    return " and ".join(counts) + (f" with “{query.text}” in the name" if query.text else "")
