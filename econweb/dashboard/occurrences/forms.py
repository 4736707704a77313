"""Parameters of the page of a tag, parsed into an OccurrenceQuery."""

from econweb.dashboard.forms import LinkForm, checked_choice, number_field, text_field
from econweb.dashboard.occurrences.query import OccurrenceQuery
from econweb.search_index.tags.occurrences import ORDERS, Places
from econweb.upstream.queries import SORT_ORDERS, TAG_OWNERS

MAX_OFFSET = 10**9


class OccurrenceForm(LinkForm):
    """The parameters of the page of a tag."""

    kind = text_field()
    order_by = text_field()
    sort_order = text_field()
    offset = number_field("offset", MAX_OFFSET)

    def clean_kind(self) -> str:
        return checked_choice(self.cleaned_data["kind"], "kind", ("", *TAG_OWNERS))

    def clean_order_by(self) -> str:
        return checked_choice(self.cleaned_data["order_by"] or Places.order_by, "order_by", ORDERS)

    def clean_sort_order(self) -> str:
        return checked_choice(self.cleaned_data["sort_order"] or Places.sort_order, "sort_order", SORT_ORDERS)

    def query(self, name: str) -> OccurrenceQuery:
        return OccurrenceQuery(name, Places(**self.cleaned_data | {"offset": self.cleaned_data["offset"] or 0}))
