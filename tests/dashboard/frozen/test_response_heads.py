"""The head of a frozen copy: what to cite, of what it is a copy and of when, and where its files are."""

import re
from datetime import UTC, datetime
from urllib.parse import quote

import pytest
from django.http.response import HttpResponseBase
from django.test import Client
from pytest_django import Settings

from econweb.dashboard.files.negotiation import MEDIA_TYPES
from econweb.dashboard.sharing import citations
from econweb.library.models import ME, Body, FrozenCopy
from tests.builders import a_series
from tests.dashboard.frozen.copies import VIEW, freeze, view
from tests.fake_service import FakeService

__all__ = ["view"]
pytestmark = pytest.mark.django_db
SITE = "http://testserver"


def links_of(head: str, rel: str) -> list[str]:
    return re.findall(rf'<([^>]+)>; rel="{rel}"', head)


def is_memento(answer: HttpResponseBase) -> bool:
    return "Memento-Datetime" in answer or "Link" in answer


def test_page_of_a_copy_says_what_to_cite_and_where_its_files_are(client: Client, view: str) -> None:
    path = freeze(client, view)
    FrozenCopy.objects.update(fetched=datetime(2026, 3, 1, 12, 30, 5, tzinfo=UTC))
    answer = client.get(f"{path}?tag_group_id=geo")
    head, files = answer["Link"], path.rstrip("/")

    assert answer["Memento-Datetime"] == "Sun, 01 Mar 2026 12:30:05 GMT"
    assert links_of(head, "cite-as") == [SITE + path]
    assert links_of(head, "original") == [SITE + VIEW]
    assert links_of(head, "timemap") == [f"{SITE}/frozen/timemap?target={quote(VIEW, safe='')}"]
    assert links_of(head, "timegate") == [f"{SITE}/frozen/timegate?target={quote(VIEW, safe='')}"]
    assert links_of(head, "describedby") == [f"{files}.{suffix}" for suffix in citations.MEDIA_TYPES]
    assert links_of(head, "item") == [f"{files}.{suffix}" for suffix in (*MEDIA_TYPES, "zip")]
    assert links_of(head, "alternate") == [f"{files}.{suffix}?tag_group_id=geo" for suffix in MEDIA_TYPES]
    for link in links_of(head, "item") + links_of(head, "describedby"):
        answer = client.get(link)
        assert f'{answer["Content-Type"].partition(";")[0]}"' in head
        answer.close()


@pytest.mark.parametrize("target", [VIEW, "/series/GNPCA/", "/series/?ids=GNPCA"])
def test_every_file_of_a_copy_leads_to_the_copy(client: Client, view: str, stand_in: FakeService, target: str) -> None:
    stand_in.seriess["GNPCA"] = [a_series() | {"popularity": 39}]
    path = freeze(client, target)
    page = client.get(path)

    for suffix in MEDIA_TYPES:
        answer = client.get(f"{path.rstrip('/')}.{suffix}")
        assert links_of(answer["Link"], "cite-as") == links_of(page["Link"], "cite-as") == [SITE + path]
        assert links_of(answer["Link"], "collection") == [path]
        assert links_of(answer["Link"], "original") == [SITE + target]
        assert answer["Memento-Datetime"] == page["Memento-Datetime"]
        assert links_of(answer["Link"], "item") == []
        answer.close()
    assert links_of(client.get(path, headers={"Accept": "text/csv"})["Link"], "collection") == [path]


def test_head_is_the_same_for_who_has_the_page_already(client: Client, view: str) -> None:
    path = freeze(client, view)
    first = client.get(path)
    again = client.get(path, headers={"If-None-Match": first["ETag"]})

    assert again.status_code == 304
    assert (again["Link"], again["Memento-Datetime"]) == (first["Link"], first["Memento-Datetime"])


def test_head_of_a_private_copy_leads_to_no_public_list(client: Client, view: str) -> None:
    freeze(client, view, audience=ME)
    copy = FrozenCopy.objects.get()
    answer = client.get(f"/me/frozen/{copy.pk}/")
    hidden, other = client.get(f"/frozen/{copy.pk}/"), client.get("/frozen/0000000000000/")

    assert links_of(answer["Link"], "cite-as") == [f"{SITE}/frozen/{copy.pk}/"]
    assert links_of(answer["Link"], "item")[0] == f"/me/frozen/{copy.pk}.csv"
    assert "time" not in answer["Link"]
    assert hidden.status_code == 404
    assert dict(hidden.headers) | {"X-Request-ID": ""} == dict(other.headers) | {"X-Request-ID": ""}
    assert not is_memento(hidden)


def test_withdrawn_copy_is_no_memento(client: Client, view: str) -> None:
    path = freeze(client, view)
    client.post(f"/me{path}withdraw/", {"reason": "Wrong."})

    for address in (path, f"{path.rstrip('/')}.csv", f"{path.rstrip('/')}.bib", f"{path}check"):
        answer = client.get(address)
        assert answer.status_code == 410
        assert not is_memento(answer)


def test_damaged_copy_is_no_memento(client: Client, view: str) -> None:
    path = freeze(client, view)
    Body.objects.update(packed=b"nonsense")

    assert client.get(path).status_code == 503
    assert not is_memento(client.get(path))


def test_copy_without_rows_has_an_address_and_no_moment_of_content(
    client: Client, view: str, settings: Settings
) -> None:
    settings.ECON_MAY_STORE = False
    path = freeze(client, view)
    answer = client.get(path)

    assert links_of(answer["Link"], "cite-as") == [SITE + path]
    assert links_of(answer["Link"], "item") == []
    assert len(links_of(answer["Link"], "describedby")) == 4
    assert "Memento-Datetime" not in answer


def test_fragment_and_wrong_value_of_a_copy_keep_their_heads_short(client: Client, view: str) -> None:
    path = freeze(client, view)
    fragment = client.get(f"{path}?search_text={'x' * 200}", headers={"HX-Request": "true", "HX-Target": "results"})
    wrong = client.get(f"{path}?limit=x")

    assert sum(len(fragment.get(name, "")) for name in ("Link", "HX-Push-Url")) <= 2600
    assert "HX-Push-Url" in fragment
    assert wrong.status_code == 400
    assert not is_memento(wrong)


def test_moment_of_a_copy_is_that_of_its_content(client: Client, view: str) -> None:
    path = freeze(client, view)
    FrozenCopy.objects.update(
        created=datetime(2026, 3, 1, 14, tzinfo=UTC), fetched=datetime(2026, 3, 1, 12, 30, 5, tzinfo=UTC)
    )
    answer, listed = client.get(path), client.get("/frozen/timemap", {"target": VIEW}).text

    assert answer["Memento-Datetime"] == "Sun, 01 Mar 2026 12:30:05 GMT"
    assert 'datetime="Sun, 01 Mar 2026 12:30:05 GMT"' in listed
