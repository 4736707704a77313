"""The check of a list of ids: loaded within the rate limit, and a verdict on each."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from django.utils import timezone

from econweb.dashboard.error_texts.messages import NO_RECORD_TODAY_IN_LIST, NO_TURN_YET, OLD_ANSWER
from econweb.dashboard.id_check.query import IdCheckQuery
from econweb.dashboard.id_check.verdicts import (
    GONE,
    NOT_AN_ID,
    NOT_FOUND,
    PENDING,
    UNKNOWN,
    Finding,
    judge_now,
    judge_since,
)
from econweb.dashboard.lookup.known_series import ask_for, name_parts
from econweb.dashboard.parameter_checks import MAX_REPEATED
from econweb.dashboard.rendering.filters import minute
from econweb.dashboard.series_list.loading import ListEntry, SeriesList, load_list
from econweb.dashboard.series_list.query import SeriesListQuery
from econweb.upstream.errors import WrongValue, message_of
from econweb.upstream.queries import FIRST_DAY, LAST_DAY
from econweb.upstream.records import Series

# No verdict comes from an older answer. A list as long as allowed is loaded within this time at the usual rate limit.
MAX_AGE = timedelta(hours=1)
NO_RECORD = "The provider has no record of it today."
KNOWN_ID = "The provider has no record of it today, though it knows the id."
FORM_OF_IDS = "A series id has at most 25 letters from A to Z, digits and _."
MISSPELT = "It was removed, or the id is misspelt."


@dataclass(frozen=True)
class CheckedId:
    """An id, what was found, and its record of today if there is one."""

    series_id: str
    findings: tuple[Finding, ...]
    series: Series | None = None
    fetched: datetime | None = None


@dataclass(frozen=True)
class Loaded:
    """Answers so far: every version, where changes count, and the records of today."""

    histories: SeriesList | None
    records: SeriesList
    # Why the service sends no history of any series.
    refusal: str = ""

    @property
    def wait(self) -> float:
        return max(self.records.pause.seconds, self.histories.pause.seconds if self.histories else 0.0)

    @property
    def pause(self) -> str:
        return self.records.pause.reason or (self.histories.pause.reason if self.histories else "")


def load(query: IdCheckQuery, seconds: float) -> Loaded:
    """Load what the verdicts need: one request an id, and a second where the history has no record of today."""
    if not query.since:
        return Loaded(None, load_list(SeriesListQuery(query.ids), seconds, max_age=MAX_AGE))
    end = time.monotonic() + seconds
    # The page of a series has asked for the same, whatever the day.
    wanted, refusal = SeriesListQuery(query.ids, realtime_start=FIRST_DAY, realtime_end=LAST_DAY), ""
    try:
        histories = load_list(wanted, seconds, max_age=MAX_AGE)
    except WrongValue as error:
        histories, refusal = load_list(wanted, 0.0), message_of(error)
    rest = [one.series_id for one in histories.entries if _needs_record(one, refusal)]
    records = load_list(SeriesListQuery(tuple(rest)), max(0.0, end - time.monotonic()), max_age=MAX_AGE)
    return Loaded(histories, records, refusal)


def judge(query: IdCheckQuery, loaded: Loaded) -> list[CheckedId]:
    """Return the verdicts in the order of the ids, and then those on words that cannot be ids."""
    records = {one.series_id: one for one in loaded.records.entries}
    histories = {one.series_id: one for one in loaded.histories.entries} if loaded.histories else {}
    today, parts = timezone.localdate(), name_parts(query.refused)
    judged = [
        _judge_since(histories[one], records.get(one), query.since, today, loaded)
        if query.since
        else _judge_now(records[one], today, loaded.pause)
        for one in query.ids
    ]
    return judged + [
        CheckedId(word[:MAX_REPEATED], (Finding(NOT_AN_ID, f"{FORM_OF_IDS}{ask_for(parts.get(word, ''))}"),))
        for word in query.refused
    ]


def _needs_record(history: ListEntry, refusal: str) -> bool:
    # No newer history comes where the service sends none.
    if history.is_pending or history.failure.is_temporary or (refusal and history.is_older(MAX_AGE)):
        return bool(refusal)
    return _record_of_today(history) is None


def _record_of_today(history: ListEntry) -> Series | None:
    """Return the version that had not ended when the history was fetched."""
    if history.page is None or not history.series:
        return None
    fetched = timezone.localdate(history.page.freshness.fetched)
    return history.series if history.series.realtime_end >= fetched else None


def _judge_now(entry: ListEntry, today: date, pause: str, versions: Sequence[Series] = ()) -> CheckedId:
    if reason := _reason_to_wait(entry, pause):
        return CheckedId(entry.series_id, (Finding(PENDING, reason),))
    if not entry.series:
        missing = _explain_missing(entry, versions) if entry.failure.is_explicit else Finding(UNKNOWN, entry.error)
        return CheckedId(entry.series_id, (missing,))
    return CheckedId(entry.series_id, tuple(judge_now(entry.series, today)), entry.series, _fetched(entry))


def _explain_missing(entry: ListEntry, versions: Sequence[Series]) -> Finding:
    if versions:
        return Finding(GONE, f"{NO_RECORD} Its last one ended on {versions[-1].realtime_end}.")
    if entry.error == NO_RECORD_TODAY_IN_LIST:
        return Finding(GONE, KNOWN_ID)
    return Finding(NOT_FOUND, f"{NO_RECORD} {MISSPELT}")


def _judge_since(history: ListEntry, record: ListEntry | None, since: date, today: date, loaded: Loaded) -> CheckedId:
    if not loaded.refusal and (reason := _reason_to_wait(history, loaded.pause)):
        return CheckedId(history.series_id, (Finding(PENDING, reason),))
    versions = history.page.reply.seriess if history.page else ()
    checked = _judge_now(record or history, today, loaded.pause, versions)
    if not checked.series:
        return checked
    if versions:
        more = tuple(judge_since(versions, checked.series, since))
    else:
        more = (Finding(UNKNOWN, loaded.refusal or history.error),)
    return CheckedId(history.series_id, (*checked.findings, *more), checked.series, checked.fetched)


def _reason_to_wait(entry: ListEntry, pause: str) -> str:
    """Return why there is no verdict yet; empty where there is one."""
    if entry.is_pending or entry.failure.is_temporary:
        return entry.error or pause or NO_TURN_YET
    if (fetched := _fetched(entry)) and entry.is_older(MAX_AGE):
        return OLD_ANSWER.format(moment=minute(fetched))
    return ""


def _fetched(entry: ListEntry) -> datetime | None:
    return entry.page.freshness.fetched if entry.page else None
