"""A plain model of the contract: slow, and independent of the service."""

import unicodedata
from collections.abc import Iterable
from datetime import datetime
from typing import Any

from tests.builders import HEADERS

Rows = list[dict[str, str]]
FIRST, LAST = "1776-07-04", "9999-12-31"


def series(files: dict[str, Rows], asked: dict[str, str], today: str) -> dict[str, Any] | str:
    start, end = period(asked, today)
    versions = [row for row in files["series"] if row["id"] == asked["series_id"].upper()]
    if not versions:
        return "Bad Request.  The series does not exist."
    found = [row for row in versions if row["realtime_start"] <= end and row["realtime_end"] >= start]
    found.sort(key=lambda row: row["realtime_start"])
    return {
        "realtime_start": start,
        "realtime_end": end,
        "seriess": [_record(row, start, end) for row in found],
    }


def tags(files: dict[str, Rows], kind: str, asked: dict[str, str], today: str) -> dict[str, Any] | str:
    start, end = period(asked, today)
    plural = {"category": "categories", "release": "releases"}[kind]
    number = asked[f"{kind}_id"]
    if number not in {row[f"{kind}_id"] for row in files[plural]}:
        return f"Bad Request.  The {kind} does not exist."
    members = {row["series_id"] for row in files[f"series_{plural}"] if row[f"{kind}_id"] == number}
    alive = {
        row["id"]
        for row in files["series"]
        if row["id"] in members and row["realtime_start"] <= end and row["realtime_end"] >= start
    }
    found = []
    for tag in files["tags"]:
        carriers = {row["series_id"] for row in files["series_tags"] if row["tag_name"] == tag["name"]}
        record = {**tag, "popularity": int(tag["popularity"]), "series_count": len(carriers & alive)}
        if carriers & alive and _matches(record, asked):
            found.append(record)
    return _page(found, asked, start, end)


def period(asked: dict[str, str], today: str) -> tuple[str, str]:
    if "realtime_start" not in asked and "realtime_end" not in asked:
        return today, today
    return asked.get("realtime_start", FIRST), asked.get("realtime_end", LAST)


def _record(row: dict[str, str], start: str, end: str) -> dict[str, Any]:
    clipped = {
        "realtime_start": max(row["realtime_start"], start),
        "realtime_end": min(row["realtime_end"], end),
        "popularity": int(row["popularity"]),
    }
    return {name: clipped.get(name, row[name]) for name in HEADERS["series"].split() if name != "notes" or row[name]}


def _matches(record: dict[str, Any], asked: dict[str, str]) -> bool:
    if "tag_names" in asked and record["name"] not in asked["tag_names"].split(";"):
        return False
    if asked.get("tag_group_id", record["group_id"]) != record["group_id"]:
        return False
    text = _folded(f"{record['name']} {record['notes']}")
    return all(_begins_a_word(word, text) for word in _folded(asked.get("search_text", "")).split())


def _folded(text: str) -> str:
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())


def _begins_a_word(word: str, text: str) -> bool:
    indexes: Iterable[int] = range(len(text))
    return any(text.startswith(word, index) and _is_beginning(text, index) for index in indexes)


def _is_beginning(text: str, index: int) -> bool:
    before = text[index - 1] if index else " "
    return before.isspace() or (text[index].isalnum() and not before.isalnum())


def _page(found: list[dict[str, Any]], asked: dict[str, str], start: str, end: str) -> dict[str, Any]:
    order_by, sort_order = asked.get("order_by", "series_count"), asked.get("sort_order", "asc")
    found.sort(key=lambda record: record["name"])
    keys = {"created": lambda record: datetime.fromisoformat(record["created"])}
    found.sort(key=keys.get(order_by, lambda record: record[order_by]), reverse=sort_order == "desc")
    offset, limit = int(asked.get("offset", "0")), int(asked.get("limit", "1000"))
    return {
        "realtime_start": start,
        "realtime_end": end,
        "order_by": order_by,
        "sort_order": sort_order,
        "count": len(found),
        "offset": offset,
        "limit": limit,
        "tags": found[offset : offset + limit],
    }
