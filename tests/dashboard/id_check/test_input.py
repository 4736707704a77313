"""A wrong link to the check gets a sentence, and no word of it is left out in silence."""

import json
from datetime import timedelta
from urllib.parse import quote

import pytest
from django.test import Client
from django.utils import timezone

from tests.dashboard.id_check.records import current
from tests.dashboard.reading import alert, canonical, document, links, row_heads, rows_of, words
from tests.fake_service import FakeService

pytestmark = pytest.mark.django_db
TOMORROW = str(timezone.localdate() + timedelta(days=2))
MANY = ",".join(f"S{number}" for number in range(201))
NO_DATE = "Changes since: enter the date as YYYY-MM-DD, for example 2020-01-31."
WRONG_DAY = "Changes since: choose a date between 1776-07-04 and today."
WRONG = {
    f"ids={MANY}": "Series ids: at most 200, and these are 201. Remove some.",
    "ids=F-1": "Series ids: “F-1” is not a series id. Correct or remove it.",
    f"ids={MANY[:-5]},foo/bar": "Series ids: at most 200, and these are 201. Remove some.",
    f"ids={'A' * 26}": f"Series ids: “{'A' * 26}” is not a series id. Correct or remove it.",
    "ids=A%00B": "Series ids: a character in it is not allowed. Remove it.",
    f"ids={'A,' * 10_001}": "Series ids: at most 20,000 characters. Shorten it.",
    "ids=A&since=soon": NO_DATE,
    "ids=A&since=2025-02-30": NO_DATE.replace("enter", "there is no date 2025-02-30. Enter"),
    f"ids=A&since={TOMORROW}": WRONG_DAY,
    "ids=A&since=9999-12-31": WRONG_DAY,
    "ids=A&since=1700-01-01": WRONG_DAY,
    "ids=A&since=20%0025": "Changes since: a character in it is not allowed.",
    "ids=A&ids=B": "The link has two different values for “ids”. Keep one.",
    "ids=A&order_by=colour": "Sort: “colour” is not known.",
}


@pytest.mark.parametrize("query", WRONG, ids=lambda query: query[:30])
def test_wrong_link_gets_a_sentence(client: Client, stand_in: FakeService, query: str) -> None:
    page, file = client.get(f"/check/?{query}"), client.get(f"/check.json?{query}")

    assert (page.status_code, file.status_code) == (400, 400)
    assert WRONG[query] in alert(page)
    assert WRONG[query] in file.text
    assert words(page, "//h1") == ["Check series ids"]
    assert words(page, "//form//button[@type='submit'][normalize-space()='Check']") == ["Check"]
    assert stand_in.asked == []


def test_check_without_ids_is_the_form(client: Client, stand_in: FakeService) -> None:
    page = client.get("/check/")

    assert page.status_code == 200
    assert len(words(page, "//textarea[@name='ids']")) == 1
    assert words(page, "//table") == []


@pytest.mark.parametrize("form", ["", "form=plain&columns=title&"])
def test_page_and_file_name_the_ids_that_are_merged(client: Client, stand_in: FakeService, form: str) -> None:
    stand_in.seriess = {"GDP": [current("GDP")], "UNRATE": [current("UNRATE")]}
    merged = "Merged, because they were entered more than once: GDP · UNRATE."
    page = client.get(f"/check/?{form}ids=GDP+gdp+UNRATE+unrate+GDP&since=", follow=True)
    about = json.loads(client.get("/check.json?ids=GDP+gdp+UNRATE+unrate+GDP").getvalue())["about"]

    assert words(page, "//main/p[@class='notice']") == [merged]
    assert words(page, "//p[@role='status']/strong") == ["Both series are fine."]
    assert canonical(page) == "/check/?ids=GDP,UNRATE"
    assert "columns" not in str(page.redirect_chain)
    assert about["warning"] == merged
    assert not words(client.get("/check/?ids=GDP,UNRATE"), "//main/p[@class='notice']")


@pytest.mark.parametrize("query", ["form=plain&ids=&since=", "ids=%20,&since=2025-01-01"])
def test_empty_box_gets_a_sentence(client: Client, query: str) -> None:
    page = client.get(f"/check/?{query}")

    assert page.status_code == 400
    assert alert(page) == "Enter at least one series id, for example GNPCA."
    assert words(page, "//h1") == ["Check series ids"]
    assert len(words(page, "//textarea[@aria-invalid='true']")) == 1


@pytest.mark.parametrize("query", ["", "?ids=", "?ids=%20,%20&since=2025-01-01"])
def test_file_without_ids_gets_a_sentence(client: Client, query: str) -> None:
    answer = client.get(f"/check.json{query}")

    assert answer.status_code == 400
    assert "Series ids: name at least one, for example ids=GDP,UNRATE." in answer.text


def test_ids_count_once_in_capitals_and_in_any_form(client: Client, stand_in: FakeService) -> None:
    stand_in.seriess = {"A": [current("A")], "B": [current("B")]}
    pasted = 'a, A;b\n"B" https://elsewhere.example/series/A'
    page = client.get(f"/check/?ids={quote(pasted)}")

    assert row_heads(page) == ["A", "B"]
    assert canonical(page) == "/check/?ids=A,B"
    assert len(stand_in.asked) == 2


def test_word_that_is_no_id_has_a_verdict_beside_those_of_the_ids(client: Client, stand_in: FakeService) -> None:
    stand_in.seriess = {"A": [current("A")]}
    link = f"/check/?ids={quote('A foo/bar NONE ünr a$b ' + 'x' * 60)}"
    page, answer = client.get(link), json.loads(client.get(link.replace("/?", ".json?")).getvalue())

    # The embedded service is asked for the parts of foo/bar as well.
    assert (page.status_code, len(stand_in.asked)) == (200, 4)
    heads, verdicts = row_heads(page), words(page, "//tbody//td[1]")
    assert dict(zip(heads, verdicts, strict=True)) == {
        "foo/bar": "Not an id",
        "ünr": "Not an id",
        "a$b": "Not an id",
        "x" * 50: "Not an id",
        "NONE": "Not found",
        "A": "Fine",
    }
    assert [one["id"] for one in answer["checks"]] == heads
    assert {one["verdict"] for one in answer["checks"][:4]} == {"not an id"}
    assert answer["checks"][0]["reason"] == "A series id has at most 25 letters from A to Z, digits and _."
    assert (answer["fine"], answer["count"], answer["not_fine"]) == (False, 6, 5)
    # The links of the page keep the words.
    for name in ("CSV", "Series"):
        again = client.get(links(page)[name])
        assert again.status_code == 200
        again.close()
    assert row_heads(client.get(canonical(page))) == heads


def test_table_with_a_bad_cell_among_its_ids_keeps_the_others(client: Client, stand_in: FakeService) -> None:
    stand_in.seriess = {"GDP": [current("GDP")], "GNPCA": [current("GNPCA")]}
    table = "GDP\tGross Product\tQuarterly\nFRED:UNRATE\tUnemployment Rate\tMonthly\nGNPCA\tReal Product\tAnnual"
    page = client.get("/check/", {"ids": table})

    found = dict(zip(row_heads(page), words(page, "//tbody//td[1]"), strict=True))
    assert found == {"FRED:UNRATE": "Not an id", "GDP": "Fine", "GNPCA": "Fine"}


def test_form_keeps_words_that_are_no_ids(client: Client) -> None:
    page = client.get("/check/", {"form": "plain", "ids": "foo/bar a", "since": ""})

    assert page["Location"] == "/check/?ids=A,foo%2Fbar"
    assert document(client.get(page["Location"])).xpath("string(//textarea)").split() == ["A", "foo/bar"]


def test_plain_form_leads_to_the_canonical_link(client: Client) -> None:
    page = client.get("/check/?form=plain&ids=a+b%0D%0Ac&since=2025&order_by=")

    assert page["Location"] == "/check/?ids=A,B,C&since=2025-01-01"


def test_check_reads_only(client: Client) -> None:
    assert client.post("/check/?ids=A").status_code == 405


@pytest.mark.parametrize(
    ("order", "expected"), [("id&sort_order=desc", ["C", "B", "A"]), ("observation_end", ["C", "A", "B"])]
)
def test_check_can_be_sorted(client: Client, stand_in: FakeService, order: str, expected: list[str]) -> None:
    stand_in.seriess = {"A": [current("A")], "C": [current("C", observation_end="2001-01-01")]}

    assert row_heads(client.get(f"/check/?ids=A,B,C&order_by={order}")) == expected


def test_each_wrong_field_is_described_by_its_own_message(client: Client) -> None:
    page = document(client.get("/check/?ids=%C3%A9&since=zz"))
    described = page.xpath("//form//*[@aria-invalid='true']/@aria-describedby")

    assert described == ["ids-error", "since-error"]
    ids, since = [" ".join(page.xpath(f"//p[@id='{one}']")[0].text_content().split()) for one in described]
    assert ids.startswith("Series ids: ")
    assert since.startswith("Changes since: enter the date")


@pytest.mark.parametrize("wrong", ["/check/?since=tomorrow", "/series/?as_of=tomorrow"])
def test_wrong_date_leaves_the_box_as_it_was_typed(client: Client, wrong: str) -> None:
    """The box lost each word that is not an id, and no sentence named it."""
    typed = "GDP\r\nfoo!bar\r\nUNRATE\r\nGDP"
    page = client.get(f"{wrong}&ids={quote(typed)}")

    assert page.status_code == 400
    assert words(page, "//textarea[@name='ids']") == ["GDP foo!bar UNRATE GDP"]


@pytest.mark.parametrize("since", ["", "&since=2020-01-01"])
def test_each_word_with_an_id_in_it_is_named(client: Client, stand_in: FakeService, since: str) -> None:
    """Twenty ids with the name of a source got one error, about the first of them."""
    stand_in.seriess = {"GDP": [current("GDP")], "UNRATE": [current("UNRATE")]}
    asked = f"ids=FRED/GDP FRED/UNRATE FRED/NOWHERE{since}"
    page = client.get(f"/check/?{asked}", follow=True)

    assert page.status_code == 200
    assert row_heads(page) == ["FRED/GDP", "FRED/UNRATE", "FRED/NOWHERE"]
    assert [f"Did you mean {one}?" in page.text for one in ("GDP", "UNRATE", "NOWHERE")] == [True, True, False]
    file = rows_of(client, canonical(page).replace("/?", ".csv?"))
    assert [row["verdict"] for row in file] == ["not an id"] * 3
