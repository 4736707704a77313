"""What a link to the directory asks for."""

from dataclasses import dataclass
from typing import Any

from django import forms

from econweb.dashboard.forms import checked_text, conflicting_parameters, text_field
from econweb.dashboard.links import encode_query, url_path, with_query

KINDS = ("category", "release")
MAX_TEXT = 200
# The label book has numbers of at most nine digits, so no offset is larger.
MAX_OFFSET = 10**9


@dataclass(frozen=True)
class BrowseQuery:
    """The words that names must have, one kind or both, and the first row of a long list."""

    text: str = ""
    kind: str = ""
    offset: int = 0

    def link(self, **changes: Any) -> str:
        asked = {"q": self.text, "kind": self.kind, "offset": self.offset} | changes
        return with_query(url_path("browse"), encode_query({name: value for name, value in asked.items() if value}))


class BrowseForm(forms.Form):
    """The parameters of the directory."""

    q = text_field()
    kind = forms.ChoiceField(
        choices=[(kind, kind) for kind in KINDS],
        required=False,
        error_messages={"invalid_choice": "kind is category or release."},
    )
    offset = forms.IntegerField(
        required=False,
        min_value=0,
        max_value=MAX_OFFSET,
        error_messages=dict.fromkeys(
            ("invalid", "min_value", "max_value"), f"offset is a whole number from 0 to {MAX_OFFSET}."
        ),
    )

    def clean_q(self) -> str:
        return checked_text(" ".join(self.cleaned_data["q"].split()), "q", MAX_TEXT)

    def clean(self) -> None:
        for name in conflicting_parameters(self.data, self.fields):
            self.add_error(name, f"{name} is given more than once, with different values.")

    def query(self) -> BrowseQuery:
        values = self.cleaned_data
        return BrowseQuery(values["q"], values["kind"], values["offset"] or 0)
