"""Parameters of the directory, parsed into a BrowseQuery."""

from django import forms

from econweb.dashboard.browse.query import KINDS, BrowseQuery
from econweb.dashboard.forms import MAX_OFFSET, LinkForm, check_text, number_field, text_field, unknown_value_message

MAX_TEXT = 200


class BrowseForm(LinkForm):
    """The parameters of the directory."""

    q = text_field()
    kind = forms.ChoiceField(
        choices=[(kind, kind) for kind in KINDS],
        required=False,
        error_messages={"invalid_choice": unknown_value_message("kind", "%(value)s", KINDS)},
    )
    offset = number_field("offset", MAX_OFFSET)

    at = number_field("at", MAX_OFFSET)

    def clean_q(self) -> str:
        return check_text(" ".join(self.cleaned_data["q"].split()), "q", MAX_TEXT)

    def query(self, kind: str) -> BrowseQuery:
        """Return the query of the page of a kind; words are looked for in the whole tree."""
        values = self.cleaned_data
        at = values["at"] if kind == "category" and not values["q"] else None
        return BrowseQuery(values["q"], kind or values["kind"], values["offset"] or 0, at)
