"""Parameters of the record of changes, parsed into a ChangesQuery."""

from econweb.dashboard.changes.query import ChangesQuery
from econweb.dashboard.forms import LinkForm, check_text, number_field, text_field

# In characters: each word of a search is a condition of the query.
MAX_TEXT, MAX_KIND = 200, 40
MAX_OFFSET = 10**9


class ChangesForm(LinkForm):
    """The parameters of the record of changes."""

    q = text_field()
    kind = text_field()
    offset = number_field("offset", MAX_OFFSET)

    def clean_q(self) -> str:
        return check_text(" ".join(self.cleaned_data["q"].split()), "q", MAX_TEXT)

    def clean_kind(self) -> str:
        return check_text(self.cleaned_data["kind"], "kind", MAX_KIND)

    def query(self) -> ChangesQuery:
        values = self.cleaned_data
        return ChangesQuery(values["q"], values["kind"], values["offset"] or 0)
