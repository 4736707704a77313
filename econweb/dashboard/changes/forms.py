"""Parameters of the record of changes, parsed into a ChangesQuery."""

from econweb.dashboard.changes.query import ChangesQuery
from econweb.dashboard.forms import LinkForm, number_field, text_field

MAX_OFFSET = 10**9


class ChangesForm(LinkForm):
    """The parameters of the record of changes."""

    q = text_field()
    kind = text_field()
    offset = number_field("offset", MAX_OFFSET)

    def query(self) -> ChangesQuery:
        values = self.cleaned_data
        return ChangesQuery(values["q"], values["kind"], values["offset"] or 0)
