"""A service that says what a test wants: it takes the place of one exchange, below every check of a reply."""

import json
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from econweb.upstream.errors import NotFound, UpstreamError


def a_tag(name: str = "usa", **changes: Any) -> dict[str, Any]:
    """One tag record, ordinary but for the changes."""
    return {
        "name": name,
        "group_id": "geo",
        "notes": "",
        "created": "2012-02-27 10:18:19-06",
        "popularity": 50,
        "series_count": 10,
        **changes,
    }


def tags_of(count: int) -> list[dict[str, Any]]:
    """Return `count` tags of several groups; their order by series is that of their names."""
    groups = ("freq", "gen", "geo", "geot", "rls", "seas", "src", "cc")
    return [
        a_tag(f"tag {n:04}", group_id=groups[n % 8], series_count=2 * (count - n), popularity=n % 101)
        for n in range(count)
    ]


class FakeService:
    """Series and tags by owner. It counts its requests, and fails when a test wants it to."""

    def __init__(self) -> None:
        self.seriess: dict[str, list[dict[str, Any]]] = {}
        self.tags: dict[tuple[str, str], list[dict[str, Any]]] = {}
        self.error: UpstreamError | None = None
        # The period that it applies whatever is asked for.
        self.period: dict[str, str] = {}
        self.asked: list[tuple[str, dict[str, str]]] = []

    def get(self, endpoint: str, parameters: dict[str, str]) -> bytes:
        self.asked.append((endpoint, parameters))
        if self.error:
            raise self.error
        records = self._records(endpoint, parameters)
        today = datetime.now(UTC).date().isoformat()
        period = {name: parameters.get(name, today) for name in ("realtime_start", "realtime_end")}
        return json.dumps(period | self.period | records).encode()

    def _records(self, endpoint: str, parameters: dict[str, str]) -> dict[str, Any]:
        if endpoint == "series":
            if parameters["series_id"] not in self.seriess:
                raise NotFound("The series does not exist.", is_explicit=True)
            return {"seriess": self.seriess[parameters["series_id"]]}
        kind = endpoint.removesuffix("/tags")
        known = self.tags.get((kind, parameters[f"{kind}_id"]))
        if known is None:
            raise NotFound(f"The {kind} does not exist.", is_explicit=True)
        found = [tag for tag in known if parameters.get("search_text", "") in f"{tag['name']} {tag['notes']}"]
        return {"tags": sorted(found, key=lambda tag: str(tag["name"]))[int(parameters["offset"]) :][:1000]}

    def has(self, kind: str, number: int, tags: Iterable[dict[str, Any]]) -> None:
        self.tags[kind, str(number)] = list(tags)
