"""The people of the tests of saved views: a stranger, the owner, another reader, an editor and an admin."""

from django.contrib.auth.models import User
from django.test import Client
from pytest_django import Settings

from tests.library.builders import a_saved_view

STRANGER, OWNER, READER, EDITOR, ADMIN = "stranger", "ada", "bob", "eve", "root"
PEOPLE = (STRANGER, OWNER, READER, EDITOR, ADMIN)
# Who may see, and who may change, what ada has saved for each audience.
SEE = {"me": {OWNER, ADMIN}, "signed-in": {OWNER, READER, EDITOR, ADMIN}, "everyone": set(PEOPLE)}
EDIT = {"me": {OWNER, ADMIN}, "signed-in": {OWNER, EDITOR, ADMIN}, "everyone": {OWNER, EDITOR, ADMIN}}
AUDIENCES = tuple(SEE)


def let_people_sign_in(settings: Settings) -> None:
    settings.SIGN_IN, settings.EDITOR_NAMES, settings.ADMIN_NAMES = "password", [EDITOR], [ADMIN]


def client_of(name: str) -> Client:
    """Return the browser of a person."""
    client = Client()
    if name != STRANGER:
        client.force_login(User.objects.get_or_create(username=name)[0])
    return client


def save_for_each_audience() -> None:
    """Store a view of ada for each audience; title, note and slug name it."""
    for audience in AUDIENCES:
        a_saved_view(slug=f"for-{audience}", title=f"Title for {audience}", note="pond", audience=audience).save()
