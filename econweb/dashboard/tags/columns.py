"""The columns of the tag table: headings, orders and cells, for the page, the embedded view, files and code."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from html import escape

from django.conf import settings

from econweb.dashboard.display.groups import badge
from econweb.dashboard.display.notes import notes_cell
from econweb.dashboard.files.sheet import Kind
from econweb.dashboard.page_links import tag_link
from econweb.dashboard.rendering.filters import whole_percent
from econweb.upstream.queries import TagQuery, join_names
from econweb.upstream.records import Tag


@dataclass(frozen=True)
class Scale:
    """The longest bar, and the number of all series if it is known, for the bars and shares of tags."""

    most_series: int
    series: int | None


@dataclass(frozen=True)
class TagColumn:
    """One column; `key` is the field of the record, and the parameter that orders by it."""

    key: str
    heading: str
    css_class: str
    # Renders the cell with its start tag. The values of the service are escaped here.
    cell: Callable[[Tag, Scale], str]
    # The order in words, by direction; empty where the service has no such order.
    orders: Mapping[str, str] = field(default_factory=dict)
    title: str = ""
    kind: Kind = "text"


def name_button(tag: Tag) -> str:
    """Render a button that submits the form with the current filters, so that it is the same under all."""
    return f'<button name=tag_names value="{escape(join_names((tag.name,)))}">{escape(tag.name)}</button>'


def _name(tag: Tag, _scale: Scale) -> str:
    """Render a link to the page of the tag, and a button that narrows the view; few bytes, since each row has them."""
    if not settings.ECON_MAY_STORE:
        # Nothing is known of where tags occur.
        return f"<th scope=row>{name_button(tag)}"
    link = f"<a href={tag_link(tag.name)}>{escape(tag.name)}</a>"
    return f"<th scope=row>{link}<button name=tag_names value={_attribute(join_names((tag.name,)))}>only</button>"


def _attribute(value: str) -> str:
    """Return the value of an attribute with quotes only where HTML needs them."""
    return value if value.isalnum() else f'"{escape(value)}"'


def _group(tag: Tag, _scale: Scale) -> str:
    return f"<td class=group>{badge(tag.group_id)}"


def _series_count(tag: Tag, scale: Scale) -> str:
    share = f" <small>{whole_percent(tag.series_count, scale.series)}</small>" if scale.series else ""
    return f"<td class=count>{_bar(tag.series_count, scale.most_series)}{tag.series_count:,}{share}"


def _popularity(tag: Tag, _scale: Scale) -> str:
    return f"<td class=rank>{tag.popularity:,}"


def _created(tag: Tag, _scale: Scale) -> str:
    """Show the date; `datetime` has the full time stamp, whose offset HTML wants with four digits."""
    created = escape(tag.created)
    return f"<td class=made><time datetime={created.replace(' ', 'T')}00>{created[:10]}</time>"


def _notes(tag: Tag, _scale: Scale) -> str:
    return notes_cell(tag.notes)


# Units of a bar that fills its cell.
BAR_WIDTH = 80


def _bar(value: int, full: int) -> str:
    units = round(BAR_WIDTH * min(max(value, 0) / full, 1)) if full > 0 else 0
    # The smallest value still shows a bar.
    return f"<svg width={max(units, 1)} />" if value > 0 else ""


TAG_COLUMNS = (
    TagColumn("name", "Tag", "name", _name, {"asc": "A to Z", "desc": "Z to A"}),
    TagColumn("group_id", "Group", "group", _group, {"asc": "by group", "desc": "by group, Z to A"}),
    TagColumn(
        "series_count",
        "Series",
        "count",
        _series_count,
        {"desc": "most series first", "asc": "fewest series first"},
        title="Series with this tag",
        kind="number",
    ),
    TagColumn(
        "popularity",
        "Popularity",
        "rank",
        _popularity,
        {"desc": "most popular first", "asc": "least popular first"},
        kind="number",
    ),
    TagColumn("created", "Tag created", "made", _created, {"desc": "newest first", "asc": "oldest first"}),
    TagColumn("notes", "Notes", "notes", _notes, kind="long"),
)
BY_KEY = {column.key: column for column in TAG_COLUMNS}
# The name heads each row, so it is always there.
OPTIONAL_COLUMNS = TAG_COLUMNS[1:]


def order_in_words(order_by: str, sort_order: str) -> str:
    return BY_KEY[order_by].orders[sort_order]


def hidden_classes(query: TagQuery) -> str:
    """Return the classes by which a table leaves out columns and buttons: its rows are the same in every view."""
    chosen = BY_KEY if query.columns is None else query.columns
    hidden = [column.css_class for column in OPTIONAL_COLUMNS if column.key not in chosen]
    # The only row is that of the only tag.
    hidden += ["only"] if len(query.tag_names) == 1 else []
    return "".join(f" no-{name}" for name in hidden)
