"""Parameters of the overview, parsed into an OverviewQuery."""

from django import forms

from econweb.dashboard.forms import checked_choice, conflicting_parameters, not_a_number, text_field, two_values
from econweb.dashboard.overview.query import OverviewQuery
from econweb.search_index.tags.owners import NUMBERS, SHARES
from econweb.upstream.queries import SORT_ORDERS, TAG_OWNERS

MAX_OFFSET = 10**9


class OverviewForm(forms.Form):
    """The parameters of the overview."""

    kind = text_field()
    order_by = text_field()
    sort_order = text_field()
    offset = forms.IntegerField(
        required=False,
        min_value=0,
        max_value=MAX_OFFSET,
        error_messages=dict.fromkeys(("invalid", "min_value", "max_value"), not_a_number("offset", 0, MAX_OFFSET)),
    )

    def clean_kind(self) -> str:
        return checked_choice(self.cleaned_data["kind"], "kind", ("", *TAG_OWNERS))

    def clean_order_by(self) -> str:
        order_by = self.cleaned_data["order_by"] or OverviewQuery.order_by
        return checked_choice(order_by, "order_by", (*NUMBERS, *SHARES))

    def clean_sort_order(self) -> str:
        return checked_choice(self.cleaned_data["sort_order"] or OverviewQuery.sort_order, "sort_order", SORT_ORDERS)

    def clean(self) -> None:
        for name in conflicting_parameters(self.data, self.fields):
            self.add_error(name, two_values(name))

    def query(self) -> OverviewQuery:
        return OverviewQuery(**self.cleaned_data | {"offset": self.cleaned_data["offset"] or 0})
