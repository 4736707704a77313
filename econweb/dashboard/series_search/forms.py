"""Parameters of the search of series, parsed into a SearchQuery."""

from econweb.dashboard.forms import LinkForm, check_choice, check_text, number_field, text_field
from econweb.dashboard.series_search.query import SearchQuery
from econweb.search_index.titles.find import MAX_COUNTED
from econweb.search_index.titles.places import ADJUSTMENTS, FREQUENCIES

MAX_TEXT = 2000


class SearchForm(LinkForm):
    """The parameters of the search."""

    q = text_field()
    frequency = text_field()
    adjustment = text_field()
    discontinued = text_field()
    offset = number_field("offset", MAX_COUNTED)

    def clean_q(self) -> str:
        return check_text(" ".join(self.cleaned_data["q"].split()), "q", MAX_TEXT)

    def clean_frequency(self) -> str:
        return check_choice(self.cleaned_data["frequency"], "frequency", ("", *FREQUENCIES))

    def clean_adjustment(self) -> str:
        return check_choice(self.cleaned_data["adjustment"], "adjustment", ("", *ADJUSTMENTS))

    def clean_discontinued(self) -> str:
        return check_choice(self.cleaned_data["discontinued"], "discontinued", ("", "yes", "no"))

    def query(self) -> SearchQuery:
        return SearchQuery(**self.cleaned_data | {"offset": self.cleaned_data["offset"] or 0})
