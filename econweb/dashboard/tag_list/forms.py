"""Parameters of the list of tags, parsed into a TagListQuery."""

from econweb.dashboard.forms import MAX_OFFSET, LinkForm, check_choice, check_text, number_field, text_field
from econweb.dashboard.tag_list.query import ORDERS, TagListQuery
from econweb.upstream.queries import SORT_ORDERS

MAX_TEXT, MAX_GROUP = 200, 100


class TagListForm(LinkForm):
    """The parameters of the list of tags."""

    q = text_field()
    tag_group_id = text_field()
    order_by = text_field()
    sort_order = text_field()
    offset = number_field("offset", MAX_OFFSET)

    def clean_q(self) -> str:
        return check_text(" ".join(self.cleaned_data["q"].split()), "q", MAX_TEXT)

    def clean_tag_group_id(self) -> str:
        return check_text(self.cleaned_data["tag_group_id"], "tag_group_id", MAX_GROUP)

    def clean_order_by(self) -> str:
        return check_choice(self.cleaned_data["order_by"] or TagListQuery.order_by, "order_by", ORDERS)

    def clean_sort_order(self) -> str:
        given = check_choice(self.cleaned_data["sort_order"], "sort_order", ("", *SORT_ORDERS))
        return "" if given == ORDERS.get(self.cleaned_data.get("order_by", "")) else given

    def clean_offset(self) -> int:
        return self.cleaned_data["offset"] or 0

    def query(self) -> TagListQuery:
        return TagListQuery(**self.cleaned_data)
