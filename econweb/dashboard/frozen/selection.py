"""The selection of a copy: the words for which the service found its tags, the ids of a list, or a past day."""

from collections.abc import Sequence
from datetime import date

from econweb.dashboard.error_texts.messages import POPULARITY_OF_THE_FETCH
from econweb.dashboard.page_links import encode_query
from econweb.dashboard.parameters import without_period
from econweb.dashboard.realtime import as_of, is_past
from econweb.library.models import FrozenCopy


def restriction_of(text: str) -> str:
    """Say that a copy lacks what the service did not find for these words; empty for a view without a search."""
    return f"only tags found for “{text}”" if text else ""


def query_of(copy: FrozenCopy) -> str:
    """Return the query string of the view without its period, of which a copy has one."""
    return encode_query(without_period(copy.parameters).dict())


def held_ids(ids: Sequence[str], missing: Sequence[str]) -> list[str]:
    """Return the ids of a list that are in its copy; `missing` has the others, each with the reason."""
    absent = absent_ids(missing)
    return [one for one in ids if one not in absent]


def absent_ids(missing: Sequence[str]) -> set[str]:
    return {line.partition(":")[0] for line in missing}


def asked_day(copy: FrozenCopy) -> date | None:
    """Return the last day of a copy whose view has dates."""
    return copy.realtime_end if copy.parameters.get("realtime_end") else None


def past_days_of(copy: FrozenCopy) -> str:
    """Return the days of a copy of the past, such as 2015-01-01; empty where it is of the day of its freezing."""
    return as_of(copy.realtime_start, copy.realtime_end) if is_past(asked_day(copy), copy.fetched) else ""


def note_on_popularity(copy: FrozenCopy) -> str:
    return POPULARITY_OF_THE_FETCH if past_days_of(copy) else ""


def days_in_words(copy: FrozenCopy) -> str:
    """Return what follows the title of a copy: its past days, unless they are in it, and the day of the freezing."""
    days = past_days_of(copy)
    past = f"as of {days}, " if days and days not in copy.title else ""
    return f"{past}frozen {copy.created:%Y-%m-%d}"
