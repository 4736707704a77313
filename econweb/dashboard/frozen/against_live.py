"""A frozen copy as a source of a comparison, and the live view to compare it with."""

from econweb.accounts.people import Person
from econweb.dashboard.page_links import page_link
from econweb.library.models import FrozenCopy


def live_comparison_link(copy: FrozenCopy, person: Person | None) -> str:
    """Return the link to the comparison of the copy with what its view shows today."""
    sources = {"a": f"frozen:{copy.pk}", "b": live_source(copy)}
    return page_link("my_compare" if person else "compare", **sources)


def live_source(copy: FrozenCopy) -> str:
    """Return the name of the live source that the copy is of."""
    if copy.kind == "list":
        return f"list:{copy.parameters['ids']}"
    given = copy.page.kwargs
    return f"series:{given['series_id']}" if copy.kind == "series" else f"{given['kind']}:{given['number']}"
