"""A small catalogue, and the embedded service asked for what it holds."""

import json
from collections.abc import Callable, Mapping
from io import StringIO
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.test import Client
from lxml import etree

from tests.builders import a_series

Ask = Callable[..., Any]
Rows = list[dict[str, str]]
# The message about the files of the fixture `folder`.
WHOLE = "2 versions of series, 2 tags, 2 categories and 1 releases"
LOADED = f"{WHOLE} are loaded.\n"


def a_tag(name: str, **changes: str) -> dict[str, str]:
    return {
        "name": name,
        "group_id": "gen",
        "notes": "",
        "created": "2012-02-27 10:18:19-06",
        "popularity": "50",
        **changes,
    }


def a_catalogue(carried: Mapping[str, list[str]], tags: Rows | None = None) -> dict[str, Rows]:
    """Series with their tags, all of them in category 125 and in release 53."""
    names = sorted({name for own in carried.values() for name in own})
    return {
        "series": [a_series(id=series_id) for series_id in carried],
        "tags": tags if tags is not None else [a_tag(name) for name in names],
        "series_tags": [{"series_id": one, "tag_name": name} for one, own in carried.items() for name in own],
        "series_categories": [{"series_id": one, "category_id": "125"} for one in carried],
        "series_releases": [{"series_id": one, "release_id": "53"} for one in carried],
        "categories": [{"category_id": "125", "name": "Balance"}, {"category_id": "7", "name": "Empty"}],
        "releases": [{"release_id": "53", "name": "Accounts"}],
    }


def load(folder: Path, *options: str) -> str:
    out = StringIO()
    call_command("load_catalogue", str(folder), *options, stdout=out)
    return out.getvalue()


def asked(path: str, **parameters: str) -> Any:
    """Status and decoded reply of the service; JSON unless XML is asked for."""
    parameters = {"file_type": "json", **parameters}
    response = Client().get(f"/econ/{path}", parameters)
    return response.status_code, read(response.content, parameters["file_type"])


def read(body: bytes, file_type: str) -> Any:
    """XML comes out in the shape of JSON, with all values as text."""
    if file_type == "json":
        return json.loads(body)
    root = etree.fromstring(body)
    if root.tag == "error":
        return dict(root.items())
    return dict(root.items()) | {str(root.tag): [dict(child.items()) for child in root]}
