"""The names in a mail: those of series, and that of the site in its Message-ID."""

import pytest
from pytest_django import Settings

from econweb.search_index.models import SeriesTitle
from econweb.search_index.titles.source_names import name_in_mails
from econweb.watching.mail_text import write_mail
from econweb.watching.news import find_news, read_items
from tests.watching.news_builders import MONDAY, a_subscriber, an_announcement, follow

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("may_store", "name"), [(True, "\nGNPCA · Real national product: changed\n"), (False, "\nGNPCA: changed\n")]
)
def test_mail_names_a_series_by_its_title_where_texts_may_be_stored(
    settings: Settings, may_store: bool, name: str
) -> None:
    SeriesTitle.objects.create(place=1, series_id="GNPCA", title="Real national product", popularity=1)
    settings.ECON_MAY_STORE = may_store
    row = a_subscriber("ada")
    follow("ada", an_announcement())

    mail = write_mail(row, MONDAY.date(), read_items(find_news(person="ada"), name_in_mails), 1)

    assert name in str(mail.body)
    assert name_in_mails([("release", "53")])["release", "53"].endswith("Release 53")


@pytest.mark.parametrize("host", ["portal.example.org", "[2001:db8::1]", "127.0.0.1"])
def test_message_id_names_the_host(settings: Settings, host: str) -> None:
    settings.ALLOWED_HOSTS = [host]

    message = write_mail(a_subscriber("ada"), MONDAY.date(), [], 1).message()

    assert message["Message-ID"].endswith(f"@{host}>")
