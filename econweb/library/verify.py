"""Recompute the digests of frozen copies, and say what is wrong."""

from collections.abc import Callable, Iterator
from functools import lru_cache

import msgspec

from econweb.library import canonical
from econweb.library.copies import BrokenBody, unpack
from econweb.library.models import Body, FrozenCopy

# Returns the digest of the rows of a copy's view, which may be fewer than the stored ones.
ViewDigest = Callable[[FrozenCopy], str]


def each_copy() -> Iterator[FrozenCopy]:
    """Yield every copy with its body, those of equal content one after another.

    Each is read by itself, so that neither memory nor a lock grows with the library.
    """
    # Databases sort texts by different rules.
    for _, copy_id in sorted(FrozenCopy.objects.values_list("sha256", "pk")):
        yield FrozenCopy.objects.select_related("body").get(pk=copy_id)


def find_problems(view_digest: ViewDigest) -> Iterator[tuple[FrozenCopy, str]]:
    """Yield every copy with what is wrong with it; an empty text where nothing is."""
    for copy in each_copy():
        try:
            check_copy(copy, view_digest)
        except BrokenBody as error:
            yield copy, str(error)
        else:
            yield copy, ""


def check_copy(copy: FrozenCopy, view_digest: ViewDigest) -> None:
    """Raise BrokenBody if the content is not what was frozen; where there is none, nothing can be recomputed."""
    if copy.form != canonical.FORM:
        raise BrokenBody(f"Its canonical form {copy.form} is not known to this version.")
    if copy.body is None:
        return
    if copy.withdrawn:
        raise BrokenBody("It was withdrawn, and its content is still here.")
    rows = _count_rows(copy.body, copy.kind)
    if copy.body.sha256 != copy.sha256:
        raise BrokenBody("Its content is that of another copy.")
    if rows != copy.rows:
        raise BrokenBody(f"It has {rows} rows instead of {copy.rows}.")
    if copy.view_sha256 != (copy.sha256 if copy.view_rows == rows else view_digest(copy)):
        raise BrokenBody("The digest of its view is another one.")


def _count_rows(body: Body, kind: str) -> int:
    """Return the number of records, or raise BrokenBody if they are not what was frozen."""
    if body.size != len(body.packed):
        raise BrokenBody("The size of its content is another one.")
    return _count_packed(bytes(body.packed), body.sha256, kind)


# The next copy often has the same body.
@lru_cache(maxsize=1)
def _count_packed(packed: bytes, sha256: str, kind: str) -> int:
    lines = unpack(packed, sha256)
    try:
        records = canonical.read_tags(lines) if kind == "tags" else canonical.read_series(lines)
    except msgspec.DecodeError:
        raise BrokenBody("Its content is not of its kind.") from None
    if canonical.write_lines(records) != lines:
        raise BrokenBody("Its content is not in the canonical form.")
    return len(records)
