"""Metadata of a file: source, service, period and age."""

from datetime import date, datetime

from django.conf import settings

from econweb.dashboard.realtime import as_of
from econweb.upstream.records import Freshness


def format_utc(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M:%S} UTC"


def describe_source(title: str, start: date, end: date, freshness: Freshness) -> str:
    """Return one line about one of several sources of a file."""
    stale = ", stale" if freshness.is_stale else ""
    return f"{title}, as of {as_of(start, end)}, fetched {format_utc(freshness.fetched)}{stale}"


def name_source(link: str) -> dict[str, str]:
    return {"source": link, "service": name_service(settings.ECON_BASE_URL)}


def name_service(address: str) -> str:
    return address or "the embedded catalogue"


def provenance(link: str, start: date, end: date, freshness: Freshness) -> dict[str, str]:
    age = f"yes. {freshness.error}".strip() if freshness.is_stale else "no"
    return name_source(link) | {
        "as of": as_of(start, end),
        "fetched": format_utc(freshness.fetched),
        "stale": age,
    }
