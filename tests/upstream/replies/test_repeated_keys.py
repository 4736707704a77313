"""R15: a repeated key is refused, whatever the rest of the reply is like."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from econweb.upstream.errors import BadReply
from econweb.upstream.records import TagsReply
from econweb.upstream.replies import json_reply
from tests.fake_service import a_tag

Pairs = list[tuple[str, Any]]
PERIOD: Pairs = [("realtime_start", "2014-01-01"), ("realtime_end", "2014-01-01")]
TEXTS = st.sampled_from(["", "real", ":", '":', " :", '"notes":null', "null", "\\", 'a "quoted": b', "é:", "\n:"])
NOTES = st.none() | TEXTS
# More of one field, or none of it; and fields of the reply that may be absent.
FIELDS = st.lists(st.tuples(st.just("notes"), NOTES), max_size=2)
ECHOES = st.lists(st.tuples(st.sampled_from(["order_by", "sort_order"]), NOTES), max_size=3)
STRANGE = st.lists(st.tuples(st.sampled_from(["colour", "shape"]), NOTES), max_size=1)
BLANKS = st.sampled_from(["", " ", "\n", "\t", "\r\n"])


def written(pairs: Pairs, before: str = "", after: str = "") -> str:
    """A JSON object with the pairs as they come."""
    return "{" + ",".join(f"{json.dumps(key)}{before}:{after}{value}" for key, value in pairs) + "}"


def a_reply(tags: list[Pairs], echoes: Pairs, before: str = "", after: str = "") -> bytes:
    shown = [written([(k, json.dumps(v)) for k, v in pairs], before, after) for pairs in tags]
    top = [(key, json.dumps(value)) for key, value in [*PERIOD, *echoes]]
    return written([*top, ("tags", f"[{','.join(shown)}]")], before, after).encode()


def tag_with(name: str, more: Pairs) -> Pairs:
    return [pair for pair in a_tag(name).items() if pair[0] != "notes"] + more


def repeats(pairs: Pairs) -> bool:
    return len({key for key, _ in pairs}) < len(pairs)


@given(of_tags=st.lists(st.tuples(FIELDS, STRANGE), max_size=4), echoes=ECHOES, before=BLANKS, after=BLANKS)
def test_repeated_key_and_nothing_else_is_refused(
    of_tags: list[tuple[Pairs, Pairs]], echoes: Pairs, before: str, after: str
) -> None:
    tags = [tag_with(f"tag {n}", [*notes, *strange]) for n, (notes, strange) in enumerate(of_tags)]
    text = a_reply(tags, echoes, before, after)
    if any(map(repeats, [*tags, echoes])):
        with pytest.raises(BadReply, match="twice in one place"):
            json_reply.decode(text, TagsReply)
    else:
        read = json_reply.decode(text, TagsReply).tags
        assert [tag.notes for tag in read] == [dict(pairs).get("notes") for pairs in tags]


@pytest.mark.parametrize("value", [None, "real"])
def test_repeated_key_is_refused_beside_a_missing_one(value: str | None) -> None:
    text = a_reply([tag_with("a", [("notes", value), ("notes", "real")]), tag_with("b", [])], [])

    with pytest.raises(BadReply, match=r"holds 'notes' twice in one place\.$"):
        json_reply.decode(text, TagsReply)
