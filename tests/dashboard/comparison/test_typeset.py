"""LaTeX tables of comparisons are read alone, with the columns and words of the page; other files have more columns."""

import pytest
from django.test import Client

from econweb.label_book.models import Label
from econweb.label_book.storing import save_labels
from tests.builders import a_series
from tests.dashboard.comparison.test_frozen_sources import AFTER, BEFORE, freeze_id, renew
from tests.dashboard.reading import document
from tests.fake_service import FakeService, a_tag
from tests.latex import text_set_by

pytestmark = pytest.mark.django_db


def caption_and_rows(client: Client, query: str) -> tuple[str, list[list[str]]]:
    """Return the caption and the rows that are printed, the head first; comments are not."""
    table = client.get(f"/compare.tex?{query}").getvalue().decode()
    before, _, after = table.partition("\\endfirsthead\n")
    caption, _, rest = after.partition("\\midrule\n\\endhead\n\\bottomrule\n\\endfoot\n")
    lines = [caption.removeprefix("\\toprule\n"), *rest.partition("\\end{longtable}")[0].splitlines()]
    rows = [[text_set_by(cell) for cell in line.strip().removesuffix("\\\\").strip().split(" & ")] for line in lines]
    return text_set_by(before.partition("\\caption[]{")[2].partition("}\\\\\n")[0]), rows


@pytest.fixture
def three(stand_in: FakeService) -> None:
    """Sources of 100, 50 and 10 series."""
    for kind, number, series in (("category", 125, 100), ("release", 51, 50), ("release", 9, 10)):
        found = [
            a_tag("annual", group_id="freq", series_count=series),
            a_tag("nsa", group_id="seas", series_count=series),
        ]
        stand_in.has(kind, number, [*found, a_tag("usa", group_id="geo", series_count=40)][: 3 if number == 125 else 2])
    Label.objects.create(kind="category", number=125, name="Trade Balance")


@pytest.mark.usefixtures("three")
def test_table_of_two_has_the_columns_of_the_page_and_names_in_its_caption(client: Client) -> None:
    """It said “A series count”, and only a comment said of which source."""
    query = "a=category:125&b=release:51"
    caption, (head, *rows) = caption_and_rows(client, query)
    columns = document(client.get(f"/compare/?{query}")).xpath("//thead//th")

    assert [" ".join(one.text_content().split()).rstrip(" ▾▴") for one in columns] == head
    assert head == ["Tag", "Group", "Trade Balance", "Release 51", "Difference (points)", "Ratio"]
    assert caption.startswith("Tags of Trade Balance, as of 20")
    assert " compared with Release 51, as of 20" in caption
    assert "Difference: share in Release 51 minus share in Trade Balance." in caption
    assert rows[0] == [
        "annual",
        "Frequency",
        "100 (100.0%)",
        "50 (100.0%)",
        "0.0",
        "1.00",
    ]
    assert rows[-1][3:] == ["—", "-40.0", "only in Trade Balance"]


@pytest.mark.usefixtures("three")
def test_table_of_three_has_the_spread_alone(client: Client) -> None:
    caption, (head, *rows) = caption_and_rows(client, "a=category:125&b=release:51&c=release:9")

    assert head == ["Tag", "Group", "Trade Balance", "Release 51", "Release 9", "Spread (points)"]
    assert "Spread: highest share minus the lowest." in caption
    assert [row[-1] for row in rows] == ["0.0", "0.0", "40.0"]


def test_table_of_series_names_fields_and_has_no_markup(client: Client, stand_in: FakeService) -> None:
    notes = 'See <a href="https://example.org/">the tables</a>.'
    stand_in.seriess["GNPCA"] = [a_series(notes=notes) | {"popularity": 39}]
    caption, (head, *rows) = caption_and_rows(client, "a=series:GNPCA@2016-01-01&b=series:GNPCA")

    assert head == ["Field", "GNPCA on 2016-01-01", "GNPCA today", "Differs"]
    assert caption.startswith("Records of GNPCA on 2016-01-01 compared with GNPCA today, as of 20")
    assert "First observation" in [row[0] for row in rows]
    assert rows[-1] == ["Notes", "See the tables.", "See the tables.", "no"]


def test_table_of_a_difference_names_its_states(client: Client, stand_in: FakeService) -> None:
    stand_in.has("category", 125, BEFORE)
    copy_id = freeze_id(client)
    stand_in.has("category", 125, AFTER)
    renew()
    caption, (head, *rows) = caption_and_rows(client, f"a=frozen:{copy_id}&b=category:125")

    assert head[:4] == ["Change", "Tag", "Group", "Field"]
    assert (head[4][:7], head[5]) == ("Frozen ", "Now")
    assert caption.startswith("Difference of Tags of trade, frozen 20")
    assert "Series count" in [row[3] for row in rows]


@pytest.mark.usefixtures("three")
def test_new_name_of_a_source_is_a_new_file(client: Client) -> None:
    link = "/compare.tex?a=category:125&b=release:51"
    before = client.get(link)["ETag"]
    Label.objects.filter(number=125).update(name="Trade")
    Label.objects.get(number=125).save()

    assert client.get(link)["ETag"] != before


@pytest.mark.usefixtures("three")
def test_file_has_the_names_of_its_sources(client: Client) -> None:
    """It called them by number alone, while the page has their names."""
    text = client.get("/compare.csv?a=category:125&b=release:51@2020-01-31").getvalue().decode()

    assert text.startswith('# title,"Tags of Category 125, Trade Balance · Release 51 on 2020-01-31"')
    assert ' a,"Category 125, Trade Balance, as of 20' in text


def test_file_of_a_difference_has_the_names_of_its_sources(client: Client, stand_in: FakeService) -> None:
    save_labels([Label(kind="category", number=125, name="Trade Balance")])
    stand_in.has("category", 125, BEFORE)
    link = f"/compare.csv?a=frozen:{freeze_id(client)}&b=category:125"
    text = client.get(link).getvalue().decode()

    assert "Category 125, Trade Balance, as of 20" in text
    assert ", Tags of trade, frozen 20" in text


COMPARED = "difference_points is the last source minus the first, and ratio_of_shares the last divided by the first."


@pytest.mark.usefixtures("three")
@pytest.mark.parametrize(("suffix", "is_noted"), [("csv", True), ("json", True), ("tex", False)])
def test_file_of_three_says_what_its_columns_compare_that_the_page_lacks(
    client: Client, suffix: str, is_noted: bool
) -> None:
    """The files had a difference and a ratio without a word, of which sources nobody could tell."""
    pair = "a=category:125&b=release:51"
    text, of_pair = (
        client.get(f"/compare.{suffix}?{query}").getvalue().decode() for query in (f"{pair}&c=release:9", pair)
    )

    assert (COMPARED in text) == is_noted
    assert ("difference_points" in text) == is_noted
    assert "last source" not in of_pair
