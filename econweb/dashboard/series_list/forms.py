"""Parameters of a series list, parsed into a SeriesListQuery."""

import re

from django.core.exceptions import ValidationError
from django.http import QueryDict

from econweb.dashboard.display.fields import FIELDS
from econweb.dashboard.forms import RealtimeForm, check_choice, check_text, text_field, unknown_value_message
from econweb.dashboard.search_box.pasted_ids import parse_ids
from econweb.dashboard.series_list.query import COLUMN_CHOICES, DEFAULT_COLUMNS, SeriesListQuery
from econweb.upstream.queries import SORT_ORDERS

MAX_IDS = 200
# Enough for the longest ids and the text that was pasted with them.
MAX_TEXT_LENGTH = 20_000


class SeriesListForm(RealtimeForm):
    """Parse pasted text into `ids`; `refused` are the words that cannot be ids."""

    ids = text_field(strip=False)
    columns = text_field()
    order_by = text_field()
    sort_order = text_field()
    refused: tuple[str, ...] = ()

    def __init__(self, given: QueryDict) -> None:
        # Each ticked box sends one value.
        joined = given.copy()
        if columns := given.getlist("columns"):
            joined["columns"] = ",".join(columns)
        super().__init__(joined)

    def clean_ids(self) -> tuple[str, ...]:
        # Line breaks and tabs separate ids as blanks do.
        text = check_text(re.sub(r"\s", " ", self.cleaned_data["ids"]), "ids", MAX_TEXT_LENGTH)
        ids, self.refused = parse_ids(text)
        if len(ids) > MAX_IDS:
            raise ValidationError(f"Series IDs: at most {MAX_IDS}, and these are {len(ids)}. Remove some.")
        return ids

    def clean_columns(self) -> tuple[str, ...]:
        chosen = set(filter(None, self.cleaned_data["columns"].split(",")))
        if wrong := chosen - set(COLUMN_CHOICES):
            raise ValidationError(unknown_value_message("columns", min(wrong), COLUMN_CHOICES))
        # The order of the boxes, so that the same columns have one link.
        return tuple(name for name in COLUMN_CHOICES if name in chosen) or DEFAULT_COLUMNS

    def clean_order_by(self) -> str:
        order_by = str(self.cleaned_data["order_by"])
        return order_by and check_choice(order_by, "order_by", FIELDS)

    def clean_sort_order(self) -> str:
        return check_choice(self.cleaned_data["sort_order"] or "asc", "sort_order", SORT_ORDERS)

    def query(self) -> SeriesListQuery:
        return SeriesListQuery(**self.cleaned_data)
