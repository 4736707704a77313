"""Frozen copies on pages: freeze a view, open, filter and export the copy, change and withdraw it."""

import json
import re
from datetime import UTC, datetime

import pytest
from django.test import Client
from pytest_django import Settings

from econweb.accounts.models import Change
from econweb.library.models import ME, SIGNED_IN, Body, FrozenCopy
from tests.builders import a_series
from tests.dashboard.frozen.copies import freeze, view
from tests.dashboard.reading import alert
from tests.fake_service import FakeService, a_tag

pytestmark = pytest.mark.django_db
__all__ = ["view"]


def test_form_proposes_the_title_of_the_view(client: Client, view: str) -> None:
    page = client.get("/me/freeze/", {"target": f"{view}?tag_group_id=geo"}).text

    assert 'value="Category 125 · ' in page
    assert "and all 60 rows without its filters" in page


def test_copy_shows_the_view_after_the_service_changed(client: Client, view: str, stand_in: FakeService) -> None:
    path = freeze(client, view)
    stand_in.has("category", 125, [a_tag("another")])
    page = client.get(path).text

    assert re.fullmatch(r"/frozen/[0-9a-z]{13}/", path)
    assert "Tags of trade" in page
    assert "For table 2" in page
    assert "Frozen by <bdi>local editor</bdi>" in client.get(f"/me{path}").text
    assert body_of(page).count("<tr") == 50
    assert "another" not in page


def test_copy_is_of_its_day_and_never_of_today(client: Client, view: str) -> None:
    page = client.get(f"{freeze(client, view)}?search_text=tag").text

    assert re.search(rf"as of</a>\s*<time>{FrozenCopy.objects.get().realtime_end}</time>", page)
    assert 'data-period=""' in page


@pytest.mark.parametrize(
    "query",
    ["tag_group_id=geo", "order_by=name&sort_order=asc", "limit=25&offset=25", "tag_names=tag+3", "search_text=tag"],
)
def test_filters_order_and_pages_are_those_of_the_live_view(client: Client, view: str, query: str) -> None:
    path = freeze(client, view)

    for suffix in ("json", "csv", "md"):
        live = client.get(f"{view.rstrip('/')}.{suffix}?{query}").getvalue().decode()
        frozen = client.get(f"{path.rstrip('/')}.{suffix}?{query}").getvalue().decode()
        assert rows(frozen, suffix) == rows(live, suffix)
    assert body_of(client.get(f"{path}?{query}").text).replace(path, view) == body_of(
        client.get(f"{view}?{query}").text
    )


def body_of(page: str) -> str:
    """Return the rows of a table as HTML."""
    return page.partition("<tbody")[2].partition("</tbody>")[0]


def rows(text: str, suffix: str) -> object:
    if suffix == "json":
        return json.loads(text)["tags"]
    return [line for line in text.splitlines() if not line.startswith(("#", "Source", "- ", "**"))][-10:]


def test_links_of_a_copy_stay_within_the_copy(client: Client, view: str) -> None:
    path = freeze(client, view)
    page = client.get(path).text
    form = page.partition('<form id="view"')[2].partition("</form>")[0]

    assert f'action="{path}"' in page
    assert f"{path}?tag_group_id=freq" in form
    assert f'hx-get="{path}names"' in form
    assert "renew=1" not in form
    assert "realtime_start" not in form
    assert client.get(f"{path}names").status_code == 200
    assert client.get(f"{path}profile").status_code == 200


def test_period_is_no_part_of_a_copy(client: Client, view: str) -> None:
    path = freeze(client, view)

    answer = client.get(f"{path}?as_of=2020-01-01&limit=25")
    assert (answer.status_code, answer["Location"]) == (302, f"{path}?limit=25")


def test_id_is_found_as_people_type_it(client: Client, view: str) -> None:
    path = freeze(client, view)

    answer = client.get(path.upper().replace("/FROZEN/", "/frozen/"))
    assert answer.status_code in {200, 302}
    assert answer.get("Location", path) == path


@pytest.mark.parametrize(
    "target",
    [
        "",
        "/",
        "/about/",
        "https://example.org/category/125/tags/",
        "/category/125/tags/?limit=x",
        "/series/",
        "/frozen/0/",
        "http://[",
        "//[::1",
        "/compare/?a=category:125&b=release:53",
    ],
)
def test_what_is_no_view_is_refused_with_a_sentence(client: Client, view: str, target: str) -> None:
    answer = client.get("/me/freeze/", {"target": target})

    assert answer.status_code == 400
    assert 'role="alert"' in answer.text
    assert re.search("can be kept|cannot be kept|cannot be frozen|Rows per page", answer.text)


def test_owner_changes_title_and_audience(client: Client, view: str) -> None:
    path = freeze(client, view)
    copy = FrozenCopy.objects.get()
    answer = client.post(
        f"/me/frozen/{copy.pk}/edit/",
        {"title": "Another", "reason": "", "audience": SIGNED_IN, "seen": copy.changed.isoformat()},
    )

    assert (answer.status_code, answer["Location"]) == (302, f"/me/frozen/{copy.pk}/")
    assert "Another" in client.get(f"/me/frozen/{copy.pk}/").text
    assert client.get(path).status_code == 404
    assert Change.objects.filter(kind="frozen copy", verb="changed").count() == 1


def test_withdrawn_copy_says_who_when_and_why(client: Client, view: str) -> None:
    path = freeze(client, view)
    copy = FrozenCopy.objects.get()
    assert client.post(f"/me/frozen/{copy.pk}/withdraw/", {"reason": ""}).status_code == 400
    client.post(f"/me/frozen/{copy.pk}/withdraw/", {"reason": "The wrong category."})

    for address in (path, f"{path}names", f"{path.rstrip('/')}.csv", f"/me{path}"):
        answer = client.get(address)
        assert answer.status_code == 410
        assert f"It was withdrawn{' by local editor' if address.startswith('/me/') else ''} on" in answer.text
        assert "The wrong category." in answer.text
    assert Body.objects.count() == 0


def test_copy_names_the_minute_until_which_it_is_kept(client: Client, view: str) -> None:
    path = freeze(client, view, days="30")
    shown = client.get(path).text
    assert f"{FrozenCopy.objects.get().expires:%Y-%m-%d %H:%M} UTC</time>. " in shown.partition(", kept until ")[2]
    FrozenCopy.objects.update(expires=datetime(2026, 1, 31, 0, 5, tzinfo=UTC))
    assert client.get(path).status_code == 410
    assert "“Tags of trade” was kept until 2026-01-31 00:05 UTC." in alert(client.get(path))


def test_damaged_copy_is_not_shown(client: Client, view: str) -> None:
    path = freeze(client, view)
    Body.objects.update(packed=b"nonsense")

    answer = client.get(path)
    assert answer.status_code == 503
    assert "This frozen copy is damaged" in answer.text


def test_site_that_stores_nothing_shows_what_digests_prove(client: Client, view: str, settings: Settings) -> None:
    settings.ECON_MAY_STORE = False
    path = freeze(client, view)

    page = client.get(path).text
    assert FrozenCopy.objects.get().sha256 in page
    assert "They cannot give the rows back, so there is no comparison with today." in page
    assert "tag 3" not in page


def test_copy_that_is_not_for_all_looks_like_none(client: Client, view: str) -> None:
    freeze(client, view, audience=ME)
    hidden, other = FrozenCopy.objects.get().pk, "0" * 13
    for end in ("/", ".csv", "/names", "/profile"):
        answers = [client.get(f"/frozen/{one}{end}") for one in (hidden, other)]
        assert [answer.status_code for answer in answers] == [404, 404]
        assert answers[0].text.replace(hidden, other) == answers[1].text
    assert client.get(f"/me/frozen/{hidden}/").status_code == 200


def test_series_is_frozen_with_its_versions(client: Client, stand_in: FakeService) -> None:
    older = a_series(title="Older", realtime_end="2014-12-31") | {"popularity": 1}
    stand_in.seriess["GNPCA"] = [older, a_series(realtime_start="2015-01-01") | {"popularity": 39}]
    target = "/series/GNPCA/?realtime_start=2010-01-01&realtime_end=2020-01-01"
    path = freeze(client, target)
    live = client.get("/series/GNPCA.json" + target.partition("/?")[2].join(["?", ""])).getvalue()
    stand_in.seriess.clear()

    page = client.get(path).text
    assert "Real Gross National Product" in page
    assert "Older" in page
    assert json.loads(client.get(f"{path.rstrip('/')}.json").getvalue())["seriess"] == json.loads(live)["seriess"]


def test_series_list_is_frozen_with_what_it_lacks(client: Client, stand_in: FakeService) -> None:
    for series_id in ("GNPCA", "UNRATE"):
        stand_in.seriess[series_id] = [a_series(id=series_id, title=f"Title of {series_id}") | {"popularity": 39}]
    path = freeze(client, "/series/?ids=UNRATE,NOTHING,GNPCA&columns=title,units")
    stand_in.seriess.clear()
    page = client.get(path).text

    assert re.findall(r"Title of \w+", page) == ["Title of UNRATE", "Title of GNPCA"]
    assert "Not in this copy: NOTHING: " in page
    sorted_page = client.get(f"{path}?order_by=id").text
    assert re.findall(r"Title of \w+", sorted_page) == ["Title of GNPCA", "Title of UNRATE"]
    assert f"{path}?columns=title,units&amp;order_by=title" in page
    assert client.get(f"{path.rstrip('/')}.csv").getvalue().decode().count("Title of") == 2


def test_view_of_a_copy_is_one_click_away(client: Client, view: str) -> None:
    path = freeze(client, f"{view}?tag_names=tag+0003&realtime_start=2020-01-01&realtime_end=2020-01-01")
    page = client.get(path.partition("?")[0]).text

    assert path.endswith("/?tag_names=tag+0003")
    assert f'<a href="{path}">The view that was frozen</a> has 1 of 60 rows.' in page
    assert body_of(client.get(path).text).count("<tr") == 1


def test_search_engines_pass_over_copies(client: Client, view: str) -> None:
    path = freeze(client, view)

    for address in (path, f"{path.rstrip('/')}.json", "/frozen/0000000000000/"):
        assert client.get(address)["X-Robots-Tag"] == "noindex"


@pytest.mark.parametrize("target", ["/category/125/tags/?tag_group_id=geo", "/series/GNPCA/", "/series/?ids=GNPCA"])
def test_copy_is_embedded_as_a_live_view_is(client: Client, view: str, stand_in: FakeService, target: str) -> None:
    stand_in.seriess["GNPCA"] = [a_series() | {"popularity": 39}]
    path = freeze(client, target)
    page = client.get(path + ("&" if "?" in path else "?") + "embed=1")

    assert page.status_code == 200
    assert "Tags of trade" in page.text
    assert "Export" not in page.text
    assert "Proof" not in page.text
    assert "/me/" not in page.text
    assert f'href="{path.replace("&", "&amp;")}"' in page.text
