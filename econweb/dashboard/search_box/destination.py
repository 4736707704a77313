"""The pages that a text in the search box may lead to."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.http import QueryDict

from econweb.dashboard.lookup.tag_owners import TagOwner, get_owner
from econweb.dashboard.page_links import KEY_NOTICE, append_query, encode_query, tag_link, url_path
from econweb.label_book.models import Label
from econweb.upstream.queries import TAG_OWNERS, group_label
from econweb.upstream.records import is_discontinued

# Parameters of a request to the service that its page does not have.
_DROPPED_PARAMETERS = {"api_key", "file_type", "series_id", "category_id", "release_id"}
# Of the sources of a comparison.
CONTENTS = ("tags", "series", "list")


@dataclass(frozen=True)
class Destination:
    """One page that the text may mean."""

    link: str
    title: str
    name: str = ""
    note: str = ""
    has_removed_key: bool = False
    # Empty unless it is a single category, release, series or tag.
    kind: str = ""
    id: str = ""
    # True where nothing says that the page exists.
    is_guess: bool = False
    # True where the text is its whole name.
    is_exact: bool = False

    @property
    def link_with_notice(self) -> str:
        return append_query(self.link, KEY_NOTICE) if self.has_removed_key else self.link

    @property
    def has_ended(self) -> bool:
        return self.kind == "series" and is_discontinued(self.name)

    @property
    def action(self) -> str:
        """Say what opening it does."""
        if self.is_guess:
            return f"Try “{self.id}” as a {self.kind}{' id' if self.kind == 'series' else ' number'}"
        if self.kind in TAG_OWNERS and self.name:
            return f"{self.title} — {self.name}"
        described = f" — {self.name}" if self.name else ""
        return f"Open {self.title[0].lower()}{self.title[1:]}{described}"


def series_destination(series_id: str, title: str = "", note: str = "", is_guess: bool = False) -> Destination:
    series_id = series_id.upper()
    path = url_path("series", series_id)
    return Destination(path, f"Series {series_id}", title, note, kind="series", id=series_id, is_guess=is_guess)


def owner_destination(kind: str, number: int) -> Destination:
    return _destination_of(get_owner(kind, number))


def content_of(kind: str) -> str:
    """Return one of CONTENTS; only sources of the same content can be compared."""
    return kind if kind in {"series", "list"} else "tags"


def label_destination(label: Label) -> Destination:
    return _destination_of(TagOwner(label.kind, label.number, label.name, label.note))


def _destination_of(owner: TagOwner) -> Destination:
    return Destination(owner.path, owner.title, owner.name, owner.note, kind=owner.kind, id=str(owner.number))


def tag_destination(name: str, group_id: str, is_exact: bool = False) -> Destination:
    title = f"{group_label(group_id)} tag".lstrip()
    return Destination(tag_link(name), title, name, kind="tag", id=name, is_exact=is_exact)


def list_destination(ids: Sequence[str], repeated: Sequence[str] = ()) -> Destination:
    """Return the list of these ids; its page names those that are in its link again."""
    named = {"ids": ",".join([*ids, *repeated])}
    return add_parameters(Destination(url_path("series_list"), f"{len(ids)} series"), named)


def add_parameters(destination: Destination, parameters: dict[str, str]) -> Destination:
    known = {name: value for name, value in parameters.items() if value and name not in _DROPPED_PARAMETERS}
    return replace(destination, link=append_query(destination.link, encode_query(known)))


def in_period(destinations: list[Destination], given: QueryDict) -> list[Destination]:
    """Add the period of the current page, so that the user stays on a past day. The page of a tag has none."""
    period = {name: given.get(name, "") for name in ("realtime_start", "realtime_end")}
    return [one if one.kind == "tag" else add_parameters(one, period) for one in destinations]
