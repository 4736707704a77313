"""The links of stored views and copies, for `manage.py library`: whether each is the one that its page would have."""

from econweb.dashboard.frozen.owner import read_view
from econweb.dashboard.frozen.series_pages import ids_of
from econweb.dashboard.saved.targets import BadTarget, HiddenSource, kind_and_link
from econweb.library.verify import LinkReader


def find_fault(kind: str, link: str) -> str:
    """Return why this is not the canonical link of a view of this kind, or an empty text."""
    try:
        found, canonical = kind_and_link(link)
    except HiddenSource:
        # Saved when the copy was still there for everyone.
        return "" if kind == "compare" else _wrong_kind(kind)
    except BadTarget as error:
        return f"Its target is refused: {error}"
    if found != kind:
        return _wrong_kind(kind)
    return "" if canonical == link else f"Its target is not the canonical link, which is {canonical}"


def _wrong_kind(kind: str) -> str:
    return f"Its target is refused: it is no link of this kind: {kind}."


LINKS = LinkReader(find_fault, ids_of, read_view)
