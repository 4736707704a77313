"""Tags of an owner, recorded in the index."""

from datetime import datetime
from typing import Any

import msgspec

from econweb.search_index.tags import tag_index
from econweb.search_index.tags.blocks import Block, OwnerTags, TagFacts
from econweb.upstream.records import Tag
from tests.fake_service import a_tag


def tags(**counts: int) -> list[Tag]:
    return [tag(name, series_count=count) for name, count in counts.items()]


def tag(name: str, **changes: Any) -> Tag:
    return msgspec.convert(a_tag(name, **changes), Tag)


def record_tags(  # noqa: PLR0913, PLR0917  the fields of one answer, and the rebuild that it belongs to
    kind: str, number: int, of_owner: list[Tag], series: int | None, fetched: datetime, generation: int | None = None
) -> None:
    block = Block()
    facts = {one.name: TagFacts(one.name, one.group_id, one.popularity, one.notes) for one in of_owner}
    block.add(kind, number, OwnerTags({one.name: one.series_count for one in of_owner}, facts, series, fetched))
    tag_index.write(block, generation)
