"""Stored tag sets are loaded once, as long as they are among the last few and not too large."""

import pytest

from econweb.upstream.records import FetchedTags
from econweb.upstream.replies.decode import decode_tags
from econweb.upstream.tags.stored_sets import LETTERS_PER_TAG, MAX_TAGS, StoredSets
from tests.upstream.sample_replies import a_tag, a_tags_reply, as_json


@pytest.mark.parametrize(("letters", "loads"), [(1, 1), ((MAX_TAGS + 1) * LETTERS_PER_TAG, 2)])
def test_stored_set_is_loaded_again_only_if_it_is_too_large(letters: int, loads: int) -> None:
    reply = decode_tags(as_json(a_tags_reply(a_tag(notes="x" * letters))), "json")
    loaded = []

    def load() -> FetchedTags:
        loaded.append(FetchedTags(reply.realtime_start, reply.realtime_end, reply.tags, None, (), False, {}, {}))
        return loaded[-1]

    sets = StoredSets()
    for _ in range(2):
        sets.get("a copy", load)

    assert len(loaded) == loads
