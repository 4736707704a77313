"""The answers of the tools of assistants: the views of the pages, under the same names and with the same messages."""

import re
from typing import Any

import pytest
from django.test import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from econweb.dashboard.files.sheet import Column, Sheet
from econweb.dashboard.mcp.answers import MAX_REPLY_BYTES, clip, describe_record, list_rows, refuse
from econweb.label_book.models import Label
from econweb.label_book.storing import save_labels
from econweb.upstream.errors import Busy, Unavailable
from tests.builders import a_series as a_version
from tests.dashboard.mcp.asking import ask, call
from tests.fake_service import FakeService, a_tag
from tests.search_index.sample import sample_titles

pytestmark = pytest.mark.django_db
__all__ = ["sample_titles"]
# The service's replies may not hold control characters.
ABSURD = 'x"\\\u202e語😀\n\t ' * 4000
texts = st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=80)


def a_series(**fields: Any) -> dict[str, Any]:
    return a_version(**fields) | {"popularity": 39}


def link_of(text: str) -> str:
    found = re.search(r"^Page: http://testserver(/\S+)$", text, re.MULTILINE)
    assert found, text
    return found[1]


@pytest.fixture
def series(stand_in: FakeService) -> None:
    stand_in.seriess["GNPCA"] = [a_series(notes="BEA Account Code: A001RX\n\nSecond line")]
    stand_in.seriess["GDP"] = [a_series(id="GDP", title="Gross Domestic Product")]


def test_series_is_described_with_a_link_to_its_page(client: Client, series: None) -> None:
    text = call(client, "describe_series", series_id=" gnpca ")

    assert text.startswith("Series GNPCA, Real Gross National Product\n")
    assert "\nunits: Billions of Chained 2009 Dollars\n" in text
    assert "\nnotes: BEA Account Code: A001RX Second line\n" in text
    assert link_of(text) == "/series/GNPCA/"
    assert client.get(link_of(text)).status_code == 200


def test_past_day_is_in_the_link(client: Client, series: None) -> None:
    text = call(client, "describe_series", series_id="GNPCA", as_of="2014-01-01")

    assert link_of(text) == "/series/GNPCA/?realtime_start=2014-01-01&realtime_end=2014-01-01"


@pytest.mark.usefixtures("category_125")
def test_tags_are_filtered_and_limited_like_those_of_the_page(client: Client) -> None:
    whole = call(client, "list_tags", source="release:53")
    rest = call(client, "list_tags", source="release:53", offset=150)
    few = call(client, "list_tags", source="category:125", tag_group_id="freq", order_by="name", limit=1)

    assert whole.count("\ntag ") == 50
    assert "\nThere are more rows: offset 50 continues.\n" in whole
    assert (rest.count("\ntag "), "There are more rows" in rest) == (38, False)
    assert "\nname | group_id | notes | created | popularity | series_count\nmonthly | freq |" in few
    assert link_of(few) == "/category/125/tags/?tag_group_id=freq&order_by=name&limit=1"
    assert client.get(link_of(whole)).status_code == 200


def test_sources_have_names_and_days(client: Client, stand_in: FakeService) -> None:
    stand_in.has("category", 125, [a_tag("usa")])
    save_labels([Label(kind="category", number=125, name="Trade Balance")])

    assert link_of(call(client, "list_tags", source="trade balance")) == "/category/125/tags/"
    for more in ({}, {"as_of": ""}, {"as_of": "2014-01-01"}, {"as_of": "2014"}):
        text = call(client, "list_tags", source="category:125@2014-01-01", **more)
        assert "realtime_start=2014-01-01&realtime_end=2014-01-01" in link_of(text)


@pytest.mark.usefixtures("category_125")
def test_two_sources_are_compared(client: Client, series: None) -> None:
    tags = call(client, "compare", a="category:125", b="release:53", only="a")
    fields = call(client, "compare", a="series:GNPCA", b="series:GDP")
    lists = call(client, "compare", a="list:GNPCA", b="list:GNPCA,GDP")
    states = call(client, "compare", a="category:125", b="category:125@2020-01-01")

    assert "\nname | group_id | a_series_count | b_series_count |" in tags
    assert link_of(tags) == "/compare/?a=category:125&b=release:53&only=a"
    assert "\ntitle | Real Gross National Product | Gross Domestic Product | yes\n" in fields
    assert states.startswith("Tags of Category 125 · Category 125 on 2020-01-01\n")
    assert lists.startswith("Difference of Series list GNPCA · Series list GNPCA, GDP\n")
    assert "\nonly in the second | GDP |" in lists
    for text in (tags, fields, states, lists):
        assert client.get(link_of(text)).status_code == 200


@pytest.mark.usefixtures("sample_titles")
def test_search_names_series_and_sources(client: Client) -> None:
    save_labels([Label(kind="release", number=53, name="Gross Domestic Product")])
    text = call(client, "search_series", q="gross domestic product")
    rest = call(client, "search_series", q="product", offset=50)

    assert "\nGDP | Gross Domestic Product |" in text
    assert "\nrelease:53 is Gross Domestic Product\n" in text
    assert link_of(text) == "/search/?q=gross+domestic+product"
    assert "offset=50" in link_of(rest)


@pytest.mark.parametrize(
    ("tool", "arguments", "sentence"),
    [
        ("describe_series", {}, "series_id is missing"),
        ("describe_series", {"series_id": "no id!"}, "A series id has one to 25 letters"),
        ("describe_series", {"series_id": "gn\u017fca"}, "A series id has one to 25 letters"),
        ("describe_series", {"series_id": "GNPCA", "as_of": "soon"}, "Enter the date as YYYY-MM-DD"),
        ("describe_series", {"series_id": "GNPCB"}, "Not found. The series does not exist. Near: GNPCA"),
        ("describe_series", {"series_id": True}, "series_id is a text or a whole number."),
        ("describe_series", {"serie_id": "GNPCA"}, "There is no argument serie_id. Did you mean series_id?"),
        ("list_tags", {"source": "series:GNPCA"}, "source is a category or release"),
        ("list_tags", {"source": "frozen:0000000000000"}, "No such frozen copy."),
        ("list_tags", {"source": "125"}, "Choose: category:125"),
        (
            "list_tags",
            {"source": "category:125@2014-01-01", "as_of": "2015-01-01"},
            "There are two dates, 2014-01-01 and 2015-01-01. Keep one.",
        ),
        ("list_tags", {"source": "category:125", "limit": 51}, "Rows per page: choose a whole number from 1 to 50."),
        ("list_tags", {"source": "category:125", "tag_group_id": "gro"}, "Tag group: “gro” is not known."),
        ("list_tags", {"source": "category:125", "order_by": "size"}, "Sort: “size” is not known."),
        ("list_tags", {"source": "category:125", "search_text": "語" * 200, "tag_names": "語" * 200}, "too long"),
        ("compare", {"a": "category:125", "b": "series:GNPCA"}, "Compare a series with a series"),
        ("compare", {"a": "category:125"}, "b is missing"),
        ("compare", {"a": "series:GNPCA", "b": "series:NOTHING"}, "Series NOTHING: "),
        ("search_series", {"q": "gdp", "frequency": "Often"}, "Frequency: “Often” is not known."),
        ("search_series", {"q": "x" * 2001}, "Search: at most 2,000 characters."),
    ],
)
@pytest.mark.usefixtures("category_125")
def test_wrong_arguments_are_explained(
    client: Client, series: None, tool: str, arguments: dict[str, Any], sentence: str
) -> None:
    text = call(client, tool, **arguments)

    assert text.startswith("ERROR ")
    assert sentence in text


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (Busy("This site has reached its request limit.", 3), "limit. Ask again in 3 seconds."),
        (Unavailable("The data provider did not answer in time."), "The data provider is not responding."),
    ],
)
def test_failure_of_the_service_is_explained(
    client: Client, stand_in: FakeService, error: Exception, sentence: str
) -> None:
    stand_in.error = error  # type: ignore[assignment]

    assert sentence in call(client, "list_tags", source="category:125")


def test_pasted_key_is_in_no_answer(client: Client, stand_in: FakeService) -> None:
    key = "abcdef0123456789abcdef0123456789"

    assert key not in call(client, "search_series", q=f"gdp api_key={key}")


@pytest.mark.parametrize("offset", [0, 50, 5000])
def test_absurd_texts_fit_the_answer(client: Client, stand_in: FakeService, offset: int) -> None:
    stand_in.seriess["ABSURD"] = [a_series(id="ABSURD", title=ABSURD, units=ABSURD, notes=ABSURD)]
    stand_in.seriess["OTHER"] = [a_series(id="OTHER", notes=ABSURD[::-1])]
    stand_in.has("category", 1, [a_tag(f"{n} {ABSURD[:300]}", notes=ABSURD) for n in range(60)])
    save_labels([Label(kind="category", number=1, name="😀" * 100)])

    for tool, arguments in (
        ("describe_series", {"series_id": "ABSURD"}),
        ("list_tags", {"source": "category:1", "offset": offset}),
        ("compare", {"a": "series:ABSURD", "b": "series:OTHER"}),
        ("compare", {"a": "category:1", "b": "category:1@2020-01-01", "offset": offset}),
        ("search_series", {"q": "語" * 300, "offset": offset % 3000}),
    ):
        text = call(client, tool, **arguments)
        assert link_of(text)
        assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f\u202e]", text)


def test_answer_that_is_cut_says_where_it_continues(client: Client, stand_in: FakeService) -> None:
    stand_in.has("category", 1, [a_tag(f"{n:02} {'é' * 90}", notes="n" * 500) for n in range(60)])
    seen: list[str] = []
    offset = 0
    while offset is not None:
        text = call(client, "list_tags", source="category:1", order_by="name", offset=offset)
        seen += re.findall(r"^(\d\d) é", text, re.MULTILINE)
        following = re.search(r"offset (\d+) continues", text)
        offset = int(following[1]) if following else None  # type: ignore[assignment]

    assert seen == [f"{n:02}" for n in reversed(range(60))]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=60)
@given(
    rows=st.lists(st.lists(texts | st.none() | st.integers(), min_size=3, max_size=3), min_size=1, max_size=80),
    title=texts,
    metadata=st.dictionaries(st.sampled_from(["as of", "filters", "warning"]), texts),
    factor=st.sampled_from([1, 10, 1000]),
    filters=st.sampled_from([0, 2900]),
)
def test_text_fits_its_bound(rows: list[Any], title: str, metadata: dict[str, str], factor: int, filters: int) -> None:
    """Whatever the service sends, the text and its link take no more bytes of JSON than they may."""
    long = [[value * factor if isinstance(value, str) else value for value in row] for row in rows]
    sheet = Sheet("x", title * factor, metadata, [Column(name) for name in "abc"], long, "rows", "row")
    link = f"http://testserver/series/GNPCA/?{'x' * filters}"

    for answer in (describe_record(sheet, link), list_rows(sheet, link, 0), refuse(title * factor)):
        for most in (600, 4000, MAX_REPLY_BYTES):
            text = answer.write(most)
            assert clip(text, most) == text
            assert answer.link in text or most < MAX_REPLY_BYTES


def test_tools_are_listed_in_order_with_their_arguments(client: Client) -> None:
    tools = ask(client, "tools/list").json()["result"]["tools"]

    assert [tool["name"] for tool in tools] == ["describe_series", "list_tags", "compare", "search_series"]
    for tool in tools:
        assert set(tool["inputSchema"]["required"]) <= tool["inputSchema"]["properties"].keys()
        assert tool["annotations"]["readOnlyHint"] is True
