"""Find a frozen copy for a person, and say why one is not shown: the same words at every address."""

from functools import wraps

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.urls import Resolver404

from econweb.accounts.people import Person
from econweb.dashboard.error_pages import problems
from econweb.dashboard.error_pages.problems import Arguments, NotShown, Problem, View, build_problem
from econweb.dashboard.page_links import FROZEN_KINDS
from econweb.dashboard.rendering.filters import day, minute
from econweb.library.copies import BrokenBody
from econweb.library.models import ID_LENGTH, FrozenCopy, read_id
from econweb.library.rights import may_see
from econweb.library.row_rules import find_fault

MISSING = build_problem("no_frozen_copy")
NO_VIEW = "Its target is no view of its kind."


def find_copy(copy_id: str, person: Person | None) -> FrozenCopy:
    """Return a copy that the person may see, or raise NotShown: nobody learns whether a hidden one exists."""
    if len(copy_id) != ID_LENGTH:
        # No look into the database for what cannot be an id.
        raise NotShown(MISSING)
    # To write the same query by `get`, with every column, takes more than a tenth of the page.
    found = FrozenCopy.objects.raw("SELECT * FROM library_frozencopy WHERE id = %s", [read_id(copy_id)])
    copy = next(iter(found), None)
    if copy is None or not may_see(copy, person):
        raise NotShown(MISSING)
    if copy.is_gone:
        raise NotShown(_describe_gone(copy, person))
    return copy


def find_whole_copy(copy_id: str, person: Person | None) -> FrozenCopy:
    """Return a copy that pages can show, or raise NotShown, or BrokenBody for a row that breaks the rules."""
    copy = find_copy(copy_id, person)
    if fault := find_fault(copy) or _fault_of_target(copy):
        raise BrokenBody(fault)
    return copy


def _fault_of_target(copy: FrozenCopy) -> str:
    """Return why the pages cannot show what the copy is of, or an empty text."""
    try:
        route = copy.page.url_name
    except Resolver404:
        return NO_VIEW
    is_shown = FROZEN_KINDS.get(str(route)) == copy.kind and (copy.kind != "list" or copy.parameters.get("ids"))
    return "" if is_shown else NO_VIEW


def check_rows(copy: FrozenCopy) -> None:
    """Raise NotShown if the copy has digests alone."""
    if not copy.body_id:
        raise NotShown(build_problem("no_rows"))


def render_missing_copies(view: View[Arguments]) -> View[Arguments]:
    """Decorate a view so that a copy that is not shown, or is damaged, becomes an error page."""

    @wraps(view)
    def respond(request: HttpRequest, /, *args: Arguments.args, **kwargs: Arguments.kwargs) -> HttpResponseBase:
        try:
            return view(request, *args, **kwargs)
        except NotShown as error:
            return _error_page(request, error.problem)
        except BrokenBody as error:
            return _error_page(request, build_problem("copy_damaged", message=error))

    return respond


def _error_page(request: HttpRequest, problem: Problem) -> HttpResponse:
    is_personal = request.path.startswith("/me/")
    # Each public address has one below /me/, for those who may see more.
    words = "Look for it among your own" if settings.SIGN_IN == "local" else "Open it with your account"
    more = {"more_link": f"/me{request.get_full_path()}", "more_words": words}
    return problems.error_page(request, problem, **more if problem is MISSING and not is_personal else {})


def _describe_gone(copy: FrozenCopy, person: Person | None) -> Problem:
    if copy.withdrawn:
        by = f" by {copy.withdrawn_by}" if person else ""
        when = day(copy.withdrawn)
        return build_problem("copy_withdrawn", by=by, day=when, reason=copy.withdrawn_reason)
    until = f" until {minute(copy.expires)} UTC" if copy.expires else ""
    return build_problem("copy_expired", title=copy.title, until=until)
