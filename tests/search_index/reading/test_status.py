"""The status of the index: which categories and releases could not be read."""

import pytest

from econweb.label_book.models import Label
from econweb.search_index.reading.reader import Reader
from econweb.search_index.reading.status import status_lines
from econweb.serving.background import request_tags
from tests.search_index.reading.conftest import World

pytestmark = pytest.mark.django_db


def test_status_names_known_failures_alone_and_counts_those_that_it_leaves_out(world: World) -> None:
    world.knows(30)
    world.service.tags.clear()
    world.read(Reader(request_tags), 300)
    failed = [line.partition(" could not be read")[0] for line in status_lines()[1:]]
    Label.objects.filter(number__gt=5).delete()
    left = [line.partition(" could not be read")[0] for line in status_lines()[1:]]

    assert failed == [*(f"category {number}" for number in range(30, 10, -1)), "10 more"]
    assert left == [f"category {number}" for number in range(5, 0, -1)]
