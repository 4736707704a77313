"""A saved view shows the live view under its title, and is cached as that is."""

from datetime import timedelta

import pytest
from django.conf import LazySettings
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from econweb.library import saved_views
from econweb.library.models import SavedView
from econweb.library.saved_views import Entry
from tests.builders import a_series
from tests.dashboard.reading import canonical, document, links, words
from tests.fake_service import FakeService
from tests.library.builders import ADA, a_saved_view

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("category_125")]
TARGET = "/category/125/tags/?tag_group_id=freq"
HAN = "語" * 200


def test_saved_view_is_the_live_view_under_its_title(client: Client) -> None:
    a_saved_view(target=TARGET, title="Frequencies", note="For table 2\nand 3").save()
    page, live = client.get("/saved/trade/"), client.get(TARGET)

    assert page.status_code == 200
    assert canonical(page) == canonical(live) == TARGET
    assert words(page, "//tbody//th") == words(live, "//tbody//th") != []
    assert words(page, "//title")[0].startswith("Frequencies · ")
    assert words(page, "//*[@id='saved-view']/p") == [
        "Frequencies",
        "For table 2and 3",
        "Saved on 2026-03-01 · Who may see it: Everyone · Open without the title · News (Atom) of what people follow",
    ]
    assert links(page)["Open without the title"] == TARGET
    assert not document(live).xpath("//*[@id='saved-view']")


def test_words_about_saved_views_hold_for_one_with_a_date(client: Client, stand_in: FakeService) -> None:
    stand_in.seriess["GNPCA"] = [a_series() | {"popularity": 39}]
    dated = "/series/GNPCA/?as_of=2015-01-01"
    a_saved_view(target="/series/GNPCA/?realtime_start=2015-01-01&realtime_end=2015-01-01", kind="series").save()
    about = [client.get("/me/save/", {"target": dated}), client.get("/saved/"), client.get("/help/")]

    assert "Fixed at 2015-01-01" in client.get("/saved/trade/").text
    for page in about:
        text = " ".join(words(page, "//main"))
        assert "always shows what" not in text
        assert "Without a date, it shows what the provider says today" in text.replace("they show", "it shows")
        assert "with one, what it said on that day" in text


def test_every_part_but_the_title_is_that_of_the_live_view(client: Client) -> None:
    a_saved_view(target=TARGET).save()
    page, live = document(client.get("/saved/trade/")), document(client.get(TARGET))
    for element in page.xpath("//*[@id='saved-view'] | //title") + live.xpath("//title"):
        element.drop_tree()

    assert page.text_content().split() == live.text_content().split()


@pytest.mark.parametrize("title", ["<script>alert(1)</script>", HAN, "</title><b>"])
def test_any_title_is_shown_as_text(client: Client, title: str) -> None:
    a_saved_view(title=title, note=title).save()
    page, listed = client.get("/saved/trade/"), client.get("/saved/")

    assert words(page, "//*[@id='saved-view']/p")[:2] == [title, title]
    assert words(listed, "//tbody//th/a") == [title]
    for each in (page, listed):
        assert not document(each).xpath("//script[not(@src)]")
        assert "<b></b>" not in each.text


@pytest.mark.parametrize("path", ["/saved/trade/", "/me/saved/trade/"])
def test_fragment_keeps_the_address_of_the_saved_view(client: Client, path: str) -> None:
    a_saved_view(target=TARGET).save()
    page = client.get(path, headers={"HX-Request": "true", "HX-Target": "main", "HX-Current-URL": "http://testserver/"})

    assert "Open without the title" in page.text
    assert 'data-canonical=""' in page.text
    assert not {"HX-Push-Url", "HX-Replace-Url"} & set(page.headers)


def test_program_gets_the_file_of_the_live_view(client: Client) -> None:
    a_saved_view(target=TARGET).save()
    file = client.get("/saved/trade/", headers={"Accept": "text/csv"})

    assert file.getvalue() == client.get("/category/125/tags.csv?tag_group_id=freq").getvalue()


def test_query_of_the_address_changes_nothing_but_the_layout(client: Client) -> None:
    a_saved_view(target=TARGET).save()

    assert canonical(client.get("/saved/trade/?tag_group_id=geo&embed=1&renew=1&form=plain")) == TARGET


@pytest.mark.usefixtures("with_passwords")
@pytest.mark.parametrize("target", ["/category/125/tags/", TARGET, "/series/?ids=GNPCA"])
def test_embedded_saved_view_is_the_embedded_live_view(
    client: Client, settings: LazySettings, stand_in: FakeService, target: str
) -> None:
    settings.FRAME_ANCESTORS = ["https://wiki.example.org"]
    stand_in.seriess["GNPCA"] = [{**a_series(), "popularity": 39}]
    a_saved_view(target=target, kind="list" if "ids" in target else "tags").save()
    client.force_login(User.objects.create_user("ada"))
    public, mine = (client.get(f"/{path}saved/trade/?embed=1") for path in ("", "me/"))
    live = client.get(f"{target}{'&' if '?' in target else '?'}embed=1")

    assert '<base target="_blank">' in public.text
    for page in (public, mine):
        assert "masthead" not in page.text
        assert words(page, "//main") == words(live, "//main")
    assert public["Content-Security-Policy"] == live["Content-Security-Policy"]
    assert "frame-ancestors 'none'" in mine["Content-Security-Policy"]


def test_embedded_saved_view_is_cached_beside_the_page(client: Client) -> None:
    a_saved_view(target=TARGET).save()
    page, embedded, again = (client.get(f"/saved/trade/{query}") for query in ("", "?embed=1", ""))
    change(title="Other")

    assert page["ETag"] != embedded["ETag"]
    assert page.content == again.content != embedded.content
    assert embedded["Vary"] == page["Vary"]
    assert "Other" in client.get("/saved/trade/?embed=1").text


@pytest.mark.usefixtures("with_passwords")
def test_embedded_saved_view_of_a_person_is_shown_to_nobody_else(client: Client) -> None:
    a_saved_view(target=TARGET, title="Private", audience="me").save()
    page = client.get("/saved/trade/?embed=1")

    assert page.status_code == 404
    assert "Private" not in page.text
    assert client.get("/me/saved/trade/?embed=1").status_code in {302, 401, 403}


def test_view_that_the_service_no_longer_has_says_so_under_its_title(client: Client) -> None:
    a_saved_view(target="/category/126/tags/", title="Gone").save()
    page = client.get("/saved/trade/")

    assert page.status_code == 404
    assert words(page, "//*[@class='saved-title']") == ["Gone"]


def change(**fields: object) -> None:
    view = SavedView.objects.get()
    entry = {**vars(saved_views.entry_of(view)), **fields}
    saved_views.change(ADA, view.slug, Entry(**entry), view.changed)


def test_etag_changes_with_the_row_and_with_the_service(client: Client, stand_in: FakeService) -> None:
    a_saved_view(target=TARGET).save()
    etag = client.get("/saved/trade/")["ETag"]
    again = client.get("/saved/trade/", headers={"If-None-Match": etag})
    change(title="Other")
    renamed = client.get("/saved/trade/", headers={"If-None-Match": etag})

    assert etag != client.get(TARGET)["ETag"]
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", etag)
    assert (renamed.status_code, words(renamed, "//*[@class='saved-title']")) == (200, ["Other"])
    assert "Cookie" not in renamed["Vary"]


def test_etag_of_the_live_view_is_another_one(client: Client) -> None:
    a_saved_view(target=TARGET).save()
    live, etag = client.get(TARGET)["ETag"], client.get("/saved/trade/")["ETag"]

    assert client.get("/saved/trade/", headers={"If-None-Match": live}).status_code == 200
    # A weak ETag matches no If-Match (RFC 9110), neither that of the live view nor its own.
    assert [client.get("/saved/trade/", headers={"If-Match": one}).status_code for one in (live, etag)] == [412, 412]


def test_day_is_stored_once_a_day(client: Client) -> None:
    today = timezone.now().date()
    a_saved_view(opened=today - timedelta(days=1)).save()
    client.head("/saved/trade/")
    before = SavedView.objects.get().opened
    client.get("/saved/trade/")
    SavedView.objects.update(changed=timezone.now())

    assert before == today - timedelta(days=1)
    assert SavedView.objects.get().opened == today
    SavedView.objects.update(opened=None)
    client.get("/me/saved/trade/")
    assert SavedView.objects.get().opened == today


@pytest.mark.parametrize(
    "target",
    [
        "/category/125/tags/",
        "/series/GNPCA/",
        "/series/?ids=GNPCA",
        "/compare/?a=category:125&b=release:53",
    ],
)
def test_menu_of_each_view_leads_to_the_form(client: Client, stand_in: FakeService, target: str) -> None:
    stand_in.seriess["GNPCA"] = [{**a_series(), "popularity": 39}]
    page = document(client.get(target))
    address = page.xpath("string(//button[.='Save this view']/@formaction)")
    form = client.get(address, {"target": page.xpath("string(//input[@name='target']/@value)")})

    assert form.status_code == 200
    assert document(form).xpath("string(//input[@name='target']/@value)") == target


@pytest.mark.usefixtures("with_passwords")
def test_edit_is_offered_to_those_who_may(client: Client) -> None:
    """The page for everyone is the same for all, and therefore offers it to nobody."""
    a_saved_view(target=TARGET).save()
    people = {name: Client() for name in ("ada", "bob", "eve")}
    for name, browser in people.items():
        browser.force_login(User.objects.create_user(name, is_superuser=name == "eve"))
    pages = {name: browser.get("/me/saved/trade/") for name, browser in people.items()}

    assert {name: "Edit" in links(page) for name, page in pages.items()} == {"ada": True, "bob": False, "eve": True}
    assert people["ada"].get(links(pages["ada"])["Edit"]).status_code == 200
    assert "Edit" not in links(client.get("/saved/trade/"))
    assert people["ada"].get("/saved/trade/").content == client.get("/saved/trade/").content


def test_days_of_a_view_are_in_utc_in_every_time_zone(client: Client) -> None:
    night = timezone.now().replace(hour=12)
    # It is the next day there.
    with timezone.override("Pacific/Kiritimati"):
        a_saved_view(created=night, changed=night).save()
        line = words(client.get("/saved/trade/"), "//*[@id='saved-view']/p")[-1]
        days = words(client.get("/me/saved/"), "//tbody//time")
        SavedView.objects.update(removed=night)
        removed = client.get("/saved/trade/").text

    assert f"Saved on {night:%Y-%m-%d}" in line
    assert days == [f"{night:%Y-%m-%d}"] * 2
    assert f"{night:%Y-%m-%d}" in removed
    assert f"{night + timedelta(days=1):%Y-%m-%d}" not in removed
