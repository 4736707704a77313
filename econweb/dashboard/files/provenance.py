"""Metadata of a file: source, service, period and age."""

from datetime import date, datetime

from django.conf import settings

from econweb.dashboard.page_links import provider_name
from econweb.dashboard.realtime import as_of
from econweb.search_index.titles.sample import shows_sample
from econweb.upstream.records import Freshness


def format_utc(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M:%S} UTC"


def describe_source(title: str, start: date, end: date, freshness: Freshness) -> str:
    """Return one line about one of several sources of a file; the title of a copy of the past has its days."""
    stale, days = ", stale" if freshness.is_stale else "", f", as of {as_of(start, end)}"
    return f"{title}{'' if days in title else days}, fetched {format_utc(freshness.fetched)}{stale}"


def name_source(link: str) -> dict[str, str]:
    return {"source": link, "service": name_live_service()}


def name_service(address: str, is_sample: bool = False) -> str:
    return address or f"the embedded catalogue{' (sample data that comes with econweb)' if is_sample else ''}"


def name_live_service() -> str:
    """Return the name of the service that this site asks, which says where its data are a sample."""
    return name_service(settings.ECON_BASE_URL, shows_sample())


def name_publisher() -> str:
    """Return the publisher of live data: the provider, or the embedded catalogue."""
    return provider_name() or name_live_service().capitalize()


def provenance(link: str, start: date, end: date, freshness: Freshness) -> dict[str, str]:
    age = f"yes. {freshness.error}".strip() if freshness.is_stale else "no"
    return name_source(link) | {
        "as of": as_of(start, end),
        "fetched": format_utc(freshness.fetched),
        "stale": age,
    }
