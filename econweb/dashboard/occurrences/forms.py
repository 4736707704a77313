"""Parameters of the page of a tag, parsed into an OccurrenceQuery."""

from econweb.dashboard.forms import OwnerListForm
from econweb.dashboard.occurrences.query import OccurrenceQuery
from econweb.search_index.tags.occurrences import ORDERS, Places


class OccurrenceForm(OwnerListForm):
    """The parameters of the page of a tag."""

    orders = ORDERS
    default_order = Places.order_by

    def query(self, name: str) -> OccurrenceQuery:
        return OccurrenceQuery(name, Places(**self.cleaned_data))
