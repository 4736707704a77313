"""Limits of a link or citation, said where it is copied: a day that is not over, and an address of this machine."""

import json
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from tests.builders import a_series
from tests.dashboard.frozen.copies import freeze
from tests.dashboard.reading import links, words
from tests.dashboard.sharing.crate import read_crate
from tests.fake_service import FakeService
from tests.library.builders import a_saved_view

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("category_125")]
VIEWS = [
    "/category/125/tags/",
    "/series/GNPCA/",
    "/series/?ids=GNPCA",
    "/compare/?a=category:125&b=release:53",
    "/compare/?a=series:GNPCA&b=series:GNPCA@2014-01-01",
]
DATED = ["/series/GNPCA/?realtime_start={0}&realtime_end={0}", "/compare/?a=category:125@{0}&b=release:53@{0}"]
SHARE = "//details[summary='Share']//li"
CITE = "//details[summary='Cite']//p[@class='menu-note']"
HERE = "The address of this site works on this machine only."


@pytest.fixture(autouse=True)
def gnpca(stand_in: FakeService) -> None:
    stand_in.seriess["GNPCA"] = [a_series() | {"popularity": 39}]


def caveat(days_ago: int = 0) -> str:
    day = timezone.localdate() - timedelta(days=days_ago)
    return f"Can be revised until {day} is over."


@pytest.mark.parametrize("view", VIEWS)
def test_link_fixed_at_today_has_a_caveat(client: Client, view: str) -> None:
    assert words(client.get(view), SHARE).count(caveat()) == 1


@pytest.mark.parametrize("view", DATED)
@pytest.mark.parametrize("days_ago", [0, 1, 2])
def test_caveat_ends_with_the_day(client: Client, settings: Settings, view: str, days_ago: int) -> None:
    day = timezone.localdate() - timedelta(days=days_ago)
    page = client.get(view.format(day))

    assert (caveat(days_ago) in words(page, SHARE)) is (days_ago == 0)
    # The day of a provider elsewhere ends up to a day later.
    settings.ECON_BASE_URL = "https://api.example.org"
    assert (caveat(days_ago) in words(client.get(view.format(day)), SHARE)) is (days_ago <= 1)


@pytest.mark.parametrize("suffix", ["bib", "ris", "csl", "txt"])
def test_file_of_a_citation_has_the_caveat(client: Client, suffix: str) -> None:
    file, past = (client.get(f"/series/GNPCA.{suffix}{query}").text for query in ("", "?as_of=2014-01-01"))

    assert file.count(caveat()) == 1
    assert "Can be revised" not in past
    # Styles print `note`, and a reader of the printed list needs no caveat.
    assert f"  annote = {{{caveat()}}}" in file or suffix != "bib"
    assert suffix != "csl" or json.loads(file)[0]["annote"] == caveat()


def test_citation_and_help_have_the_caveat(client: Client) -> None:
    past = client.get("/series/GNPCA/?realtime_start=2014-01-01&realtime_end=2014-01-01")
    explained = " ".join(words(client.get("/help/"), "//main//p"))

    assert caveat() in words(client.get("/series/GNPCA/"), CITE)
    assert words(past, CITE) == []
    assert "Values of a day can be revised until it is over at the provider" in explained


@pytest.mark.parametrize(
    ("host", "is_here"), [("127.0.0.1:8001", True), ("[::1]", True), ("portal.example.org", False)]
)
def test_address_of_this_machine_is_named_where_it_is_cited(
    client: Client, settings: Settings, host: str, is_here: bool
) -> None:
    settings.ALLOWED_HOSTS = ["*"]
    citing = client.get("/series/GNPCA/", headers={"Host": host})
    form = client.get("/me/freeze/?target=/series/GNPCA/", headers={"Host": host})

    assert (HERE in words(citing, CITE)) is is_here
    assert (HERE in " ".join(words(form, "//main//p"))) is is_here


@pytest.mark.parametrize(("host", "is_here"), [("localhost:8001", True), ("portal.example.org", False)])
def test_address_of_this_machine_is_named_in_files(
    client: Client, settings: Settings, host: str, is_here: bool
) -> None:
    """The page of a citation alone had it."""
    settings.ALLOWED_HOSTS = ["*"]
    client.get("/series/?ids=GNPCA")
    copy = freeze(client, "/series/?ids=GNPCA").rstrip("/")
    a_saved_view(kind="list", target="/series/?ids=GNPCA").save()

    for path in (copy, "/saved/trade"):
        files, _ = read_crate(client.get(f"{path}.zip", headers={"Host": host}).getvalue())
        for name in ("README.txt", "citation.txt", "citation.bib", "citation.ris", "citation.csl"):
            assert files[name].decode().count(HERE) == is_here, name
    for path in (copy, "/series/GNPCA"):
        assert client.get(f"{path}.txt", headers={"Host": host}).text.count(HERE) == is_here


def test_readers_who_look_for_cite_find_the_way(client: Client) -> None:
    tags, compared = client.get("/category/125/tags/"), client.get("/compare/?a=category:125&b=release:53")

    assert words(tags, "//button[@formaction='/me/freeze/']")[:2] == [
        "Freeze to cite",
        "Freeze for an appendix pack (.zip)",
    ]
    assert "Cite …" in words(tags, "//button[@formaction='/me/freeze/']")
    assert "To cite a comparison, freeze its sources and compare the copies." in words(compared, SHARE)
    assert links(compared)["How to cite"] == "/help/#cite"
