"""The view that a link leads to: its kind, its canonical link, and a title to propose."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from urllib.parse import unquote_plus, urlsplit

from django.conf import settings
from django.core.exceptions import TooManyFieldsSent
from django.http import QueryDict
from django.urls import Resolver404, ResolverMatch, resolve

from econweb.dashboard.comparison.forms import CompareForm
from econweb.dashboard.comparison.query import MIN_SOURCES
from econweb.dashboard.comparison.sources import name_sources
from econweb.dashboard.error_pages.problems import NotShown
from econweb.dashboard.error_texts.table import ERRORS
from econweb.dashboard.lookup.known_series import look_up
from econweb.dashboard.lookup.tag_owners import get_owner
from econweb.dashboard.page_links import MAX_LINK, SAVED_KINDS, series_link, split_link
from econweb.dashboard.parameters import LinkForm, messages_of
from econweb.dashboard.rendering.filters import first_names
from econweb.dashboard.series.forms import series_form
from econweb.dashboard.series_list.forms import SeriesListForm
from econweb.dashboard.tags.forms import TagForm
from econweb.dashboard.tags.results import title_of
from econweb.library.copies import BrokenBody
from econweb.library.models import MAX_TARGET, MAX_TITLE
from econweb.redaction import holds_secret

MAX_NAMED_SERIES = 6
OTHER_SITE = "Only views of this site can be kept."
NO_VIEW = (
    "This link leads to no view that can be kept. "
    "The tags of a category or release, a series and a series list can be saved or frozen, and a comparison saved."
)
TOO_LONG = f"The link of this view has more than {MAX_TARGET:,} characters."
NO_SERIES = "An empty series list cannot be kept."
HAS_KEY = "The link contains an API key."
# Returns a title to propose; it may ask the service.
GetTitle = Callable[[], str]


class BadTarget(ValueError):
    """The link cannot be saved; the message says why."""


class NoView(BadTarget):
    """The link leads to no view of this site."""


class HiddenSource(BadTarget):
    """A comparison has a frozen copy that is not there for everyone, or no longer."""


@dataclass(frozen=True)
class Target:
    """A view of this site."""

    kind: str
    link: str
    title: str


def read_target(text: str, host: str) -> Target:
    """Return the view behind a link of this site, or raise BadTarget."""
    kind, link, get_title = _read_link(text, host)
    return Target(kind, link, get_title()[:MAX_TITLE])


def with_days(title: str, link: str) -> str:
    """Return the title of a view, cut to its bound, with the days of its link at the end."""
    given = split_link(link)[1]
    start, end = given.get("realtime_start"), given.get("realtime_end")
    days = f", as of {f'{start} to ' if start and start != end else ''}{end}" if end else ""
    return f"{title[: MAX_TITLE - len(days)]}{days}"


def kind_and_link(text: str, host: str = "") -> tuple[str, str]:
    """Return the kind and the canonical link behind a path, or a link of the host, or raise BadTarget.

    No request is sent for its title.
    """
    return _read_link(text, host)[:2]


def _read_link(text: str, host: str) -> tuple[str, str, GetTitle]:
    if len(text) > MAX_LINK:
        raise BadTarget(TOO_LONG)
    try:
        parts = urlsplit(text.strip())
        is_own = not parts.netloc or (parts.scheme in {"http", "https"} and parts.netloc == host)
        given = QueryDict(parts.query)
    except (ValueError, TooManyFieldsSent):
        raise NoView(NO_VIEW) from None
    if not is_own or (parts.scheme and not parts.netloc):
        raise NoView(OTHER_SITE)
    kind, link, get_title = _read_view(_resolve(parts.path), given)
    if holds_secret(unquote_plus(link)):
        raise BadTarget(HAS_KEY)
    if len(link) > MAX_TARGET:
        raise BadTarget(TOO_LONG)
    return kind, link, get_title


def _resolve(path: str) -> ResolverMatch:
    try:
        return resolve(path)
    except Resolver404:
        raise NoView(NO_VIEW) from None


def _read_view(match: ResolverMatch, given: QueryDict) -> tuple[str, str, GetTitle]:
    readers: dict[str, Callable[..., tuple[str, GetTitle]]] = {
        "tags": _read_tags,
        "series": _read_series,
        "list": _read_list,
        "compare": _read_comparison,
    }
    kind = SAVED_KINDS.get(str(match.url_name))
    if kind is None:
        raise NoView(NO_VIEW)
    return (kind, *readers[kind](given, **match.kwargs))


def _read_tags(given: QueryDict, kind: str, number: int) -> tuple[str, GetTitle]:
    form = TagForm(given)
    _check(form)
    owner, query = get_owner(kind, number), form.query()
    link = owner.link(query)
    return link, lambda: with_days(title_of(owner, query), link)


def _read_series(given: QueryDict, series_id: str) -> tuple[str, GetTitle]:
    form = series_form(given, series_id)
    _check(form)
    query = form.query()
    link = series_link(query)

    def get_title() -> str:
        # The person stores the proposed title.
        title = look_up(query.series_id).title if settings.ECON_MAY_STORE else ""
        return with_days(": ".join(filter(None, (query.series_id, title))), link)

    return link, get_title


def _read_list(given: QueryDict) -> tuple[str, GetTitle]:
    form = SeriesListForm(given)
    _check(form)
    query = form.query()
    if not query.ids:
        raise BadTarget(NO_SERIES)
    link = query.link()
    return link, lambda: title_of_list(query.ids, link)


def remarks_on_list(text: str) -> list[str]:
    """Return the remarks on a list as it was entered, of which the canonical link has the ids alone."""
    return SeriesListForm(QueryDict(urlsplit(text.strip()).query)).remarks


def title_of_list(ids: Sequence[str], link: str) -> str:
    """Return the first ids and the days of the link, as the title of a copy or of a saved view."""
    return with_days(first_names(ids, MAX_NAMED_SERIES), link)


def _read_comparison(given: QueryDict) -> tuple[str, GetTitle]:
    try:
        form = CompareForm(given)
    except NotShown as error:
        raise HiddenSource(f"{error.problem.title}. {error}") from None
    except BrokenBody as error:
        raise HiddenSource(f"A frozen copy of it is damaged. {error}") from None
    _check(form)
    query = form.query()
    if len(query.sources) < MIN_SOURCES:
        raise BadTarget(ERRORS["one_source"].message)
    return query.link(), lambda: " compared with ".join(name_sources(query.sources).values())


def _check(form: LinkForm) -> None:
    """Raise BadTarget with the messages of an invalid form."""
    if form.errors:
        raise BadTarget(" ".join(messages_of(form)))
