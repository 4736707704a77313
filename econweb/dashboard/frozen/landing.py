"""The address of a frozen copy that people cite, with its citation and what its responses tell programs."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.utils.http import http_date

from econweb.accounts.people import Person
from econweb.dashboard.files.negotiation import MEDIA_TYPES
from econweb.dashboard.files.provenance import format_utc
from econweb.dashboard.page_links import page_link, provider_name, url_path
from econweb.dashboard.realtime import as_of
from econweb.dashboard.relations.agency import find_agency
from econweb.dashboard.rendering.filters import plural
from econweb.dashboard.rendering.response_head import set_links
from econweb.dashboard.sharing.citations import MEDIA_TYPES as CITATION_TYPES
from econweb.dashboard.sharing.citations import Citation, citation_files, join_lines
from econweb.dashboard.sharing.datasets import describe_dataset, organization
from econweb.dashboard.sharing.pack import PACK, PACK_TYPE
from econweb.dashboard.sharing.view_links import LINK_FORMAT, timemap_link
from econweb.library.copies import read_series
from econweb.library.models import FrozenCopy
from econweb.library.rights import may_edit, may_see, may_withdraw
from econweb.upstream.records import Series

FILE_TYPES = {**MEDIA_TYPES, PACK: PACK_TYPE}
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

    @property
    def path(self) -> str:
        return url_path(self.route, self.copy.pk)

    def context(self) -> dict[str, object]:
        """Return what the templates of every copy need."""
        actions = actions_of(self.copy, self.person)
        return {"landing": self, "copy": self.copy, "route": self.route, "actions": actions}

    @property
    def address(self) -> str:
        """Return the address to cite: the same for every audience and for ever."""
        return self.request.build_absolute_uri(url_path(PUBLIC, self.copy.pk))

    def citation(self) -> Citation:
        """Cite the complete set. No day of access is needed, since it never changes."""
        copy = self.copy
        rows = f"{copy.rows:,} row{plural(copy.rows)} as of {as_of(copy.realtime_start, copy.realtime_end)}"
        moment = format_utc(copy.created)
        return Citation(
            name=copy.pk,
            title=join_lines(f"{copy.title} [frozen copy {copy.pk}]"),
            note=f"{rows}, frozen {moment}, SHA-256 {copy.sha256}",
            version=f"frozen {moment}",
            issued=copy.created.date(),
            link=self.address,
            publisher=self._publisher(),
            author=self._author(),
        )

    @cached_property
    def series(self) -> tuple[Series, ...]:
        """Return the content of a copy of series; to unpack it takes longer than all else on its page."""
        return read_series(self.copy)

    def _author(self) -> str:
        """Return the agency that the notes of all series name; empty for tags, and where there are no rows."""
        is_known = self.copy.kind != "tags" and self.copy.body_id
        agencies = {find_agency(series.notes) for series in self.series} if is_known else set()
        return agencies.pop() if len(agencies) == 1 else ""

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
        copy, site, file = self.copy, self.request.build_absolute_uri, self.path.rstrip("/")
        more = {
            "identifier": [self.address, f"sha256:{copy.sha256}"],
            "datePublished": str(copy.created.date()),
            "isBasedOn": site(copy.target),
            "publisher": organization(self._publisher()),
            "distribution": [
                {"@type": "DataDownload", "encodingFormat": media_type, "contentUrl": site(f"{file}.{suffix}")}
                for suffix, media_type in MEDIA_TYPES.items()
            ],
        }
        described = f"{self.citation().note}. {copy.reason}".strip()
        return describe_dataset(copy.title, described, self.address, more)

    def add_head(self, response: HttpResponseBase, is_file: bool) -> None:
        """Tell programs what to cite, what the response is a copy of, and where its files are (RFC 8574, 7089)."""
        if self.copy.body_id:
            response["Memento-Datetime"] = http_moment(self.copy)
        set_links(response, [*self._links(is_file), response.get("Link", "")])

    def _links(self, is_file: bool) -> Iterator[str]:
        site, path, live = self.request.build_absolute_uri, self.path, self.copy.target
        yield f'<{self.address}>; rel="cite-as"'
        yield f'<{site(live)}>; rel="original"'
        if may_see(self.copy, None):
            yield f'<{site(timemap_link(live))}>; rel="timemap"; type="{LINK_FORMAT}"'
            yield f'<{site(timegate_link(live))}>; rel="timegate"'
        if is_file:
            yield f'<{path}>; rel="collection"; type="text/html"'
            return
        files = [("describedby", CITATION_TYPES), ("item", FILE_TYPES if self.copy.body_id else {})]
        for rel, types in files:
            for suffix, media_type in types.items():
                yield f'<{path.rstrip("/")}.{suffix}>; rel="{rel}"; type="{media_type}"'


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


def http_moment(copy: FrozenCopy) -> str:
    """Return the moment of the content as in a header: when the service answered, which is before the freezing."""
    return http_date(copy.fetched.timestamp())


def timegate_link(link: str) -> str:
    return page_link("timegate", target=link)
