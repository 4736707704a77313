"""A CSV file with `comments=no` has the same table, without the lines that begin with `#`."""

import csv
import io

import pytest
from django.test import Client

from tests.dashboard.files.test_known_files import PATHS, a_service, etag_of
from tests.dashboard.reading import words

pytestmark = pytest.mark.django_db
__all__ = ["a_service"]


def lines(client: Client, link: str) -> list[str]:
    return list(client.get(link).getvalue().decode().splitlines())


@pytest.mark.parametrize("path", PATHS)
def test_csv_without_comments_is_a_table_alone(client: Client, path: str) -> None:
    link = path.format("csv")
    plain = f"{link}{'&' if '?' in link else '?'}comments=no"
    table = [line for line in lines(client, link) if not line.startswith("#")]

    assert lines(client, plain) == table
    assert len({len(row) for row in csv.reader(io.StringIO("\n".join(table)))}) == 1
    assert etag_of(client.get(plain)) != etag_of(client.get(link))


def test_csv_has_comments_unless_they_are_refused(client: Client) -> None:
    assert lines(client, "/series/GNPCA.csv?comments=yes") == lines(client, "/series/GNPCA.csv")
    assert lines(client, "/series/GNPCA.md?comments=no") == lines(client, "/series/GNPCA.md")


def test_help_says_how_to_leave_out_the_comments(client: Client) -> None:
    page = client.get("/help/")

    assert ".csv?comments=no" in words(page, "//code")
    assert "ids that were not found, and words that cannot be ids: these have no row" in " ".join(words(page, "//dd"))
