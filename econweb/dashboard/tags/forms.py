"""Parameters of the tag pages, parsed into a TagQuery."""

from dataclasses import fields
from urllib.parse import urlencode

from django.core.exceptions import ValidationError
from django.http import QueryDict

from econweb.dashboard.parameter_checks import (
    MAX_NAMES_CHARACTERS,
    check_text,
    unknown_value_message,
)
from econweb.dashboard.parameters import Parser, RealtimeLinkForm, choice, number, text
from econweb.dashboard.tags.columns import BY_KEY, OPTIONAL_COLUMNS
from econweb.upstream.queries import ORDER_BYS, SORT_ORDERS, TagQuery, split_names

# Each link of a page contains all names, and each name has a link.
MAX_NAMES = 50
# The bound of the contract.
MAX_ROWS_PER_PAGE = 1000


class TagForm(RealtimeLinkForm):
    """The parameters of a tag page."""

    def __init__(self, given: QueryDict) -> None:
        super().__init__(_normalise(given), PARSERS)

    def query(self) -> TagQuery:
        return TagQuery(**self.cleaned_data)

    def query_string_as_given(self) -> str:
        """Return the query string of an invalid view: the parameters as given, without defaults."""
        given = {field: list(dict.fromkeys(self.data.getlist(field.name))) for field in fields(TagQuery)}
        shown = {field.name: values for field, values in given.items() if values != [str(field.default)]}
        # The form names every column even where none is hidden.
        if self.cleaned_data.get("columns", ()) is None:
            del shown["columns"]
        shown["as_of"] = self.data.getlist("as_of")
        return urlencode([(name, value) for name, values in shown.items() for value in values if value])


def _parse_names(given: str, name: str) -> tuple[str, ...]:
    names = split_names(check_text(given, name, longest=MAX_NAMES_CHARACTERS))
    if len(names) > MAX_NAMES:
        raise ValidationError(f"Tag names: at most {MAX_NAMES}, with ; between them. Remove some.")
    return names


def _parse_columns(joined: str, name: str) -> tuple[str, ...] | None:
    """Return the columns beside the name in the order of the table, or None for all of them."""
    given = {key.strip() for key in joined.split(",")} - {""}
    if wrong := given - BY_KEY.keys():
        raise ValidationError(unknown_value_message(name, min(wrong), BY_KEY))
    chosen = tuple(column.key for column in OPTIONAL_COLUMNS if column.key in given)
    return None if not given or len(chosen) == len(OPTIONAL_COLUMNS) else chosen


# Parameters that may be given in several parts, with what joins them.
JOINED = {"tag_names": ";", "columns": ","}
PARSERS: dict[str, Parser] = {
    "tag_names": _parse_names,
    "tag_group_id": text(100),
    "search_text": text(200),
    "order_by": choice(ORDER_BYS, TagQuery.order_by),
    "sort_order": choice(SORT_ORDERS, TagQuery.sort_order),
    "limit": number(1, MAX_ROWS_PER_PAGE, TagQuery.limit),
    "offset": number(0, 9_999_999),
    "columns": _parse_columns,
}


def _normalise(given: QueryDict) -> QueryDict:
    """Join lists that a form sends one by one, and take apart an order that its menu sends in one value."""
    lists = {name: given.getlist(name) for name in JOINED}
    if "sort" not in given and all(len(values) < 2 for values in lists.values()):
        return given
    changed = given.copy()
    for name, values in lists.items():
        if len(values) > 1:
            changed[name] = JOINED[name].join(filter(None, values))
    if orders := changed.pop("sort", []):
        changed["order_by"], _, changed["sort_order"] = orders[-1].partition(" ")
    return changed
