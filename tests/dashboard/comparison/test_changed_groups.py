"""Tags whose group changed or whose counts moved, in the difference between a frozen copy and another state."""

import json

import pytest
from django.test import Client

from tests.dashboard.comparison.test_frozen_sources import AFTER, BEFORE, freeze_id, renew
from tests.dashboard.reading import row_heads, rows_of, words
from tests.fake_service import FakeService, a_tag

pytestmark = pytest.mark.django_db


def test_tag_that_moved_to_another_group_is_changed(client: Client, stand_in: FakeService) -> None:
    stand_in.has("category", 125, [a_tag("usa", series_count=9), a_tag("same")])
    copy_id = freeze_id(client)
    link = f"?a=frozen:{copy_id}&b=category:125"
    stand_in.has("category", 125, [a_tag("usa", series_count=3, group_id="gen"), a_tag("same")])
    renew()
    page, check = client.get(f"/compare/{link}"), client.get(f"/frozen/{copy_id}/check")
    file = json.loads(client.get(f"/compare.json{link}").getvalue())
    rows = [
        (row["change"], row["name"], row["group_id"], row["field"], row["a"], row["b"])
        for row in rows_of(client, f"/compare.csv{link}")
    ]

    assert words(page, "//p[@class='summary']") == ["1 changed."]
    assert words(page, "//section[@class='difference']/h2") == ["Changed (1)"]
    assert words(page, "//section[@class='difference']//tbody//td")[:3] == ["Group", "Geography", "Topic"]
    assert row_heads(check) == row_heads(page) == ["usa", "usa"]
    assert "1 row differs" in check.text
    assert [tuple(row.values()) for row in file["rows"]] == rows
    assert rows == [
        ("changed", "usa", "geo", "group_id", "geo", "gen"),
        ("changed", "usa", "geo", "series_count", "9", "3"),
    ]


def test_groups_tell_tags_of_one_name_apart_that_are_gone_and_new(client: Client, stand_in: FakeService) -> None:
    stand_in.has("category", 125, [a_tag("usa"), a_tag("usa", group_id="src"), a_tag("gone")])
    copy_id = freeze_id(client)
    stand_in.has("category", 125, [a_tag("usa", group_id="gen")])
    renew()
    page = client.get(f"/compare/?a=frozen:{copy_id}&b=category:125")

    assert words(page, "//section[@class='difference']/h2") == ["Gone (3)", "New (1)"]
    assert words(page, "//section[@class='difference']/p") == [
        "gone, usa (Geography), usa (Source agency)",
        "usa (Topic)",
    ]


def test_small_movements_are_explained_where_there_are_some(client: Client, stand_in: FakeService) -> None:
    stand_in.has("category", 125, BEFORE)
    copy_id = freeze_id(client)
    stand_in.has("category", 125, AFTER)
    renew()
    moved = client.get(f"/compare/?a=frozen:{copy_id}&b=category:125")
    file = json.loads(client.get(f"/compare.json?a=frozen:{copy_id}&b=category:125").getvalue())
    stand_in.has("category", 125, BEFORE)
    renew()
    same = client.get(f"/compare/?a=frozen:{copy_id}&b=category:125")

    rule = "A movement is small where a number of series moved by at most 5 %, and popularity by at most 5 points."
    assert words(moved, "//section[@class='difference']/details/p") == [rule]
    assert rule in file["about"]["note"]
    assert rule in words(client.get("/help/"), "//main//p")
    assert "small" not in same.text
