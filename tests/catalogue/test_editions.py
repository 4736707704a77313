"""A load while the service answers: the old catalogue or the new one, never both and never an error."""

import pytest
from pytest_django import Settings

from econweb.catalogue import editions
from tests.catalogue.asking import Ask, a_catalogue
from tests.conftest import Loader

pytestmark = pytest.mark.django_db(transaction=True)
MANY = [f"tag {number:02}" for number in range(30)]


@pytest.mark.parametrize("order_by", ["name", "popularity", "created", "group_id", "series_count"])
def test_rows_of_a_new_load_are_never_read_with_the_tags_of_the_old_one(
    catalogue: Loader, ask: Ask, settings: Settings, order_by: str
) -> None:
    catalogue(**a_catalogue({"A": ["usa"]}))
    ask("category/tags", category_id="125")
    settings.CATALOGUE_RECHECK_SECONDS = 60.0
    editions.current()
    catalogue(**a_catalogue({"A": MANY}))

    status, reply = ask("category/tags", category_id="125", order_by=order_by)

    assert status == 200
    assert sorted(tag["name"] for tag in reply["tags"]) == MANY


def test_an_answer_that_straddles_a_load_is_made_anew(catalogue: Loader, settings: Settings) -> None:
    catalogue(**a_catalogue({"A": ["usa"]}))
    settings.CATALOGUE_RECHECK_SECONDS = 60.0
    read: list[str] = []

    def load_meanwhile(held: editions.HeldEdition) -> str:
        if not read:
            catalogue(**a_catalogue({"A": MANY}))
        read.append(held.identity)
        return held.identity

    edition, answer = editions.of_one_edition(load_meanwhile)

    assert len(read) == 2
    assert answer == edition.identity == read[1] != read[0]


def test_an_error_of_the_request_itself_is_not_tried_again(catalogue: Loader) -> None:
    catalogue(**a_catalogue({"A": ["usa"]}))

    def fail(held: editions.HeldEdition) -> str:
        raise LookupError

    with pytest.raises(LookupError):
        editions.of_one_edition(fail)
