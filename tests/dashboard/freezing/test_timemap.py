"""The TimeMap and the TimeGate of a view (RFC 7089): its frozen copies for everyone, and the one of a moment."""

import re
from datetime import UTC, datetime, timedelta
from urllib.parse import quote

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from econweb.dashboard.freezing import timemap
from econweb.library.models import ME, SIGNED_IN, FrozenCopy
from tests.builders import a_series
from tests.dashboard.frozen.copies import VIEW, freeze, view
from tests.fake_service import FakeService

__all__ = ["view"]
pytestmark = pytest.mark.django_db
SITE = "http://testserver"
MAP, GATE = f"/frozen/timemap?target={VIEW}", f"/frozen/timegate?target={VIEW}"


def freeze_at(client: Client, moment: datetime, target: str = VIEW, **fields: str) -> str:
    """Return the path of the copy, as if it were of that moment."""
    path = freeze(client, target, **fields)
    FrozenCopy.objects.filter(pk=path.split("/")[-2]).update(fetched=moment)
    return path


def lines_of(text: str) -> list[tuple[str, str]]:
    """Return address and relation of each line."""
    return re.findall(r'<([^>]+)>; rel="([^"]+)"', text)


def test_timemap_lists_the_copies_of_a_view_in_order_of_time(client: Client, view: str) -> None:
    later = freeze_at(client, datetime(2026, 3, 2, tzinfo=UTC))
    first = freeze_at(client, datetime(2026, 1, 5, 12, 30, 5, tzinfo=UTC))
    between = freeze_at(client, datetime(2026, 2, 1, tzinfo=UTC))
    freeze(client, f"{view}?tag_group_id=geo")
    answer = client.get(MAP)

    encoded = quote(VIEW, safe="")
    assert answer["Content-Type"] == "application/link-format"
    assert lines_of(answer.text) == [
        (SITE + VIEW, "original"),
        (f"{SITE}/frozen/timegate?target={encoded}", "timegate"),
        (f"{SITE}/frozen/timemap?target={encoded}", "self"),
        (SITE + first, "first memento"),
        (SITE + between, "memento"),
        (SITE + later, "last memento"),
    ]
    assert 'rel="first memento"; datetime="Mon, 05 Jan 2026 12:30:05 GMT"' in answer.text
    assert 'from="Mon, 05 Jan 2026 12:30:05 GMT"; until="Mon, 02 Mar 2026 00:00:00 GMT"' in answer.text


@pytest.mark.parametrize(
    ("target", "wanted"),
    [
        (f"{VIEW}?tag_group_id=geo&limit=25", f"{VIEW}?offset=25&limit=25&tag_group_id=geo"),
        ("/series/GNPCA/?realtime_start=2020-01-01&realtime_end=2020-01-01", "/series/gnpca/?as_of=2020-01-01"),
        ("/series/?ids=GNPCA", f"{SITE}/series/?ids=GNPCA"),
    ],
)
def test_timemap_is_found_by_any_link_of_the_view(
    client: Client, view: str, stand_in: FakeService, target: str, wanted: str
) -> None:
    stand_in.seriess["GNPCA"] = [a_series() | {"popularity": 39}]
    freeze(client, target)
    copy = FrozenCopy.objects.get()

    found = lines_of(client.get("/frozen/timemap", {"target": wanted}).text)
    assert found[0] == (SITE + copy.target, "original")
    ((address, rel),) = found[3:]
    assert rel == "first last memento"
    assert client.get(address)["Memento-Datetime"] in client.get("/frozen/timemap", {"target": wanted}).text


def test_copies_that_not_everybody_may_see_are_in_no_timemap(client: Client, view: str) -> None:
    empty = client.get(MAP).text
    for audience in (ME, SIGNED_IN):
        freeze(client, view, audience=audience)
    withdrawn, expired = freeze(client, view), freeze(client, view, days="30")
    client.post(f"/me{withdrawn}withdraw/", {"reason": "Wrong."})
    FrozenCopy.objects.filter(pk=expired.split("/")[-2]).update(expires=timezone.now() - timedelta(seconds=1))

    # Editors and strangers get the same bytes, which are those of a view without copies.
    assert client.get(MAP).text == Client().get(MAP).text == empty
    assert "memento" not in empty
    assert client.get(GATE).status_code == 404
    assert client.get(GATE).text == client.get(GATE.replace("125", "126")).text


def test_copy_without_rows_is_in_no_timemap(client: Client, view: str, settings: Settings) -> None:
    settings.ECON_MAY_STORE = False
    freeze(client, view)

    assert "memento" not in client.get(MAP).text


@pytest.mark.parametrize("target", ["", "/help/", "https://other.example/category/125/tags/", "/frozen/0000000000000/"])
def test_timemap_of_no_view_is_refused_with_a_sentence(client: Client, target: str) -> None:
    for page in ("timemap", "timegate"):
        answer = client.get(f"/frozen/{page}", {"target": target})
        assert answer.status_code == 400
        assert 'role="alert"' in answer.text


def test_timemap_is_sent_again_until_a_copy_comes(client: Client, view: str) -> None:
    etag = client.get(MAP)["ETag"]
    same = client.get(MAP, headers={"If-None-Match": etag})
    freeze(client, view)
    other = client.get(MAP, headers={"If-None-Match": etag})

    assert (same.status_code, other.status_code) == (304, 200)


def test_timemap_lists_the_newest_of_many(client: Client, monkeypatch: pytest.MonkeyPatch, view: str) -> None:
    monkeypatch.setattr(timemap, "MAX_LISTED", 2)
    paths = [freeze_at(client, datetime(2026, month, 1, tzinfo=UTC)) for month in (1, 2, 3)]

    assert [address for address, rel in lines_of(client.get(MAP).text)[3:]] == [SITE + path for path in paths[1:]]


@pytest.mark.parametrize(
    ("wanted", "place"),
    [
        (None, 2),
        ("Thu, 01 Jan 2026 00:00:00 GMT", 0),
        ("Mon, 05 Jan 2026 12:30:05 GMT", 0),
        ("Sun, 01 Mar 2026 00:00:00 GMT", 1),
        ("Fri, 31 Dec 9999 23:59:59 GMT", 2),
    ],
)
def test_timegate_leads_to_the_last_copy_at_that_time(
    client: Client, view: str, wanted: str | None, place: int
) -> None:
    moments = [datetime(2026, 1, 5, 12, 30, 5, 900, tzinfo=UTC), datetime(2026, 2, 1, tzinfo=UTC), timezone.now()]
    paths = [freeze_at(client, moment) for moment in moments]
    answer = client.get(GATE, headers={"Accept-Datetime": wanted} if wanted else {})

    assert (answer.status_code, answer["Location"]) == (302, paths[place])
    assert "accept-datetime" in answer["Vary"].lower()
    assert "Memento-Datetime" not in answer
    assert lines_of(answer["Link"]) == [
        (SITE + VIEW, "original"),
        (f"{SITE}/frozen/timemap?target={quote(VIEW, safe='')}", "timemap"),
    ]


@pytest.mark.parametrize("wanted", ["soon", "2026-01-05", "Mon, 99 Jan 2026 12:30:05 GMT"])
def test_timegate_refuses_what_is_no_date(client: Client, view: str, wanted: str) -> None:
    answer = client.get(GATE, headers={"Accept-Datetime": wanted})

    assert answer.status_code == 400
    assert "Accept-Datetime: write a date such as" in answer.text


def test_live_pages_name_their_timemap(client: Client, view: str, stand_in: FakeService) -> None:
    stand_in.seriess["GNPCA"] = [a_series() | {"popularity": 39}]
    for link in (f"{view}?tag_group_id=geo", "/series/GNPCA/", "/series/?ids=GNPCA"):
        link_header = client.get(link)["Link"]
        assert f'</frozen/timemap?target={quote(link, safe=",:@")}>; rel="timemap"' in link_header
        assert client.get(re.findall(r"<([^>]+)>; rel=\"timemap\"", link_header)[0]).status_code == 200


def test_every_page_of_a_view_names_the_same_timemap(client: Client, view: str) -> None:
    heads = [client.get(f"{view}?limit=25&offset={offset}")["Link"] for offset in (0, 25)]

    assert {re.findall(r"</frozen/timemap[^>]+>", head)[0] for head in heads} == {
        f"</frozen/timemap?target={quote(f'{view}?limit=25', safe='')}>"
    }


def test_link_header_keeps_what_matters_most_of_a_long_target(client: Client, view: str) -> None:
    words = "я" * 200
    copy = FrozenCopy.objects.get(pk=freeze(client, f"{view}?search_text={words}").split("/")[2])
    head = client.get(f"/frozen/{copy.pk}/")["Link"]

    assert len(copy.target) > 1000
    assert f'<{SITE}/frozen/{copy.pk}/>; rel="cite-as"' in head
    assert f'<{SITE}{copy.target}>; rel="original"' in head
    assert 'rel="item"' in head
    assert len(head) <= 2600
