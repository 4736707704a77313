"""Records that got a field after a copy was frozen."""

import pytest
from django.test import Client

from econweb.dashboard.frozen import check
from econweb.library.freezing import Content, freeze
from econweb.upstream.records import Tag
from tests.library.builders import ADA, DRAFT, a_content, a_tag

pytestmark = pytest.mark.django_db


class LaterTag(Tag, frozen=True):
    later: int | None = None


def a_later_tag(name: str, count: int) -> LaterTag:
    return LaterTag(name, "geo", "2012-02-27 10:18:19-06", 1, count, later=7)


def later_content(link: str) -> Content:
    return a_content(a_later_tag("usa", 9), a_later_tag("nation", 6), a_later_tag("trade", 2))


def test_check_compares_no_field_that_tags_got_later(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    copy = freeze(ADA, DRAFT, a_content(a_tag("usa", 9), a_tag("nation", 5), a_tag("trade", 2)))
    monkeypatch.setattr(check, "ask_again", later_content)

    assert "1 row differs" in client.get(f"/frozen/{copy.id}/check").text
