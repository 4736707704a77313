"""The address of a frozen copy that people cite, with its citation and what its responses tell programs."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.utils.http import http_date

from econweb.accounts.people import Person
from econweb.accounts.site_address import note_on_local_address
from econweb.dashboard.entry_checks import describe_audience
from econweb.dashboard.files.negotiation import MEDIA_TYPES
from econweb.dashboard.files.provenance import format_utc, name_service
from econweb.dashboard.frozen.selection import held_ids, note_on_popularity, past_days_of, query_of, restriction_of
from econweb.dashboard.lookup.tag_owners import TagOwner
from econweb.dashboard.page_links import encode_query, provider_name, url_path, with_query
from econweb.dashboard.parameters import without_period
from econweb.dashboard.realtime import as_of
from econweb.dashboard.relations.agency import find_agency
from econweb.dashboard.rendering.filters import plural
from econweb.dashboard.rendering.response_head import set_links
from econweb.dashboard.series.versions import note_on_copy
from econweb.dashboard.sharing.citations import MEDIA_TYPES as CITATION_TYPES
from econweb.dashboard.sharing.citations import Citation, citation_files, join_lines
from econweb.dashboard.sharing.datasets import describe_dataset, organization
from econweb.dashboard.sharing.pack import PACK, PACK_TYPE
from econweb.dashboard.sharing.view_links import LINK_FORMAT, timegate_link, timemap_link
from econweb.library.copies import read_series
from econweb.library.models import FrozenCopy
from econweb.library.rights import may_edit, may_see, may_withdraw
from econweb.upstream.records import Series

FILE_TYPES = {**MEDIA_TYPES, PACK: PACK_TYPE}
NOT_FOR_EVERYONE = "Nobody can open this address yet: the copy is not for everyone."
# Ids of a list in its citation.
MAX_NAMED_IDS = 5
# The parameters that choose the rows of a view among those of its copy.
FILTERS = ("tag_group_id", "tag_names")
PUBLIC, PERSONAL = "frozen", "my_frozen"


@dataclass(frozen=True)
class Landing:
    """A copy at its public address, or below /me/ at that of a person, on the site of the request."""

    copy: FrozenCopy
    person: Person | None
    request: HttpRequest

    @property
    def route(self) -> str:
        return route_for(self.person)

    @cached_property
    def path(self) -> str:
        return url_path(self.route, self.copy.pk)

    @property
    def service_name(self) -> str:
        """Return the name of the service that was asked, which may be another one today."""
        return name_service(self.copy.service, self.copy.is_sample)

    @property
    def restriction(self) -> str:
        return restriction_of(self.copy.search_text)

    def context(self) -> dict[str, object]:
        """Return what the templates of every copy need."""
        actions = actions_of(self.copy, self.person)
        days = {"past_days": past_days_of(self.copy), "popularity_note": note_on_popularity(self.copy)}
        seen_by = {"audience": describe_audience(self.copy) if self.person else ""}
        return {"landing": self, "copy": self.copy, "route": self.route, "actions": actions, **days, **seen_by}

    @cached_property
    def address(self) -> str:
        """Return the address to cite, which shows the rows of the view: the same for every audience and for ever."""
        return self._site + with_query(url_path(PUBLIC, self.copy.pk), self._narrowing_query)

    @cached_property
    def _site(self) -> str:
        return self.request.build_absolute_uri("/").removesuffix("/")

    @cached_property
    def _narrowing_query(self) -> str:
        return narrowing_query(self.copy)

    @property
    def closed_note(self) -> str:
        """Say that the address to cite does not open yet; empty where everyone may see the copy."""
        if may_see(self.copy, None):
            return ""
        edit = actions_of(self.copy, self.person).get("edit_copy", "")
        return f"{NOT_FOR_EVERYONE} Choose “{edit}” first." if edit else NOT_FOR_EVERYONE

    @cached_property
    def citation(self) -> Citation:
        """Cite the rows of the view. No day of access is needed, since they never change."""
        copy, moment = self.copy, format_utc(self.copy.created)
        rows = f"{self._size()} as of {as_of(copy.realtime_start, copy.realtime_end)}"
        end = f", kept until {format_utc(copy.expires)}" if copy.expires else ""
        return Citation(
            name=copy.pk,
            title=join_lines(f"{copy.title} [frozen copy {copy.pk}]"),
            note=join_lines(f"{self._subject()}{rows}, frozen {moment}, SHA-256 {copy.view_sha256}{end}"),
            version=f"frozen {moment}",
            issued=copy.created.date(),
            link=self.address,
            publisher=self._publisher() or name_service("", copy.is_sample).capitalize(),
            author=self._author(),
            caveat=note_on_local_address(self.request),
        )

    @cached_property
    def series(self) -> tuple[Series, ...]:
        """Return the content of a copy of series; to unpack it takes longer than all else on its page."""
        return read_series(self.copy)

    def _size(self) -> str:
        """Return the number of rows of the view, of how many, and its filters."""
        copy, given = self.copy, self.copy.parameters
        part = f"{copy.view_rows:,} of " if copy.view_rows < copy.rows else ""
        chosen = [self.restriction, *(f"{name}: {given[name]}" for name in FILTERS if given.get(name))]
        filters = "; ".join(filter(None, chosen))
        return f"{part}{copy.rows:,} row{plural(copy.rows)}{f' ({filters})' if filters else ''}"

    def _subject(self) -> str:
        """Return the category, release or series that the copy is of, as far as its title does not name it."""
        target: dict[str, Any] = self.copy.page.kwargs
        names = [f"Series {target['series_id']}"] if "series_id" in target else []
        if ids := self.copy.parameters.get("ids", ""):
            names = [self._name_list(ids.split(","))]
        if "number" in target:
            names = [TagOwner(**target).title, self.copy.owner_name]
        title = self.copy.title.casefold()
        missing = [name for name in names if name and name.casefold() not in title]
        return f"{', '.join(missing)}: " if missing else ""

    def _name_list(self, ids: list[str]) -> str:
        """Name the first series of a list that are in the copy."""
        held = held_ids(ids, self.copy.missing.splitlines())
        more = len(held) - MAX_NAMED_IDS
        return f"Series {', '.join(held[:MAX_NAMED_IDS])}{f' and {more:,} more' if more > 0 else ''}"

    @property
    def coverage_note(self) -> str:
        """Return the note of series as of a past day, of which the service knows later values only."""
        return note_on_copy(self._known_series(), self.copy.realtime_end) if past_days_of(self.copy) else ""

    def _author(self) -> str:
        """Return the agency that the notes of all series name."""
        agencies = {find_agency(series.notes) for series in self._known_series()}
        return agencies.pop() if len(agencies) == 1 else ""

    def _known_series(self) -> tuple[Series, ...]:
        """Return the series; none for tags, and where there are no rows."""
        return self.series if self.copy.kind != "tags" and self.copy.body_id else ()

    def _publisher(self) -> str:
        """Return the name of the provider, or the host of the service that the site asked then."""
        service = self.copy.service
        return provider_name() if service == settings.ECON_BASE_URL else urlsplit(service).hostname or ""

    def citations(self) -> dict[str, str]:
        return citation_files(self.path.rstrip("/"))

    def dataset(self) -> Mapping[str, object] | None:
        """Describe the rows for search engines and other programs, if everybody may see them."""
        if self.person:
            return None
        copy = self.copy
        more = {
            "identifier": [self.address, f"sha256:{copy.view_sha256}"],
            "datePublished": str(copy.created.date()),
            "isBasedOn": self._site + copy.target,
            "publisher": organization(self._publisher()),
            "distribution": [
                {"@type": "DataDownload", "encodingFormat": media_type, "contentUrl": self._site + self._file(suffix)}
                for suffix, media_type in MEDIA_TYPES.items()
            ],
        }
        return describe_dataset(copy.title, f"{self.citation.note}. {copy.reason}".strip(), self.address, more)

    def add_head(self, response: HttpResponseBase, is_file: bool) -> None:
        """Tell programs what to cite, what the response is a copy of, and where its files are (RFC 8574, 7089)."""
        if self.copy.body_id:
            response["Memento-Datetime"] = http_moment(self.copy)
        set_links(response, [*self._links(is_file), response.get("Link", "")])

    def _links(self, is_file: bool) -> Iterator[str]:
        site, path, live = self._site, self.path, self.copy.target
        yield f'<{self.address}>; rel="cite-as"'
        yield f'<{site}{live}>; rel="original"'
        if may_see(self.copy, None):
            yield f'<{site}{timemap_link(live)}>; rel="timemap"; type="{LINK_FORMAT}"'
            yield f'<{site}{timegate_link(live)}>; rel="timegate"'
        if is_file:
            yield f'<{path}>; rel="collection"; type="text/html"'
            return
        files = [("describedby", CITATION_TYPES), ("item", FILE_TYPES if self.copy.body_id else {})]
        for rel, types in files:
            for suffix, media_type in types.items():
                yield f'<{self._file(suffix)}>; rel="{rel}"; type="{media_type}"'

    def _file(self, suffix: str) -> str:
        """Return the path of a file: a table has the rows of the view."""
        query = self._narrowing_query if suffix in MEDIA_TYPES else ""
        return with_query(f"{self.path.rstrip('/')}.{suffix}", query)


def route_for(person: Person | None) -> str:
    """Return the name of the route of a copy: another one below /me/."""
    return PERSONAL if person else PUBLIC


def actions_of(copy: FrozenCopy, person: Person | None) -> dict[str, str]:
    """Return the names and words of the pages on which the person may change the copy."""
    actions = {"edit_copy": "Change title or audience"} if may_edit(copy, person) else {}
    return actions | ({"withdraw_copy": "Withdraw"} if may_withdraw(copy, person, timezone.now()) else {})


def link_of(copy: FrozenCopy) -> str:
    """Return the address of a copy: the one for all if all may see it."""
    return url_path(PUBLIC if may_see(copy, None) else PERSONAL, copy.pk)


def narrowing_query(copy: FrozenCopy) -> str:
    """Return the query string of a view with fewer rows than the copy; empty where it has all of them."""
    return query_of(copy) if copy.view_rows < copy.rows else ""


def view_link(copy: FrozenCopy) -> str:
    """Return the address of the rows that were frozen as the view; words that found all rows are not in it."""
    if copy.kind != "tags":
        return link_of(copy)
    given = without_period(copy.parameters).dict()
    if copy.view_rows == copy.rows:
        given.pop("search_text", None)
    return with_query(link_of(copy), encode_query(given))


def http_moment(copy: FrozenCopy) -> str:
    """Return the moment of the content as in a header: when the service answered, which is before the freezing."""
    return http_date(copy.fetched.timestamp())
