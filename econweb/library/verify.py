"""Recompute the digests of frozen copies, hold all rows to their rules, and say what is wrong."""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from functools import lru_cache

import msgspec

from econweb.library import canonical
from econweb.library.copies import BrokenBody, unpack
from econweb.library.models import Body, FrozenCopy, SavedView
from econweb.library.row_rules import find_fault


@dataclass(frozen=True)
class LinkReader:
    """Functions of the pages that read the links of views; the library imports no page."""

    # Return why a link is not the canonical one of a view of this kind, or an empty text.
    find_fault: Callable[[str, str], str]
    # Return the ids of the series behind the link of a series or a list.
    find_ids: Callable[[str], Collection[str]]
    # Return the number and the digest of the rows of a copy's view, which may be fewer than the stored ones.
    read_view: Callable[[FrozenCopy], tuple[int, str]]


def name_row(row: FrozenCopy | SavedView) -> str:
    return f"{'Frozen copy' if isinstance(row, FrozenCopy) else 'Saved view'} {row.pk} of {row.person}"


def each_row() -> Iterator[FrozenCopy | SavedView]:
    """Yield every copy with its body, those of equal content one after another, and then every saved view.

    Each is read by itself, so that no lock grows with the library. Memory holds one row, and the keys of its table.
    """
    # Databases sort texts by different rules.
    for _, copy_id in sorted(FrozenCopy.objects.values_list("sha256", "pk")):
        yield FrozenCopy.objects.select_related("body").get(pk=copy_id)
    for slug in sorted(SavedView.objects.values_list("slug", flat=True)):
        yield SavedView.objects.get(pk=slug)


def find_problems(links: LinkReader) -> Iterator[tuple[FrozenCopy | SavedView, str]]:
    """Yield every row with what is wrong with it; an empty text where nothing is."""
    for row in each_row():
        try:
            check_row(row, links)
        except BrokenBody as error:
            yield row, str(error)
        else:
            yield row, ""


def check_row(row: FrozenCopy | SavedView, links: LinkReader) -> None:
    """Raise BrokenBody if a row breaks a rule, or has other content than was frozen. Digests alone prove nothing."""
    if fault := find_fault(row) or links.find_fault(row.kind, row.target):
        raise BrokenBody(fault)
    if not isinstance(row, FrozenCopy):
        return
    if row.form != canonical.FORM:
        raise BrokenBody(f"Its canonical form {row.form} is not known to this version.")
    if row.body is not None:
        _check_content(row, row.body, links)


def _check_content(copy: FrozenCopy, body: Body, links: LinkReader) -> None:
    ids = _read_ids(body, copy.kind)
    if len(ids) != copy.rows:
        raise BrokenBody(f"It has {len(ids)} rows instead of {copy.rows}.")
    if copy.kind == "tags":
        rows, sha256 = links.read_view(copy)
        if sha256 != copy.view_sha256:
            raise BrokenBody("The rows of its view do not match their SHA-256 digest.")
        if rows != copy.view_rows:
            raise BrokenBody(f"Its view has {rows} rows instead of {copy.view_rows}.")
    elif not set(ids) <= set(links.find_ids(copy.target)):
        raise BrokenBody("Its target names other series than its content.")


def _read_ids(body: Body, kind: str) -> tuple[str, ...]:
    """Return the names or ids of the records, or raise BrokenBody if they are not what was frozen."""
    if body.size != len(body.packed):
        raise BrokenBody("Its content has not the size that is stored with it.")
    return _read_packed(bytes(body.packed), body.sha256, kind)


# The next copy often has the same body.
@lru_cache(maxsize=1)
def _read_packed(packed: bytes, sha256: str, kind: str) -> tuple[str, ...]:
    lines = unpack(packed, sha256)
    try:
        records = canonical.read_records(kind, lines)
    except msgspec.DecodeError:
        raise BrokenBody("Its content is not of its kind.") from None
    if canonical.write_lines(records) != lines:
        raise BrokenBody("Its content is not in the canonical form.")
    return tuple(canonical.sort_key(record)[0] for record in records)
