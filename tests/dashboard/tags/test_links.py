"""Parameters of the tag page: what it accepts, what it refuses, and its canonical link."""

import random
from datetime import date
from urllib.parse import parse_qsl, urlencode

import pytest
from django.http import QueryDict
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from econweb.dashboard.parameter_checks import MAX_NAMES_CHARACTERS
from econweb.dashboard.tags.forms import TagForm
from econweb.upstream.queries import ORDER_BYS, SORT_ORDERS, TAG_GROUPS, TagQuery
from tests.dashboard.reading import alert, canonical, document, names
from tests.fake_service import FakeService, tags_of

pytestmark = pytest.mark.django_db
PATH = "/release/53/tags/"
RESULTS = {"HX-Request": "true", "HX-Target": "results"}
TEXT = st.text(st.characters(exclude_categories=("Cc", "Cs"), exclude_characters="\ufffd"), min_size=1, max_size=12)
NAMES = st.sampled_from(["not seasonally adjusted", "a+b", "a & b", "50%", "c#", "é", "a;b", "\\", "=?/"]) | TEXT
QUERIES = st.builds(
    TagQuery,
    tag_names=st.lists(NAMES, max_size=4).map(tuple),
    tag_group_id=st.sampled_from(["", *TAG_GROUPS]),
    search_text=TEXT | st.just(""),
    order_by=st.sampled_from(sorted(ORDER_BYS)),
    sort_order=st.sampled_from(SORT_ORDERS),
    limit=st.integers(1, 1000),
    offset=st.integers(0, 9_999_999),
    realtime_start=st.none() | st.dates(date(1776, 7, 4), date(2019, 12, 31)),
    realtime_end=st.none() | st.dates(date(2020, 1, 1), date(2025, 12, 31)),
)


@pytest.fixture(autouse=True)
def release_53(stand_in: FakeService) -> None:
    stand_in.has("release", 53, tags_of(120))


@given(query=QUERIES)
def test_tag_query_round_trips_its_link(query: TagQuery) -> None:
    form = TagForm(QueryDict(query.query_string()))

    assert form.is_valid(), form.errors
    assert form.query() == query


def test_tag_link_is_canonical_for_permuted_and_repeated_parameters(client: Client) -> None:
    expected = f"{PATH}?tag_names=a+b%3Btag+0001&tag_group_id=geo&search_text=tag&order_by=name&limit=25"
    repeated = [("offset", "0"), ("sort_order", "desc"), ("limit", "25")]
    pairs = [*parse_qsl(expected.partition("?")[2]), *repeated]
    shuffle = random.Random(7).shuffle  # noqa: S311  an order, no secret
    seen = set()
    for _ in range(100):
        shuffle(pairs)
        seen.add(canonical(client.get(f"{PATH}?{urlencode(pairs)}")))

    assert seen == {expected}


def test_tag_link_omits_unknown_parameters(client: Client) -> None:
    page = client.get(f"{PATH}?utm_source=mail&limit[]=3&tag_group_id=geo")

    assert page.status_code == 200
    assert canonical(page) == f"{PATH}?tag_group_id=geo"
    assert "utm_source" not in page.text


WRONG = [
    ("limit=0", "Rows per page: choose a whole number from 1 to 1,000."),
    ("limit=1001", "Rows per page: choose a whole number from 1 to 1,000."),
    ("limit=1e3", "Rows per page: choose a whole number from 1 to 1,000."),
    ("limit=5_0", "Rows per page: choose a whole number from 1 to 1,000."),
    ("limit=５０", "Rows per page: choose a whole number from 1 to 1,000."),
    (f"limit={'9' * 5000}", "Rows per page: choose a whole number from 1 to 1,000."),
    ("offset=-1", "First row: choose a whole number from 0 to 9,999,999."),
    ("offset=abc", "First row: choose a whole number from 0 to 9,999,999."),
    ("order_by=size", "Sort: “size” is not known. Choose: series_count, popularity, created, name, group_id."),
    ("sort_order=DESC", "Direction: “DESC” is not known. Choose: asc, desc."),
    ("tag_group_id=xyz", "Tag group: “xyz” is not known. Choose: freq, gen, geo, geot, rls, seas, src, cc."),
    ("tag_names=a%00b", "Tag names: a character in it is not allowed. Remove it."),
    ("search_text=a%00b", "Filter text: a character in it is not allowed. Remove it."),
    ("search_text=a%0d%0aX-Evil:+1", "Filter text: a character in it is not allowed. Remove it."),
    ("search_text=%ff", "Filter text: a character in it is not allowed. Remove it."),
    (f"search_text={'x' * 201}", "Filter text: at most 200 characters. Shorten it."),
    (f"tag_names={';'.join(str(n) for n in range(51))}", "Tag names: at most 50, with ; between them. Remove some."),
    (f"tag_names={'n' * 501}", "Tag names: at most 500 characters. Shorten it."),
    ("realtime_start=2020-02-30", "There is no date 2020-02-30. Enter the first day as YYYY-MM-DD, for example"),
    ("realtime_end=20200131", "Enter the last day as YYYY-MM-DD, for example 2020-01-31."),
    ("realtime_start=2020-01-02&realtime_end=2020-01-01", "The last day is before the first day."),
    ("limit=5&limit=6", "The link has two different values for “limit”. Keep one."),
    ("tag_group_id=geo&tag_group_id=gen", "The link has two different values for “tag_group_id”. Keep one."),
]


@pytest.mark.parametrize(("query", "said"), WRONG, ids=[query[:30] for query, _ in WRONG])
@pytest.mark.parametrize("headers", [{}, RESULTS], ids=["page", "fragment"])
def test_tag_page_names_invalid_parameter_with_valid_values(
    client: Client, query: str, said: str, headers: dict[str, str]
) -> None:
    answer = client.get(f"{PATH}?{query}", headers=headers)

    assert answer.status_code == 400
    assert said in alert(answer)


@pytest.mark.parametrize("path", [PATH, f"{PATH.rstrip('/')}.csv", f"{PATH.rstrip('/')}.json"])
@pytest.mark.parametrize("letter", ["n", "é", "🙂"])
def test_tag_names_over_length_limit_are_refused(client: Client, path: str, letter: str) -> None:
    longest, longer = letter * MAX_NAMES_CHARACTERS, letter * (MAX_NAMES_CHARACTERS + 1)
    lists = {"tag_names": [letter * 250, letter * 250 + "x"]}
    answers = [client.get(path, {"tag_names": longest}), client.get(path, {"tag_names": longer})]
    answers.append(client.get(path, lists))

    assert [answer.status_code for answer in answers] == [200, 400, 400]
    assert all("Tag names: at most 500 characters. Shorten it." in answer.text for answer in answers[1:])


def test_tag_form_keeps_invalid_input(client: Client) -> None:
    page = client.get(f"{PATH}?limit=5000&search_text=rent&tag_group_id=geo&realtime_start=soon")

    inputs = document(page).xpath("//main//form//input[@name!='columns']")
    fields = {field.get("name"): field.get("value", "") for field in inputs}
    assert fields == {
        "form": "plain",
        "search_text": "rent",
        "as_of": "",
        "realtime_start": "soon",
        "realtime_end": "",
        "limit": "5000",
        "tag_group_id": "geo",
    }


def test_tag_form_joins_two_lists_of_names(client: Client) -> None:
    page = client.get(f"{PATH}?tag_names=tag+0003;tag+0001&tag_names=tag+0002")

    assert names(page) == ["tag 0001", "tag 0002", "tag 0003"]


def test_tag_form_redirects_to_canonical_link_without_javascript(client: Client) -> None:
    query = "form=plain&search_text=&tag_names=&tag_names=usa&order_by=series_count&sort_order=desc&limit=50"

    assert client.get(f"{PATH}?{query}")["Location"] == f"{PATH}?tag_names=usa"


def test_fragment_is_part_of_the_page_and_has_the_same_title(client: Client) -> None:
    page, fragment = client.get(PATH), client.get(PATH, headers=RESULTS)

    assert "<body" not in fragment.text
    assert fragment.text.partition("</title>")[2].strip() in page.text
    assert fragment.text.partition("<title>")[2].split("</title>")[0] in page.text


@pytest.mark.parametrize(
    ("headers", "whole"),
    [
        ({"HX-Request": "true", "HX-Target": "main"}, False),
        (RESULTS | {"HX-History-Restore-Request": "true"}, True),
        ({"HX-Target": "results"}, True),
    ],
)
def test_htmx_gets_only_the_part_that_it_swaps(client: Client, headers: dict[str, str], whole: bool) -> None:
    answer = client.get(PATH, headers=headers)

    assert ("<body" in answer.text) == whole
    assert 'id="view"' in answer.text


def test_vary_names_the_headers_of_htmx_and_the_encoding(client: Client) -> None:
    answer = client.get(PATH)

    wanted = {"HX-Request", "HX-Target", "HX-History-Restore-Request", "Accept-Encoding"}
    assert wanted <= set(answer["Vary"].split(", "))


def test_unchanged_tag_page_is_a_304(client: Client, stand_in: FakeService) -> None:
    tags = {name: client.get(PATH, headers=headers)["ETag"] for name, headers in (("page", {}), ("part", RESULTS))}
    again = client.get(PATH, headers={"If-None-Match": tags["page"]})
    other = client.get(f"{PATH}?order_by=name", headers={"If-None-Match": tags["page"]})

    assert (again.status_code, again.content) == (304, b"")
    assert "HX-Request" in again["Vary"]
    assert other.status_code == 200
    assert tags["page"] != tags["part"]


@pytest.mark.parametrize(
    ("trigger", "current", "expected"),
    [
        ("view", PATH, ("HX-Push-Url", f"{PATH}?search_text=rent")),
        ("words", PATH, ("HX-Push-Url", f"{PATH}?search_text=rent")),
        ("words", f"{PATH}?search_text=ren", ("HX-Replace-Url", f"{PATH}?search_text=rent")),
        ("view", f"{PATH}?search_text=rent", ("HX-Push-Url", "false")),
    ],
)
def test_pushed_url_is_canonical_and_typing_replaces_it(
    client: Client, trigger: str, current: str, expected: tuple[str, str]
) -> None:
    said = {"HX-Trigger": trigger, "HX-Current-URL": f"http://testserver{current}"}
    answer = client.get(f"{PATH}?form=plain&search_text=rent&limit=50", headers=RESULTS | said)

    name, link = expected
    assert answer[name] == link


@pytest.mark.parametrize(
    ("query", "link"),
    [
        (
            "form=plain&search_text=&realtime_start=soon&order_by=series_count&limit=50&utm=1",
            "realtime_start=soon",
        ),
        ("limit=5000&tag_names=b&tag_names=a%26&offset=50", "tag_names=b%3Ba%26&limit=5000&offset=50"),
        ("limit=60&limit=50&limit=60", "limit=60&limit=50"),
        ("tag_group_id=nope&sort_order=desc", "tag_group_id=nope"),
    ],
)
def test_invalid_tag_form_redirects_to_canonical_link_with_errors(client: Client, query: str, link: str) -> None:
    part, page = client.get(f"{PATH}?{query}", headers=RESULTS), client.get(f"{PATH}?{query}")

    assert part["HX-Push-Url"] == f"{PATH}?{link}" == canonical(page)
    assert alert(client.get(canonical(page))) == alert(page) != ""


@pytest.mark.parametrize("evil", ["https://evil.example/x", "//evil.example", "/\\evil.example", "javascript:1"])
def test_request_headers_never_become_links(client: Client, evil: str) -> None:
    answer = client.get(PATH, headers=RESULTS | {"HX-Current-URL": evil, "Referer": evil, "X-Forwarded-Host": evil})

    assert "evil" not in answer.text
    assert "evil" not in str(answer.headers)


def test_parameter_inside_another_is_one_value(client: Client, stand_in: FakeService) -> None:
    client.get(f"{PATH}?search_text=x%26file_type%3Devil%23")

    assert stand_in.asked == [
        ("release/tags", stand_in.asked[0][1] | {"search_text": "x&file_type=evil#", "release_id": "53"})
    ]
    assert stand_in.asked[0][1].get("file_type") != "evil"


@pytest.mark.parametrize("number", ["..%2f53", "53%2f..", "53@evil.example", "53%23", "53%0d%0a", "%2e%2e"])
def test_id_cannot_change_the_path_of_the_request(client: Client, stand_in: FakeService, number: str) -> None:
    assert client.get(f"/release/{number}/tags/").status_code == 404
    assert stand_in.asked == []
