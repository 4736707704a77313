"""Requests of real clients: empty parameters, double slashes, the root category."""

import re
from pathlib import Path

import pytest
import yaml
from django.test import Client

from tests.catalogue.api_calls import Ask, a_catalogue
from tests.conftest import Loader

pytestmark = pytest.mark.django_db(transaction=True)
TAGS = {"release_id": "53"}
OPTIONAL = [
    "file_type",
    "realtime_start",
    "realtime_end",
    "tag_names",
    "tag_group_id",
    "search_text",
    "limit",
    "offset",
    "order_by",
    "sort_order",
]


def test_empty_optional_parameter_is_absent(client: Client, catalogue: Loader, api_key: str) -> None:
    """Some clients send every parameter they know."""
    catalogue(**a_catalogue({"A": ["usa"]}))
    for path, own in (("release/tags", {"release_id": "53"}), ("series", {"series_id": "A"})):
        needed = {**own, "api_key": api_key}

        absent = client.get(f"/econ/{path}", needed)
        empty = client.get(f"/econ/{path}", {**needed, **dict.fromkeys(OPTIONAL, "")})

        assert absent.status_code == 200
        assert empty.content == absent.content


@pytest.mark.parametrize("name", ["release_id", "api_key"])
def test_empty_required_parameter_is_missing(ask: Ask, name: str) -> None:
    reply = ask("release/tags", **{**TAGS, name: ""})[1]

    assert f"Variable {name} " in reply["error_message"]
    assert re.search(r"has not been set|is not set", reply["error_message"])


SEARCH_TEXTS = [
    "usa",
    "gdp growth",
    " ü ",
    "a\u00adb",
    "\u0645\u200c",
    " ",
    "a\nb",
    "a\x85",
    "\u2028",
    "\u202e",
    "\ue000",
]


@pytest.mark.parametrize("text", SEARCH_TEXTS)
def test_openapi_describes_searchable_words(catalogue: Loader, ask: Ask, text: str) -> None:
    catalogue(**a_catalogue({"A": ["usa"]}))
    described = yaml.safe_load(Path("docs/openapi.yaml").read_text(encoding="utf-8"))["components"]["parameters"]
    pattern = described["search_text"]["schema"]["pattern"]

    status, _ = ask("release/tags", **TAGS, search_text=text)

    assert (status == 200) == bool(re.search(pattern, text))


@pytest.mark.parametrize("path", ["/econ//series", "/econ///series", "/econ//category//tags", "/econ/release//tags"])
def test_double_slashes_count_as_one(client: Client, catalogue: Loader, api_key: str, path: str) -> None:
    """Some clients join an address that ends in a slash and a path that begins with one."""
    catalogue(**a_catalogue({"A": ["usa"]}))
    asked_for = {"series_id": "A", "category_id": "125", "release_id": "53", "api_key": api_key}

    answer = client.get(path, asked_for)

    assert answer.status_code == 200
    assert answer.content == client.get(re.sub("/+", "/", path), asked_for).content


def test_category_0_has_no_tags(catalogue: Loader, ask: Ask) -> None:
    catalogue(**a_catalogue({"A": ["usa"]}))

    for more in ({}, {"realtime_start": "2014-01-01", "realtime_end": "2014-01-01"}, {"order_by": "name"}):
        status, reply = ask("category/tags", category_id="0", **more)

        assert (status, reply["count"], reply["tags"]) == (200, 0, [])
    assert ask("release/tags", release_id="0")[1]["error_message"] == "Bad Request.  The release does not exist."


def test_category_0_page_is_empty(client: Client, catalogue: Loader) -> None:
    catalogue(**a_catalogue({"A": ["usa"]}))

    root, empty = client.get("/category/0/tags/"), client.get("/category/7/tags/")

    assert (root.status_code, empty.status_code) == (200, 200)
    assert "Category 0" in root.text
    assert "No tags in this category" in root.text
    assert "No tags in this category" in empty.text
