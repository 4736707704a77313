"""The filters of a tag page: their labels, hidden inputs and the changes that remove them."""

from dataclasses import dataclass
from typing import Any

from econweb.upstream.queries import TagQuery, group_label, join_names


@dataclass(frozen=True)
class Filter:
    """One active filter: a search text, a group, or one of several names."""

    parameter: str
    value: str
    label: str
    # Changes of the query that remove it.
    removed: dict[str, Any]
    missing: str = ""

    @property
    def is_hidden_input(self) -> bool:
        """True if a form sends it by a hidden input; the search text has an input of its own."""
        return self.parameter != "search_text"


def active_filters(query: TagQuery, missing: tuple[str, ...] = ()) -> list[Filter]:
    found = []
    if query.search_text:
        found.append(Filter("search_text", query.search_text, f"Words: {query.search_text}", {"search_text": ""}))
    if group := query.tag_group_id:
        found.append(Filter("tag_group_id", group, f"Group: {group_label(group)}", {"tag_group_id": ""}))
    for name, others in zip(query.tag_names, query.names_without_one(), strict=True):
        absent = "not here" if name in missing else ""
        found.append(Filter("tag_names", join_names((name,)), name, {"tag_names": others}, absent))
    return found
