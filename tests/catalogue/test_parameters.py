"""A wrong parameter is a 400 that names it and says what it may be, in the format asked for."""

import pytest
from django.test import Client

from tests.catalogue.api_calls import Ask, a_catalogue, read
from tests.conftest import Loader
from tests.processor_time import processor_seconds

pytestmark = pytest.mark.django_db(transaction=True)
TAGS = {"release_id": "53"}
LIMIT = "Variable limit is not between 1 and 1000."
OFFSET = "Variable offset is not between 0 and 999999999."
NUMBERS = ["-1", "1001x", "1e3", "5_0", "+5", " 5", "5 ", "\uff15", "1.0", "9" * 5000, "NaN"]
WRONG = {
    "limit": ([*NUMBERS, "0", "1001"], LIMIT),
    "offset": (NUMBERS, OFFSET),
    "release_id": (NUMBERS, "Variable release_id is not between 0 and 999999999."),
    "order_by": (
        ["Name", "id", "name; DROP TABLE x", "name,created"],
        "Variable order_by is not one of series_count, popularity, created, name, group_id.",
    ),
    "sort_order": (["up", "ASC", "asc--"], "Variable sort_order is not one of asc, desc."),
    "tag_group_id": (
        ["cc", "GEO", "geo' OR '1'='1"],
        "Variable tag_group_id is not one of freq, gen, geo, geot, rls, seas, src.",
    ),
    "tag_names": (
        [";", " ; "],
        "Variable tag_names is not a list of tag names with a semicolon between them.",
    ),
    "search_text": ([" "], "Variable search_text is not one or more words."),
    "realtime_start": (
        ["2020-1-1", "20200101", "today", "2020-W01-1"],
        "Variable realtime_start is not a date of the form YYYY-MM-DD.",
    ),
    "realtime_end": (["2021-02-29", "2020-13-01"], "Variable realtime_end is not a day of the calendar."),
}


@pytest.mark.parametrize("file_type", ["json", "xml"])
@pytest.mark.parametrize(
    ("name", "value", "words"),
    [(name, value, words) for name, (values, words) in WRONG.items() for value in values],
)
def test_invalid_value_is_an_error(ask: Ask, file_type: str, name: str, value: str, words: str) -> None:
    """B9 for numbers, B13 for words: what a variable may be is all that it is."""
    status, reply = ask("release/tags", **{**TAGS, "file_type": file_type, name: value})

    assert status == 400
    assert f"Bad Request.  {words}" in reply.values()


@pytest.mark.parametrize("name", ["limit", "offset", "release_id", "realtime_start", "tag_group_id", "api_key"])
def test_number_of_five_thousand_digits_is_refused_at_once(ask: Ask, name: str) -> None:
    """B9, O1: fifty digits are the baseline."""

    def refused(digits: int) -> None:
        assert ask("release/tags", **{**TAGS, name: "9" * digits})[0] == 400

    few, many = (processor_seconds(lambda n=n: refused(n)) for n in (50, 5000))  # type: ignore[misc]

    assert many < 10 * few


@pytest.mark.parametrize("day", ["1776-07-03", "2999-01-01", "9999-12-30"])
def test_date_out_of_range_is_an_error(ask: Ask, day: str) -> None:
    status, reply = ask("release/tags", **TAGS, realtime_end=day)

    assert (status, "is not between 1776-07-04 and today" in reply["error_message"]) == (400, True)


def test_period_that_ends_before_it_starts_is_an_error(ask: Ask) -> None:
    status, reply = ask("release/tags", **TAGS, realtime_start="2020-01-02", realtime_end="2020-01-01")

    assert status == 400
    assert reply["error_message"] == ("Bad Request.  Variable realtime_start is later than variable realtime_end.")


@pytest.mark.parametrize("path", ["series", "category/tags", "release/tags"])
def test_missing_required_parameter_is_an_error(ask: Ask, path: str) -> None:
    name = {"series": "series_id", "category/tags": "category_id", "release/tags": "release_id"}[path]

    assert ask(path)[1]["error_message"] == f"Bad Request.  Variable {name} has not been set."


TWICE = {
    "release_id": "between 0 and 999999999",
    "limit": "between 1 and 1000",
    "api_key": "a 32 character alpha-numeric lower-case string",
    "search_text": "one or more words",
    "file_type": "one of xml, json",
}


@pytest.mark.parametrize(("name", "may_be"), TWICE.items(), ids=TWICE)
def test_repeated_parameter_is_an_error(api_key: str, client: Client, name: str, may_be: str) -> None:
    """B8: also in the format that is asked for twice alike."""
    values = {"release_id": "53", "limit": "5", "api_key": api_key, "search_text": "x", "file_type": "json"}

    answer = client.get("/econ/release/tags", {**values, name: [values[name]] * 2})

    assert answer.status_code == 400
    assert answer.json()["error_message"] == (
        f"Bad Request.  Variable {name} is given more than once. Give it once: {may_be}."
    )


def test_two_formats_are_refused_in_the_default_one(api_key: str, client: Client) -> None:
    """B8"""
    answer = client.get("/econ/series", {"api_key": api_key, "file_type": ["json", "xml"]})

    assert (answer.status_code, answer["Content-Type"]) == (400, "text/xml; charset=UTF-8")


def test_unknown_parameter_is_ignored(catalogue: Loader, api_key: str) -> None:
    """B8"""
    catalogue(**a_catalogue({"A": ["usa"]}))
    query = f"api_key={api_key}&release_id=53&limit[]=0&other=1&other=2&bytes=%ff"

    assert Client().get(f"/econ/release/tags?{query}").status_code == 200


MAY_BE = {
    "tag_names": "a list of tag names with a semicolon between them",
    "search_text": "one or more words",
    "tag_group_id": "one of freq, gen, geo, geot, rls, seas, src",
    "series_id": "one to 25 letters, digits and underscores",
}


@pytest.mark.parametrize("name", MAY_BE)
@pytest.mark.parametrize("value", ["%ff", "a%00b", "%c0%af", "%ed%a0%80", "a%0Ab", "%7f", "%e2%80%ae"])
def test_unprintable_text_is_an_error(api_key: str, client: Client, name: str, value: str) -> None:
    """B11"""
    path = "series" if name == "series_id" else "release/tags"

    answer = client.get(f"/econ/{path}?file_type=json&release_id=1&api_key={api_key}&{name}={value}")

    assert answer.status_code == 400
    assert answer.json()["error_message"] == (
        f"Bad Request.  Variable {name} is not printable UTF-8 text. It may be {MAY_BE[name]}."
    )


UNSEEN = ["\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645", "\U0001f469\u200d\U0001f4bb", "co\u00adop"]


@pytest.mark.parametrize("name", [*UNSEEN, "\u05d0\u200f1", "a\u00a0b", "\U0001f3f4\U000e0067\U000e007f"])
def test_invisible_characters_within_words_are_accepted(catalogue: Loader, ask: Ask, name: str) -> None:
    """B11: joiners of words and emoji, soft hyphens, marks of direction, blanks that do not break."""
    catalogue(**a_catalogue({"A": [name, "other"]}))

    for asked_for in ({"search_text": name}, {"tag_names": name}):
        status, reply = ask("release/tags", **TAGS, **asked_for)

        assert (status, [tag["name"] for tag in reply["tags"]]) == (200, [name])


@pytest.mark.parametrize("more", ["x" * 9_000, "x" * 200_000, "&a=1" * 5_000, "&tag_names=" + "a;" * 5_000])
def test_oversized_query_is_refused_at_once(client: Client, more: str) -> None:
    """B10, O1: twenty times the length costs about twenty times as much, not four hundred times."""

    def refused(query: str) -> None:
        answer = client.get(f"/econ/release/tags?file_type=json&release_id=53{query}")
        assert (answer.status_code, answer.json()["error_message"]) == (414, "URI Too Long")

    assert processor_seconds(lambda: refused(20 * more)) < 150 * processor_seconds(lambda: refused(more))


@pytest.mark.parametrize(
    ("headers", "status", "words"),
    [
        ({"X-A": "a" * 70_000}, 431, "Request Header Fields Too Large"),
        ({"Transfer-Encoding": "chunked"}, 400, "Bad Request.  A header of this request cannot be used."),
    ],
)
@pytest.mark.parametrize("path", ["series", "release/tags", "nothing"])
def test_refused_header_is_an_error_in_the_requested_format(
    client: Client, path: str, headers: dict[str, str], status: int, words: str
) -> None:
    """B20"""
    for file_type, told in {
        "json": {"error_code": status, "error_message": words},
        "xml": {"code": str(status), "message": words},
    }.items():
        answer = client.get(f"/econ/{path}", {"file_type": file_type}, headers=headers)

        assert (answer.status_code, read(answer.content, file_type)) == (status, told)
        assert (answer["Connection"], answer["Cache-Control"]) == ("close", "no-store")
    assert "html" in client.get("/", headers=headers)["Content-Type"]


@pytest.mark.parametrize("method", ["post", "put", "patch", "delete", "options", "trace"])
def test_api_allows_get_and_head_only(client: Client, method: str) -> None:
    """B19"""
    answer = getattr(client, method)("/econ/series?file_type=json")

    assert (answer.status_code, answer["Allow"]) == (405, "GET, HEAD")


@pytest.mark.parametrize("path", ["", "nothing", "category", "category/tags/", "series/GNPCA"])
def test_unknown_path_is_not_found_in_the_requested_format(ask: Ask, path: str) -> None:
    assert ask(path) == (404, {"error_code": 404, "error_message": "Not Found"})
    assert ask(path, file_type="xml") == (404, {"code": "404", "message": "Not Found"})


@pytest.mark.parametrize("method", ["post", "put", "patch", "delete"])
def test_path_without_parameters_refuses_other_methods_in_the_requested_format(method: str) -> None:
    """Django's test client checks no token unless it is asked to."""
    client = Client(enforce_csrf_checks=True)
    for path, status, words, allowed in (
        ("openapi.yaml", 405, "Method Not Allowed", "GET, HEAD"),
        ("unknown", 404, "Not Found", None),
    ):
        for file_type, told in {
            "json": {"error_code": status, "error_message": words},
            "xml": {"code": str(status), "message": words},
        }.items():
            answer = getattr(client, method)(f"/econ/{path}?file_type={file_type}")

            assert (answer.status_code, read(answer.content, file_type)) == (status, told)
            assert (answer["Connection"], answer.get("Allow")) == ("close", allowed)


def test_connection_stays_open_after_an_unknown_path(client: Client) -> None:
    """No body is left unread."""
    assert "Connection" not in client.get("/econ/unknown")
