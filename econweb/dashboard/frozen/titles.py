"""Titles of a frozen copy of tags: with the filters of the rows that a page shows, which may be others than frozen."""

from collections.abc import Sequence

from econweb.dashboard.parameters import without_period
from econweb.dashboard.tags.forms import TagForm
from econweb.dashboard.tags.results import name_filters
from econweb.library.models import FrozenCopy
from econweb.upstream.queries import TagQuery

# What may follow the filters in a title that the site proposed: the words of a search, and the days.
_AFTER = (" · ", ", as of ")


def whole_title(copy: FrozenCopy) -> str:
    """Return the title for all rows of the copy."""
    return replace_filters(copy, view_query(copy), ())


def title_under(copy: FrozenCopy, cited: TagQuery, query: TagQuery) -> str:
    """Return the title for the rows that the query leaves; `cited` is that of the rows frozen as the view."""
    words = (f"“{query.search_text}”",) if query.search_text not in {"", cited.search_text} else ()
    shown = (*name_filters(query), *words)
    return copy.title if shown == name_filters(cited) else replace_filters(copy, cited, shown)


def view_query(copy: FrozenCopy) -> TagQuery:
    """Return the query of the rows that were frozen as the view."""
    form = TagForm(without_period(copy.parameters))
    return form.query() if form.is_valid() else TagQuery()


def replace_filters(copy: FrozenCopy, cited: TagQuery, shown: Sequence[str]) -> str:
    """Put filters in place of those of the frozen view; a title without these gets them at its end."""
    frozen, new = ("".join(f" · {one}" for one in names) for names in (name_filters(cited), shown))
    start, found, rest = copy.title.rpartition(frozen) if frozen else (copy.title, "", "")
    is_filter = found and (not rest or rest.startswith(_AFTER))
    return f"{start}{new}{rest}" if is_filter else f"{copy.title}{new}"
