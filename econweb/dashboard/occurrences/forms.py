"""Parameters of the page of a tag, parsed into an OccurrenceQuery."""

from econweb.dashboard.forms import OwnerListForm
from econweb.dashboard.occurrences.query import OccurrenceQuery
from econweb.search_index.tags.occurrences import ORDERS, Selection


class OccurrenceForm(OwnerListForm):
    """The parameters of the page of a tag."""

    orders = ORDERS
    default_order = Selection.order_by

    def query(self, name: str) -> OccurrenceQuery:
        return OccurrenceQuery(name, Selection(**self.cleaned_data))
