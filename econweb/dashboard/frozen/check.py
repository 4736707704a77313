"""Ask the service again for what a copy holds: for the same period, or as of today."""

from dataclasses import dataclass

from django.conf import settings
from django.core.exceptions import ValidationError
from django.http import QueryDict

from econweb.dashboard.frozen.contents import find_content
from econweb.dashboard.frozen.owner import PERIOD
from econweb.dashboard.page_links import encode_query, with_query
from econweb.dashboard.problems import message_of
from econweb.library import canonical
from econweb.library.copies import read_series, read_tags
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


def check_copy(copy: FrozenCopy, is_live: bool) -> CheckResult:
    link = _link(copy, is_live)
    if copy.service != settings.ECON_BASE_URL:
        return CheckResult(None, "This site asks another service now.", link=link)
    try:
        _, content = find_content(link)
    except UpstreamError as error:
        return CheckResult(None, message_of(error), link=link)
    except ValidationError as error:
        return CheckResult(None, str(error.message), link=link)
    return _compare(copy, content, link)


def _compare(copy: FrozenCopy, content: Content, link: str) -> CheckResult:
    if canonical.digest(canonical.write_lines(content.records)) == copy.sha256:
        return CheckResult(True, link=link)
    if not (copy.is_complete and content.is_complete):
        return CheckResult(None, "One of the two is not complete.", link=link)
    if copy.body is None:
        return CheckResult(False, link=link)
    records = read_tags(copy).tags if copy.kind == "tags" else read_series(copy)
    return CheckResult(False, difference=find_difference(records, content.records), link=link)


def _link(copy: FrozenCopy, is_live: bool) -> str:
    """Return the link of the view in the period of the copy, or as of today."""
    path, _, query = copy.target.partition("?")
    given = QueryDict(query, mutable=True)
    for name in PERIOD:
        given.pop(name, None)
    if not is_live:
        given["realtime_start"], given["realtime_end"] = str(copy.realtime_start), str(copy.realtime_end)
    return with_query(path, encode_query(given.dict()))
