"""A hidden copy or view takes the same work as one that never was, so that the time of an answer tells nothing.

Compared are the statements that are sent to the database, without their values: time itself varies too much.
"""

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from econweb.library.models import FrozenCopy
from tests.dashboard.frozen.copies import freeze, view
from tests.dashboard.frozen.test_doors import DOORS, FORMS
from tests.dashboard.saved.people import OWNER, READER, STRANGER, client_of, let_people_sign_in, save_for_each_audience

__all__ = ["view"]
pytestmark = pytest.mark.django_db
PATHS = {path for path, _ in DOORS.values()}
SAVED = (
    "/saved/{}/",
    "/saved/{}.zip",
    "/saved/{}/feed.atom",
    "/me/saved/{}/",
    "/me/saved/{}.zip",
    "/me/saved/{}/edit/",
)


def statements(client: Client, path: str) -> list[str]:
    """Return the statements of a request, without the values in them."""
    with CaptureQueriesContext(
        connection,
    ) as captured:
        client.get(path).close()
    return [re.sub(r"'[^']*'|\b[0-9]+\b", "?", query["sql"]) for query in captured]


@pytest.fixture
def hidden(view: str, settings: Settings) -> str:
    """The id of a private copy."""
    let_people_sign_in(settings)
    freeze(client_of(OWNER), view, audience="me")
    return FrozenCopy.objects.get().pk


@pytest.mark.parametrize("path", [*sorted(PATHS), *(f"/me{path}" for path in sorted(PATHS)), *FORMS])
@pytest.mark.parametrize("name", [STRANGER, READER])
def test_hidden_copy_takes_the_statements_of_one_that_never_was(hidden: str, path: str, name: str) -> None:
    client = client_of(name)
    # What a worker does once is done.
    client.get(path.format("0" * 13)).close()
    never, found = (statements(client, path.format(one)) for one in ("0" * 13, hidden))

    assert found == never
    # People who are asked to sign in first cause none.
    assert never or (name == STRANGER and path.startswith("/me/"))


@pytest.mark.usefixtures("category_125")
@pytest.mark.parametrize("path", SAVED)
@pytest.mark.parametrize("name", [STRANGER, READER])
def test_hidden_view_takes_the_statements_of_one_that_never_was(settings: Settings, path: str, name: str) -> None:
    let_people_sign_in(settings)
    save_for_each_audience()
    client = client_of(name)
    client.get(path.format("for-nobody")).close()

    assert statements(client, path.format("for-me")) == statements(client, path.format("for-nobody"))
