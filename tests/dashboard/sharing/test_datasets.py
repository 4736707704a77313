"""Series and frozen copies as datasets of schema.org: for everybody or not at all, whatever a title says."""

import json
import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from pytest_django import Settings

from econweb.dashboard.files.negotiation import MEDIA_TYPES
from econweb.library.models import ME, FrozenCopy
from tests.builders import a_series
from tests.dashboard.frozen.copies import VIEW, freeze, view
from tests.fake_service import FakeService

__all__ = ["view"]
pytestmark = pytest.mark.django_db
HOSTILE = "</script><script>alert(1)</script><!-- <script> ' \" & \u2028 \u2029 ]]> é"
BLOCK = re.compile(r'<script type="application/ld\+json">(.*?)</script>', re.DOTALL)


def dataset_of(page: str) -> dict[str, Any]:
    (block,) = BLOCK.findall(page)
    found: dict[str, Any] = json.loads(block)
    return found


@pytest.fixture
def gnpca(stand_in: FakeService) -> str:
    stand_in.seriess["GNPCA"] = [a_series() | {"popularity": 39}]
    return "/series/GNPCA/"


def test_series_page_describes_a_dataset(client: Client, gnpca: str, settings: Settings) -> None:
    settings.ECON_PROVIDER, settings.ECON_WEBSITE = "Bank of Example", "https://example.org/{series_id}"

    assert dataset_of(client.get(gnpca).text) == {
        "@context": "https://schema.org/",
        "@type": "Dataset",
        "name": "Real Gross National Product",
        "description": "Real Gross National Product: Billions of Chained 2009 Dollars, Annual, "
        "Not Seasonally Adjusted. Output of what a nation's residents own.",
        "url": "http://testserver/series/GNPCA/",
        "identifier": "GNPCA",
        "temporalCoverage": "1929-01-01/2012-01-01",
        "variableMeasured": {
            "@type": "PropertyValue",
            "name": "Real Gross National Product",
            "unitText": "Billions of Chained 2009 Dollars",
        },
        "dateModified": "2013-07-31",
        "publisher": {"@type": "Organization", "name": "Bank of Example"},
        "sameAs": "https://example.org/GNPCA",
    }


@pytest.mark.parametrize("target", [VIEW, f"{VIEW}?tag_group_id=geo", "/series/GNPCA/", "/series/?ids=GNPCA"])
def test_frozen_copy_describes_a_dataset_with_its_files(client: Client, view: str, gnpca: str, target: str) -> None:
    path = freeze(client, target)
    copy, found = FrozenCopy.objects.get(), dataset_of(client.get(path).text)
    address = f"http://testserver/frozen/{copy.pk}"
    # The rows of a view with filters have an address and a digest of their own.
    narrowed = "?tag_group_id=geo" if "geo" in target else ""

    assert (found["@type"], found["name"], found["url"]) == ("Dataset", "Tags of trade", f"{address}/{narrowed}")
    assert found["identifier"] == [f"{address}/{narrowed}", f"sha256:{copy.view_sha256}"]
    assert (found["datePublished"], found["isBasedOn"]) == (str(copy.created.date()), f"http://testserver{target}")
    assert copy.view_sha256 in found["description"]
    assert "For table 2" in found["description"]
    files = {one["contentUrl"]: one["encodingFormat"] for one in found["distribution"]}
    assert files == {f"{address}.{suffix}{narrowed}": media_type for suffix, media_type in MEDIA_TYPES.items()}


@pytest.mark.parametrize("title", [HOSTILE, "{{ 7 * 7 }}", "\\u003c/script>"])
def test_title_cannot_end_the_block_of_a_dataset(client: Client, view: str, stand_in: FakeService, title: str) -> None:
    stand_in.seriess["GNPCA"] = [a_series(title=title, notes=title) | {"popularity": 39}]
    pages = [client.get("/series/GNPCA/").text]
    pages.append(client.get(freeze(client, view, title=re.sub(r"[\u2028\u2029]", "", title))).text)

    for page in pages:
        (block,) = BLOCK.findall(page)
        assert not re.search("[<>&'\u2028\u2029]", block)
        assert page.count('<script type="application/ld+json">') == 1
    assert dataset_of(pages[0])["name"] == title


def test_long_notes_are_cut_in_a_dataset(client: Client, stand_in: FakeService) -> None:
    stand_in.seriess["GNPCA"] = [a_series(notes="word " * 2000) | {"popularity": 39}]

    assert len(dataset_of(client.get("/series/GNPCA/").text)["description"]) == 500


def test_site_for_readers_alone_describes_no_dataset(client: Client, view: str, gnpca: str, settings: Settings) -> None:
    path = freeze(client, view)
    settings.READ, settings.SIGN_IN = "signed-in", "password"
    client.force_login(User.objects.create_user("ada"))

    for address in (gnpca, path):
        page = client.get(address)
        assert page.status_code == 200
        assert BLOCK.findall(page.text) == []


def test_what_is_personal_or_in_a_frame_describes_no_dataset(client: Client, view: str, gnpca: str) -> None:
    path = freeze(client, view)
    freeze(client, view, audience=ME)

    for address in (*(f"/me/frozen/{copy.pk}/" for copy in FrozenCopy.objects.all()), f"{gnpca}?embed=1"):
        assert client.get(address).status_code == 200
        assert BLOCK.findall(client.get(address).text) == []
    assert len(BLOCK.findall(client.get(path).text)) == 1


def test_withdrawn_copy_and_list_of_tags_describe_no_dataset(client: Client, view: str) -> None:
    path = freeze(client, view)
    client.post(f"/me{path}withdraw/", {"reason": "Wrong."})

    assert BLOCK.findall(client.get(path).text + client.get(view).text) == []
