"""Names of categories and releases: one edited in its place, or many from a CSV text."""

from collections.abc import Mapping, Sequence
from io import StringIO
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_http_methods, require_safe

from econweb.accounts.people import EDIT_NAMES, Person
from econweb.dashboard.lookup.tag_owners import get_owner
from econweb.dashboard.names.forms import NameForm, TextForm
from econweb.dashboard.parameter_checks import GET_OR_POST
from econweb.dashboard.rendering.pages import htmx_of, render_page
from econweb.dashboard.rights import requires
from econweb.label_book.editing import (
    BadParent,
    ChangedMeanwhile,
    compare_labels,
    digest_of,
    import_labels,
    save_name,
    state_of,
)
from econweb.label_book.files import COLUMNS, BadFile, export_to, read_labels
from econweb.label_book.models import Label

# Rows of the table of what would change; thousands would make a page of megabytes.
MAX_SHOWN = 500
COLUMN_LINE = ",".join(COLUMNS)
NOT_UTF8 = "The file is not UTF-8. Save it as UTF-8, and choose it again."
EMPTY_FILE = "The file is empty. Choose another one, or paste CSV."
FILE_AND_TEXT = "Choose a file or paste a text, not both."
# Some programs put it before a text. It is invisible, and no part of the first column.
BYTE_ORDER_MARK = "\ufeff"


@require_http_methods(GET_OR_POST)
@requires(EDIT_NAMES)
def edit_name(request: HttpRequest, person: Person, kind: str, number: int) -> HttpResponse:
    stored = Label.objects.filter(kind=kind, number=number).first()
    opened = stored.revision if stored else 0
    if request.method != "POST":
        return _name_page(request, kind, number, {**(state_of(stored) or {}), "opened": opened})
    form = NameForm(request.POST, instance=stored or Label(kind=kind, number=number))
    entered = {name: request.POST.get(name, "") for name in ("name", "note", "parent", "reason", "opened")}
    if not form.is_valid():
        return _name_page(request, kind, number, entered, status=400, errors=form.errors)
    try:
        save_name(person.name, form.label(), form.cleaned_data["opened"], form.cleaned_data["reason"])
    except BadParent as problem:
        form.add_error("parent", str(problem))
        return _name_page(request, kind, number, entered, status=400, errors=form.errors)
    except ChangedMeanwhile as other:
        # The entered text stays in the form; sending it again replaces the other one.
        latest = entered | {"opened": other.label.revision if other.label else 0}
        conflict = {"is_conflict": True, "other": other.label, "replaced": _find_replaced(other.label, form.label())}
        return _name_page(request, kind, number, latest, status=409, **conflict)
    # The page of the owner may show the old name for a second: workers and caches check for changes that often.
    return _name_page(request, kind, number, {}, saved=form.cleaned_data["name"])


def _find_replaced(stored: Label | None, entered: Label) -> dict[str, object]:
    """Return the stored values that are not as entered."""
    values = state_of(entered) or {}
    return {name: value for name, value in (state_of(stored) or {}).items() if value != values[name]}


@require_http_methods(GET_OR_POST)
@requires(EDIT_NAMES)
def names(request: HttpRequest, person: Person) -> HttpResponse:
    """Look at what a CSV text would change, then store it."""
    # The text of a file stays out of the box: together with another file it would be refused.
    context: dict[str, Any] = {"columns": COLUMN_LINE, "pasted": _pasted_text(request)}
    if request.method != "POST":
        return render_page(request, "names/many", context)
    try:
        form = TextForm({**request.POST.dict(), "text": _entered_text(request)})
        if not form.is_valid():
            raise BadFile(next(iter(form.errors.values()))[0])
        text, is_conflict = form.cleaned_data["text"], False
        if form.cleaned_data["store"]:
            try:
                done = import_labels(person.name, StringIO(text, newline=""), seen=form.cleaned_data["seen"])
                return render_page(request, "names/many", context | {"stored": done.changed, "pasted": ""})
            except ChangedMeanwhile:
                is_conflict = True
        labels = read_labels(StringIO(text, newline=""))
    except BadFile as error:
        return render_page(request, "names/many", context | {"wrong": str(error)}, status=400)
    return _preview(request, text, labels, is_conflict)


@require_safe
@requires(EDIT_NAMES)
def names_file(request: HttpRequest, person: Person) -> HttpResponse:
    """Send all names as `labels export` writes them: the page stores the file again."""
    file = StringIO(newline="")
    export_to(file)
    head = {"Content-Disposition": 'attachment; filename="names.csv"'}
    return HttpResponse(file.getvalue(), content_type="text/csv; charset=utf-8", headers=head)


def _preview(request: HttpRequest, text: str, labels: Sequence[Label], is_conflict: bool) -> HttpResponse:
    """Show what would change, and ask for it again where somebody else changed the names meanwhile."""
    edits, same = compare_labels(labels)
    context = {
        "columns": COLUMN_LINE,
        "pasted": _pasted_text(request),
        "text": text,
        "edits": edits,
        "same": same,
        "most": MAX_SHOWN,
        "seen": digest_of(edits),
        "is_conflict": is_conflict,
    }
    return render_page(request, "names/many", context, status=409 if is_conflict else 200)


def _pasted_text(request: HttpRequest) -> str:
    return request.POST.get("text", "").removeprefix(BYTE_ORDER_MARK)


def _entered_text(request: HttpRequest) -> str:
    """Return the pasted text or that of the chosen file; raise BadFile for both, and for a file without a text."""
    file, pasted = request.FILES.get("file"), _pasted_text(request)
    if not file:
        return pasted
    if pasted.strip():
        raise BadFile(FILE_AND_TEXT)
    try:
        text: str = file.read().decode("utf-8-sig")
    except UnicodeDecodeError:
        raise BadFile(NOT_UTF8) from None
    if not text.strip():
        raise BadFile(EMPTY_FILE)
    return text


def _name_page(
    request: HttpRequest, kind: str, number: int, fields: Mapping[str, Any], status: int = 200, **more: Any
) -> HttpResponse:
    stored = Label.objects.filter(kind=kind, number=number).exclude(parent=None).first()
    parent = get_owner("category", stored.parent) if stored and stored.parent is not None else None
    context = {"owner": get_owner(kind, number), "parent": parent, "fields": fields, "errors": {}, **more}
    fragment = "names/_saved" if "saved" in more else "names/_form"
    template = fragment if htmx_of(request) else "names/one"
    return render_page(request, template, context, status=status)
