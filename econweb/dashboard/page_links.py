"""Links to the pages of this site: a path, and a query string behind it."""

from collections.abc import Mapping
from dataclasses import MISSING, fields
from datetime import date
from functools import lru_cache
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

from django.conf import settings
from django.http import QueryDict
from django.urls import reverse

from econweb.upstream.queries import SeriesQuery

# In characters: a number in an address may have thousands of digits.
MAX_CACHED_ARGUMENT = 30
# The kind of each view that can be frozen, by the name of its route. A comparison can only be saved.
FROZEN_KINDS = {"tags": "tags", "series": "series", "series_list": "list"}
SAVED_KINDS = {**FROZEN_KINDS, "compare": "compare"}
# Makes a page say that an API key was removed.
KEY_NOTICE = "notice=key"


# In characters: a link of a user may be longer than its canonical form.
MAX_LINK = 10_000


def url_path(page: str, *arguments: object) -> str:
    is_short = all(len(str(argument)) <= MAX_CACHED_ARGUMENT for argument in arguments)
    return _cached_path(page, *arguments) if is_short else reverse(page, args=arguments)


@lru_cache(maxsize=10_000)
def _cached_path(page: str, *arguments: object) -> str:
    return reverse(page, args=arguments)


def series_link(query: SeriesQuery) -> str:
    return with_query(url_path("series", query.series_id), query.query_string())


def tag_link(name: str) -> str:
    """Return the page of a tag. The link needs no quotes and no escaping in HTML: each row of a table has one."""
    return f"{_prefix_of_tags()}{quote(name, safe='~:@!$*,;()+')}/"


@lru_cache(maxsize=1)
def _prefix_of_tags() -> str:
    return reverse("tag", args=["name"]).removesuffix("name/")


def provider_link(kind: str, identity: object) -> str:
    """Return the page of a series, category or release at the provider; empty where no setting names one."""
    pattern = {
        "series": settings.ECON_WEBSITE,
        "category": settings.ECON_WEBSITE_CATEGORY,
        "release": settings.ECON_WEBSITE_RELEASE,
    }[kind]
    return str(pattern).replace(f"{{{kind}_id}}", str(identity))


def provider_name() -> str:
    """Return the name of the provider, or the host of its pages or of the service; empty for the embedded service."""
    host = urlsplit(settings.ECON_WEBSITE or settings.ECON_BASE_URL).hostname
    return settings.ECON_PROVIDER or host or ""


def with_query(path: str, query_string: str) -> str:
    return f"{path}?{query_string}" if query_string else path


def split_link(link: str) -> tuple[str, QueryDict]:
    """Return the path of a link and its parameters, which the caller may change."""
    path, _, query_string = link.partition("?")
    return path, QueryDict(query_string, mutable=True)


def append_query(link: str, query_string: str) -> str:
    """Append parameters to a link that may have some already."""
    return f"{link}&{query_string}" if query_string and "?" in link else with_query(link, query_string)


def changed_query_string(query: Any, changes: dict[str, Any]) -> str:
    """Return the query string of a dataclass without its defaults; any change leads back to the first row.

    A field that has no default is in the path.
    """
    values = vars(query) | ({"offset": 0} | changes if changes else {})
    changed = (one.name for one in fields(query) if one.default not in (MISSING, values[one.name]))
    return encode_query({name: values[name] for name in changed})


def encode_query(values: Mapping[str, object]) -> str:
    """Return the query string; lists of ids and dated sources stay readable."""
    return urlencode(values, safe=",:@")


def page_link(page: str, **parameters: object) -> str:
    """Return the link to a page whose path has no arguments."""
    return with_query(url_path(page), encode_query(parameters))


def follow_link(link: str) -> str:
    """Return the page on which a person follows the view of a link."""
    return page_link("follow", target=link)


def day_comparison_link(series_id: str, day: date, other: date | None) -> str:
    """Return the link that compares a series on two days; no other day means today."""
    name = f"series:{series_id}"
    sources = {"a": f"{name}@{day}", "b": f"{name}@{other}" if other else name}
    return page_link("compare", **sources)


def comparison_link(kind: str, identity: object, day: date | None) -> str:
    """Return the link to the comparison form with this source as its first one."""
    source = f"{kind}:{identity}{f'@{day}' if day else ''}"
    return page_link("compare", a=source)
