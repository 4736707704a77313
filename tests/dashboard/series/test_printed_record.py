"""LaTeX of a series is read on paper: a row for each field, and a column for each version."""

import csv
import re

import pytest
from django.test import Client

from tests.builders import a_series
from tests.dashboard.frozen.copies import freeze
from tests.fake_service import FakeService
from tests.latex import text_set_by

pytestmark = pytest.mark.django_db
LINKED = 'See <a href="https://example.org/a/">the tables</a> or https://example.org/b.'
PRINTED = "See the tables (https://example.org/a/) or https://example.org/b."


def rows_of(client: Client, link: str) -> list[list[str]]:
    table = client.get(link).getvalue().decode()
    body = table.partition("\\toprule\n")[2].partition("\\end{longtable}")[0]
    lines = [line for line in body.splitlines() if line.endswith(r"\\")]
    cells = [re.split(r"(?<!\\) & ", line.removesuffix(r" \\")) for line in lines]
    return [[text_set_by(cell.replace(r"\hspace{0pt}", "")) for cell in row] for row in cells]


def versions(count: int) -> list[dict[str, object]]:
    years = range(2000, 2000 + count)
    days = ({"realtime_start": f"{year}-01-01", "realtime_end": f"{year}-12-31"} for year in years)
    return [a_series(**day, notes=LINKED) | {"popularity": 39} for day in days]


def test_latex_of_a_series_names_each_field_beside_its_value(client: Client, stand_in: FakeService) -> None:
    """It had fifteen narrow columns, and markup in its notes."""
    stand_in.seriess["GNPCA"] = versions(1)
    live, frozen = (rows_of(client, link) for link in ("/series/GNPCA.tex", freeze_file(client)))

    assert live == frozen
    assert live[:3] == [["Field", "Value"], ["Series", "GNPCA"], ["Real-time start", "2000-01-01"]]
    assert live[-1] == ["Notes", PRINTED]
    (header,) = (line for line in csv.reader(csv_lines(client)) if line[0] == "id")
    assert len(live) == 1 + len(header)


def freeze_file(client: Client) -> str:
    path = freeze(client, "/series/GNPCA/").partition("?")[0]
    return f"{path.rstrip('/')}.tex"


def csv_lines(client: Client) -> list[str]:
    return client.get("/series/GNPCA.csv").getvalue().decode().splitlines()


@pytest.mark.parametrize(("count", "beside", "blocks"), [(2, 2, 1), (3, 3, 1), (4, 3, 2)])
def test_latex_of_versions_has_three_beside_one_another(
    client: Client, stand_in: FakeService, count: int, beside: int, blocks: int
) -> None:
    stand_in.seriess["GNPCA"] = versions(count)
    rows = rows_of(client, "/series/GNPCA.tex?realtime_start=2000-01-01&realtime_end=2010-01-01")

    assert {len(row) for row in rows} == {1 + beside}
    starts = [cell for row in rows if row[0] == "Real-time start" for cell in row[1:]]
    assert starts == [f"{2000 + n}-01-01" for n in range(count)] + [""] * (blocks * beside - count)


def test_latex_of_a_list_has_no_markup_in_notes(client: Client, stand_in: FakeService) -> None:
    stand_in.seriess["GNPCA"] = versions(1)

    assert rows_of(client, "/series.tex?ids=GNPCA&columns=notes") == [["Series", "Notes"], ["GNPCA", PRINTED]]


@pytest.mark.parametrize("link", ["/series/GNPCA.tex?as_of=2014-06-30", "/series.tex?ids=GNPCA&as_of=2014-06-30"])
def test_latex_of_a_past_day_says_below_the_table_what_is_not_of_that_day(
    client: Client, stand_in: FakeService, link: str
) -> None:
    """It was a comment alone, and paper showed a last observation of years after the day."""
    later = {"observation_end": "2017-01-01", "last_updated": "2018-03-28 07:51:02-05", "popularity": 39}
    stand_in.seriess["GNPCA"] = [a_series(realtime_start="2014-01-01", realtime_end="2018-01-01") | later]
    below = client.get(link).getvalue().decode().partition("\\end{longtable}")[2]

    assert ", as of 2014-06-30. Coverage and last update are those at the end of the version" in below
    assert below.startswith("\\addtocounter{table}{-1}\n")
