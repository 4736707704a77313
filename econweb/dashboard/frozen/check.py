"""Ask the service again for what a copy holds, for the same period."""

from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, replace
from datetime import datetime

from django.conf import settings

from econweb.dashboard.frozen.contents import NoSeries, NotReady, ask_again
from econweb.dashboard.frozen.selection import absent_ids
from econweb.dashboard.page_links import encode_query, with_query
from econweb.dashboard.rendering.filters import first_names, minute
from econweb.library import canonical
from econweb.library.canonical import Record
from econweb.library.copies import read_lines
from econweb.library.difference import Difference, find_difference
from econweb.library.freezing import Content
from econweb.library.models import FrozenCopy
from econweb.upstream.errors import NotFound, NotInPeriod, UpstreamError, message_of
from econweb.upstream.records import Series

# Ids in a remark.
MAX_NAMED = 10
ONLY_SHARED = "One of the two is not complete: only rows that both have can be compared."
NOT_IN_COPY = "Not compared, because the copy does not have them"
NO_ANSWER = "Not compared, because the data provider sent no record of them"
NO_DIFFERENCE = "What can be compared is the same."
NO_ROWS = "This site has only the digest of the copy."


@dataclass(frozen=True)
class CheckResult:
    """True if copy and answer are the same; None where nobody can tell.

    The reason says why, or what was not compared.
    """

    is_same: bool | None
    reason: str = ""
    # None where the copy has no content to compare with.
    difference: Difference | None = None
    # The view that was asked for.
    link: str = ""
    # When the service answered.
    asked: datetime | None = None


def check_copy(copy: FrozenCopy) -> CheckResult:
    link = _link(copy)
    if copy.service != settings.ECON_BASE_URL:
        return CheckResult(None, "This site asks another service now.", link=link)
    # A damaged copy is not the same as anything.
    lines = read_lines(copy) if copy.body_id else b""
    try:
        content = ask_again(link)
    except (NotFound, NoSeries) as error:
        return _compare_with_nothing(copy, lines, error, link)
    except UpstreamError as error:
        return CheckResult(None, message_of(error), link=link)
    except NotReady as error:
        return CheckResult(None, str(error), link=link)
    if content.failure:
        reason = f"{content.failure} Its last answer is of {minute(content.fetched)} UTC."
        return CheckResult(None, reason, link=link)
    return _compare(copy, lines, content, link)


def _compare_with_nothing(copy: FrozenCopy, lines: bytes, error: NotFound | NoSeries, link: str) -> CheckResult:
    """Return what is gone by the service's own word; a service may refuse the past of what it has."""
    records = canonical.read_records(copy.kind, lines)
    if isinstance(error, NoSeries):
        reason, ids = str(error), {*error.gone} - absent_ids(copy.missing.splitlines())
        is_gone, gone = bool(ids), [one for one in records if isinstance(one, Series) and one.id in ids]
    else:
        reason, gone = message_of(error), [*records]
        is_gone = error.is_explicit and not isinstance(error, NotInPeriod)
    if not is_gone:
        return CheckResult(None, reason, link=link)
    if len(gone) < len(records):
        reason = f"{reason} {_remark(NO_ANSWER, [canonical.sort_key(one)[0] for one in records if one not in gone])}"
    return CheckResult(False, reason, Difference(gone, [], []) if copy.body_id else None, link)


def _compare(copy: FrozenCopy, lines: bytes, content: Content, link: str) -> CheckResult:
    if content.sha256 == copy.sha256:
        return CheckResult(True, link=link, asked=content.fetched)
    before: Sequence[Record] = canonical.read_records(copy.kind, lines)
    # In the form of the copy, which lacks fields that records got later.
    content = replace(content, records=canonical.read_records(copy.kind, content.lines))
    after, reason = content.records, ""
    if copy.kind == "list":
        before, after, reason = _choose_comparable(copy, before, content)
    elif not (copy.is_complete and content.is_complete):
        shared = {*map(canonical.sort_key, before)} & {*map(canonical.sort_key, after)}
        before, after = ([one for one in rows if canonical.sort_key(one) in shared] for rows in (before, after))
        reason = ONLY_SHARED
    difference = find_difference(before, after)
    if reason and not (difference.rows and copy.body_id):
        return CheckResult(None, f"{NO_DIFFERENCE if copy.body_id else NO_ROWS} {reason}", link=link)
    return CheckResult(False, reason, difference if copy.body_id else None, link, content.fetched)


def _choose_comparable(
    copy: FrozenCopy, before: Sequence[Record], content: Content
) -> tuple[Sequence[Record], Sequence[Record], str]:
    """Return the series that both sides tell something about, and a remark on the others."""
    absent = absent_ids(copy.missing.splitlines())
    unknown = absent_ids(content.missing) - absent - {*content.gone}
    only_now = absent - absent_ids(content.missing)
    parts = [_remark(text, ids) for text, ids in ((NOT_IN_COPY, only_now), (NO_ANSWER, unknown)) if ids]
    return _without(before, unknown), _without(content.records, only_now), " ".join(parts)


def _without(records: Iterable[Record], ids: Set[str]) -> list[Record]:
    return [one for one in records if canonical.sort_key(one)[0] not in ids]


def _remark(text: str, ids: Iterable[str]) -> str:
    return f"{text}: {first_names(sorted(ids), MAX_NAMED)}."


def _link(copy: FrozenCopy) -> str:
    """Return the link of the view in the period of the copy."""
    given = copy.parameters.copy()
    given.pop("as_of", None)
    given["realtime_start"], given["realtime_end"] = str(copy.realtime_start), str(copy.realtime_end)
    return with_query(copy.target.partition("?")[0], encode_query(given.dict()))
