"""The page of a person says who may see a frozen copy, in the words of the forms."""

import pytest
from django.test import Client

from econweb.dashboard.entry_checks import AUDIENCE_WORDS
from econweb.library.models import EVERYONE, ME, FrozenCopy
from tests.builders import a_series
from tests.dashboard.frozen.copies import freeze
from tests.dashboard.reading import words
from tests.fake_service import FakeService, tags_of

pytestmark = pytest.mark.django_db
TOLD = AUDIENCE_WORDS | {ME: "Only local editor and the administrators"}


@pytest.mark.parametrize("audience", TOLD)
@pytest.mark.parametrize("target", ["/category/125/tags/", "/series/GNPCA/", "/series/?ids=GNPCA"])
def test_personal_page_says_who_may_see_a_copy(
    client: Client, stand_in: FakeService, target: str, audience: str
) -> None:
    stand_in.has("category", 125, tags_of(9))
    stand_in.seriess["GNPCA"] = [a_series() | {"popularity": 39}]
    path = freeze(client, target, audience=audience)
    page = client.get(f"/me/frozen/{FrozenCopy.objects.get().pk}/")

    assert f"Who may see it: {TOLD[audience]}." in " ".join(words(page, "//p[@class='facts']"))
    # The public page is for everyone, and names nobody.
    assert audience != EVERYONE or "Who may see it" not in client.get(path).text
