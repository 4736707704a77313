"""The record of changes: who changed what, filtered, in pages and as files."""

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.views.decorators.http import require_POST, require_safe

from econweb.accounts.changes import changes_for
from econweb.accounts.models import Change
from econweb.accounts.people import EDIT_NAMES, SEE_ACCOUNTS, SEE_CHANGES, Person
from econweb.dashboard.changes.query import PARSERS, ChangesQuery
from econweb.dashboard.changes.sheet import MAX_ROWS, changes_sheet
from econweb.dashboard.changes.words import describe_value, name_kind
from econweb.dashboard.error_pages import problems
from econweb.dashboard.files.responses import export_response
from econweb.dashboard.list_pages import has_words
from econweb.dashboard.page_links import url_path
from econweb.dashboard.paging import Paging
from econweb.dashboard.parameters import LinkForm
from econweb.dashboard.rendering.pages import render_page
from econweb.dashboard.rights import requires
from econweb.dashboard.sharing.view_links import Export, file_links
from econweb.label_book.editing import KIND, CannotUndo, ChangedMeanwhile, find_undoable, undo
from econweb.label_book.models import Label

ROWS_PER_PAGE = 50


@require_safe
@requires(SEE_CHANGES)
def changes(request: HttpRequest, person: Person, suffix: str = "") -> HttpResponseBase:
    form = LinkForm(request.GET, PARSERS)
    if not form.is_valid():
        return problems.bad_parameters(request, form)
    query = ChangesQuery(**form.cleaned_data)
    found = _find(query, person)
    if suffix:
        return export_response(request, changes_sheet(found, query, request.build_absolute_uri(query.link())), suffix)
    paging = Paging(found.count(), query.offset, ROWS_PER_PAGE)
    export = Export(
        file_links(f"{url_path('changes')}record", query.query_string(offset=0)), min(paging.total, MAX_ROWS)
    )
    rows = list(found[paging.window])
    context = {
        "query": query,
        "rows": rows,
        "paging": paging,
        "steps": query.steps(paging),
        "kinds": _list_kinds(query, person),
        "name_kind": name_kind,
        "describe": describe_value,
        "has_accounts": person.may(SEE_ACCOUNTS),
        "undoable": find_undoable(rows),
        "export": export,
        "other_forms": [export.alternates],
    }
    return render_page(request, "changes/page", context)


@require_POST
@requires(EDIT_NAMES)
def undo_change(request: HttpRequest, person: Person, number: int) -> HttpResponse:
    change = Change.objects.filter(pk=number, kind=KIND).first()
    if change is None:
        return problems.error_response(request, "not_found")
    try:
        undo(person.name, change)
    except (ChangedMeanwhile, CannotUndo) as error:
        kind, stored_number = change.key.split(" ")
        stored = Label.objects.filter(kind=kind, number=stored_number).first()
        title = stored.name if stored else change.key
        return problems.error_response(request, "changed_meanwhile", title=title, reason=str(error))
    # Not the title: it may be a name of an earlier version that no search accepts.
    return redirect(ChangesQuery(q=change.key).link())


def _list_kinds(query: ChangesQuery, person: Person) -> list[str]:
    """Return the kinds of all changes, and that of the link."""
    kinds = changes_for(person).order_by().values_list("kind", flat=True).distinct()
    return sorted({*kinds, query.kind} - {""})


def _find(query: ChangesQuery, person: Person) -> QuerySet[Change]:
    found = changes_for(person).filter(has_words(query.q, "key", person))
    return found.filter(kind=query.kind) if query.kind else found
