"""From the home page by links alone to every category, release and tag."""

from urllib.parse import parse_qs, unquote, urlsplit

import pytest
from django.test import Client

from econweb.label_book.storing import offer_labels
from econweb.startup.supplied_labels import sample_labels
from tests.dashboard.reading import document
from tests.search_index.tags.test_similar import SAMPLE, sample_index

pytestmark = pytest.mark.django_db
__all__ = ["sample_index"]
# Lists lead on to their other parts and to branches of the tree; other orders have the same rows.
PARAMETERS = {"offset", "at"}


def leads_on(link: str) -> bool:
    parts = urlsplit(link)
    is_list = parts.path == "/" or (parts.path.startswith("/browse/") and parts.path.endswith("/"))
    return is_list and parse_qs(parts.query).keys() <= PARAMETERS


def walk(client: Client) -> set[str]:
    """Return the address of every link that is found from the home page on, without JavaScript."""
    found, left = {"/"}, ["/"]
    while left:
        page = client.get(left.pop())
        assert page.status_code == 200
        new = {str(link) for link in document(page).xpath("//a/@href")} - found
        found |= new
        left += filter(leads_on, new)
    return found


@pytest.mark.slow
@pytest.mark.usefixtures("sample_index")
def test_every_category_release_and_tag_is_reached_by_links_alone(client: Client) -> None:
    known = [*sample_labels()]
    offer_labels(known)
    found = {unquote(urlsplit(link).path) for link in walk(client)}

    # Category 0, the root, has no tags.
    with_tags = [label for label in known if (label.kind, label.number) != ("category", 0)]
    assert {f"/{label.kind}/{label.number}/tags/" for label in with_tags} <= found
    assert {f"/tag/{name}/" for counts in SAMPLE.counts.values() for name in counts} <= found
