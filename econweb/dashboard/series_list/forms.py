"""Parameters of a series list, parsed into a SeriesListQuery."""

import re
from collections.abc import Sequence
from functools import cached_property
from typing import Any

from django.core.exceptions import ValidationError
from django.http import QueryDict

from econweb.dashboard.display.fields import FIELDS
from econweb.dashboard.lookup.known_series import ask_for, name_parts
from econweb.dashboard.parameter_checks import MAX_REPEATED, check_text, unknown_value_message
from econweb.dashboard.parameters import LinkForm, RealtimeLinkForm, choice
from econweb.dashboard.search_box.pasted_ids import MAX_IDS, find_repeated, leaves_out, parse_ids
from econweb.dashboard.series_list.query import COLUMN_CHOICES, DEFAULT_COLUMNS, SeriesListQuery
from econweb.upstream.queries import SORT_ORDERS

# Enough for the longest ids and the text that was pasted with them.
MAX_TEXT_LENGTH = 20_000
# Words of a remark on what was entered.
MAX_NAMED_WORDS = 20
EMPTY_BOX = "Enter at least one series id, for example GNPCA."
# In plain text there is no box.
NO_IDS = "Series ids: name at least one, for example ids=GDP,UNRATE."
OTHER_COLUMNS = "The other columns of the pasted table, and lines of text around it, are left out."


class SeriesListForm(RealtimeLinkForm):
    """Parse pasted text into `ids`; `refused` are the words that cannot be ids."""

    refused: tuple[str, ...] = ()
    # On repeated ids, and on a table.
    remarks_on_ids: Sequence[str] = ()

    def __init__(self, given: QueryDict) -> None:
        # Each ticked box sends one value.
        joined = given.copy()
        joined.setdefault("ids", "")
        if columns := given.getlist("columns"):
            joined["columns"] = ",".join(columns)
        super().__init__(joined, {"ids": self._parse_ids, **PARSERS})

    def query(self) -> SeriesListQuery:
        return SeriesListQuery(**self.cleaned_data)

    @cached_property
    def remarks(self) -> list[str]:
        """Say which words are ignored, which ids are merged, and that columns of a table are left out."""
        parts = name_parts(self.refused)
        named = [
            word[:MAX_REPEATED] + (f" (did you mean {parts[word]}?)" if parts.get(word) else "")
            for word in self.refused
        ]
        return [*_name("Ignored, because they are not series ids", named), *self.remarks_on_ids]

    def _parse_ids(self, given: str, name: str) -> tuple[str, ...]:
        ids, self.refused = parse_many_ids(given, name)
        self.remarks_on_ids = remarks_on_ids(given)
        if self.refused and not ids:
            raise ValidationError(not_an_id_message(self.refused[0]))
        return ids


def remarks_on_ids(text: str) -> list[str]:
    """Say which ids of a pasted text are merged, and that the other columns of a table are left out."""
    merged = _name("Merged, because they were entered more than once", find_repeated(text))
    return [*merged, *([OTHER_COLUMNS] if leaves_out(text) else [])]


def _name(remark: str, entered: Sequence[str]) -> list[str]:
    # Frozen copies keep a remark, and no text of theirs has that character.
    named = " · ".join(entered[:MAX_NAMED_WORDS]).replace("\ufffd", "?")
    more = f" and {len(entered) - MAX_NAMED_WORDS} more" if len(entered) > MAX_NAMED_WORDS else ""
    return [f"{remark}: {named}{more}."] if entered else []


def build_ids_context(form: LinkForm) -> dict[str, Any]:
    """Return what each form with a box of ids shows: the ids, or the text as given where something is wrong."""
    return {
        "pasted": " ".join(form.cleaned_data.get("ids", ())) if form.is_valid() else form.data.get("ids", ""),
        "most": MAX_IDS,
        "misspelt": form.suggest_spellings(),
        "invalid": list(form.errors),
    }


def parse_many_ids(given: str, name: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the ids of a list, and the words that cannot be ids."""
    # Line breaks and tabs separate ids as blanks do, and make a table.
    check_text(re.sub(r"\s", " ", given), name, MAX_TEXT_LENGTH)
    ids, refused = parse_ids(given)
    check_number(len(ids))
    return ids, refused


def check_number(number: int) -> None:
    if number > MAX_IDS:
        raise ValidationError(f"Series ids: at most {MAX_IDS}, and these are {number}. Remove some.")


def not_an_id_message(word: str) -> str:
    meant = ask_for(name_parts([word])[word])
    return f"Series ids: “{word[:MAX_REPEATED]}” is not a series id.{meant} Correct or remove it."


def _parse_columns(given: str, name: str) -> tuple[str, ...]:
    chosen = set(filter(None, given.strip().split(",")))
    if wrong := chosen - set(COLUMN_CHOICES):
        raise ValidationError(unknown_value_message(name, min(wrong), COLUMN_CHOICES))
    # The order of the boxes, so that the same columns have one link.
    return tuple(column for column in COLUMN_CHOICES if column in chosen) or DEFAULT_COLUMNS


PARSERS = {
    "columns": _parse_columns,
    "order_by": choice(("", *FIELDS)),
    "sort_order": choice(SORT_ORDERS, "asc"),
}
