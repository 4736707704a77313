"""Ask the service again for what a copy holds, for the same period."""

from dataclasses import dataclass
from datetime import datetime

from django.conf import settings

from econweb.dashboard.error_pages.upstream_problems import message_of
from econweb.dashboard.frozen.contents import NotReady, find_content
from econweb.dashboard.page_links import encode_query, split_link, with_query
from econweb.dashboard.rendering.filters import minute
from econweb.library import canonical
from econweb.library.copies import read_lines
from econweb.library.difference import Difference, find_difference
from econweb.library.freezing import Content
from econweb.library.models import FrozenCopy
from econweb.upstream.errors import UpstreamError


@dataclass(frozen=True)
class CheckResult:
    """True if copy and answer are the same; None where nobody can tell, for the reason given."""

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
        content = find_content(link, renew=True)
    except UpstreamError as error:
        return CheckResult(None, message_of(error), link=link)
    except NotReady as error:
        return CheckResult(None, str(error), link=link)
    if content.failure:
        reason = f"{content.failure} Its last answer is of {minute(content.fetched)} UTC."
        return CheckResult(None, reason, link=link)
    return _compare(copy, lines, content, link)


def _compare(copy: FrozenCopy, lines: bytes, content: Content, link: str) -> CheckResult:
    if canonical.digest(canonical.write_lines(content.records)) == copy.sha256:
        return CheckResult(True, link=link, asked=content.fetched)
    if not (copy.is_complete and content.is_complete):
        return CheckResult(None, "One of the two is not complete.", link=link)
    if not copy.body_id:
        return CheckResult(False, link=link, asked=content.fetched)
    records = canonical.read_records(copy.kind, lines)
    return CheckResult(False, "", find_difference(records, content.records), link, content.fetched)


def _link(copy: FrozenCopy) -> str:
    """Return the link of the view in the period of the copy."""
    path, given = split_link(copy.target)
    given.pop("as_of", None)
    given["realtime_start"], given["realtime_end"] = str(copy.realtime_start), str(copy.realtime_end)
    return with_query(path, encode_query(given.dict()))
