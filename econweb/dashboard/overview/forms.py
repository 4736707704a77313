"""Parameters of the overview, parsed into an OverviewQuery."""

from econweb.dashboard.forms import OwnerListForm
from econweb.dashboard.overview.query import OverviewQuery
from econweb.search_index.tags.owners import NUMBERS, SHARES


class OverviewForm(OwnerListForm):
    """The parameters of the overview."""

    orders = (*NUMBERS, *SHARES)
    default_order = OverviewQuery.order_by

    def query(self) -> OverviewQuery:
        return OverviewQuery(**self.cleaned_data)
