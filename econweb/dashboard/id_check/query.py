"""The query of a check: the ids, and the day since which changes count."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from django.core.exceptions import ValidationError
from django.http import QueryDict

from econweb.dashboard.lookup.known_series import name_parts
from econweb.dashboard.page_links import encode_query, url_path, with_query
from econweb.dashboard.parameter_checks import MAX_REPEATED, check_text, parse_day
from econweb.dashboard.parameters import LinkForm, choice
from econweb.dashboard.series_list.forms import check_number, not_an_id_message, parse_many_ids, remarks_on_ids
from econweb.upstream.queries import SORT_ORDERS, next_sort_order

# Without an order, what is not fine comes first.
ORDERS = ("", "id", "observation_end", "last_updated")
_DAYS = {"observation_end", "last_updated"}


@dataclass(frozen=True)
class IdCheckQuery:
    ids: tuple[str, ...] = ()
    since: date | None = None
    order_by: str = ""
    sort_order: str = "asc"
    # Words beside the ids that cannot be ids.
    refused: tuple[str, ...] = ()

    @property
    def words(self) -> tuple[str, ...]:
        """Return all that was given to check."""
        return (*self.ids, *self.refused)

    def parameters(self) -> dict[str, str]:
        """Return what decides the verdicts, as text."""
        return {"ids": ",".join(self.words)} | ({"since": str(self.since)} if self.since else {})

    def query_string(self) -> str:
        order = {"order_by": self.order_by, "sort_order": self.sort_order} if self.order_by else {}
        return encode_query(self.parameters() | order) if self.words else ""

    def link(self) -> str:
        return with_query(url_path("id_check"), self.query_string())

    def sorted_by(self, column: str) -> "IdCheckQuery":
        """Return the view that a column's header links to."""
        own = "desc" if column in _DAYS else "asc"
        sort_order = next_sort_order(own, self.sort_order if column == self.order_by else None)
        return replace(self, order_by=column, sort_order=sort_order)


class IdCheckForm(LinkForm):
    """Parse the parameters; a word that cannot be an id has a verdict beside ids and words with ids in them."""

    refused: tuple[str, ...] = ()
    remarks: Sequence[str] = ()

    def __init__(self, given: QueryDict) -> None:
        parsers = {
            "ids": self._parse_ids,
            "since": _parse_since,
            "order_by": choice(ORDERS),
            "sort_order": choice(SORT_ORDERS, "asc"),
        }
        super().__init__(given, parsers)

    def query(self) -> IdCheckQuery:
        return IdCheckQuery(**self.cleaned_data, refused=self.refused)

    def link_as_entered(self) -> str:
        """Return the link, with the ids as they were entered where the page has remarks on them."""
        query = self.query()
        return replace(query, ids=(self.data["ids"],), refused=()).link() if self.remarks else query.link()

    def _parse_ids(self, given: str, name: str) -> tuple[str, ...]:
        ids, self.refused = parse_many_ids(given, name)
        self.remarks = remarks_on_ids(given)
        if self.refused and not ids and not self._are_near_ids():
            raise ValidationError(not_an_id_message(self.refused[0]))
        check_number(len(ids) + len(self.refused))
        return ids

    def _are_near_ids(self) -> bool:
        """Return whether there are several words, with an id in one of them; the error on one word says as much."""
        return len(self.refused) > 1 and any(name_parts(self.refused).values())


def _parse_since(given: str, name: str) -> date | None:
    text = check_text(given.strip(), name, MAX_REPEATED)
    return parse_day(text, name) if text else None
