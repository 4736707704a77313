"""Pages, files and citations of the sample data say what they are; a frozen copy says what it said."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.db import OperationalError, connection
from django.test import Client

from econweb.catalogue.loading import load as loading
from econweb.dashboard.sharing.citations import MEDIA_TYPES
from econweb.library.models import FrozenCopy
from econweb.search_index.titles import sample
from econweb.startup.load_catalogue import load_catalogue
from econweb.startup.prepare_database import prepare_database
from tests.builders import a_series
from tests.conftest import Loader
from tests.dashboard.frozen.copies import freeze
from tests.dashboard.reading import document, names, words
from tests.dashboard.sharing.crate import read_crate
from tests.library.exported import export, import_

pytestmark = pytest.mark.django_db(transaction=True)
SAMPLE = "The embedded catalogue (sample data that comes with econweb)"


def publisher(client: Client, link: str) -> str:
    (item,) = json.loads(client.get(link).content)
    return str(item["publisher"])


def file(client: Client, link: str) -> str:
    return client.get(link).getvalue().decode()


def test_sample_is_named_where_the_data_are_from(client: Client) -> None:
    prepare_database()

    assert words(client.get("/about/"), "//dd")[0] == SAMPLE
    assert publisher(client, "/series/GNPCA.csl") == SAMPLE
    assert f"{SAMPLE}. http" in words(client.get("/series/GNPCA/"), "//p[@id='citation']")[0]
    for link in ("/series/GNPCA.csv", "/series.csv?ids=GNPCA", "/category/125/tags.csv"):
        assert f"# service,{SAMPLE.replace('The', 'the')}\r\n" in file(client, link)


def test_sample_is_not_named_for_another_catalogue(client: Client, catalogue: Loader) -> None:
    load_catalogue(Path(loading.SAMPLE))
    catalogue(series=[a_series()])

    assert words(client.get("/about/"), "//dd")[0] == "The embedded catalogue"
    assert publisher(client, "/series/GNPCA.csl") == "The embedded catalogue"
    assert "# service,the embedded catalogue\r\n" in file(client, "/series/GNPCA.csv")


@pytest.mark.parametrize("is_sample", [True, False])
def test_database_that_fails_once_does_not_change_what_the_data_are(
    client: Client, catalogue: Loader, monkeypatch: pytest.MonkeyPatch, is_sample: bool
) -> None:
    """A file of the sample was not called one for ten seconds."""
    load_catalogue(Path(loading.SAMPLE))
    if not is_sample:
        catalogue(series=[a_series()])
    before = file(client, "/series/GNPCA.csv")

    def fail(execute: Callable[..., Any], statement: str, *rest: Any) -> Any:
        if "has_sample" in statement:
            raise OperationalError("planted: database is locked")
        return execute(statement, *rest)

    monkeypatch.setattr(sample._Memory, "good_until", 0.0)
    with connection.execute_wrapper(fail):
        during = file(client, "/series/GNPCA.csv")

    name = f"# service,{SAMPLE.replace('The', 'the')}\r\n"
    assert (name in before, name in during) == (is_sample, is_sample)


def read_copy(client: Client, path: str) -> dict[str, str]:
    """Return the files of a copy that name the service, and those of its pack."""
    files, _ = read_crate(client.get(f"{path}.zip").getvalue())
    texts = {name: files[name].decode() for name in ("README.txt", "rows.csv", "citation.txt")}
    citations = {suffix: client.get(f"{path}.{suffix}").text for suffix in MEDIA_TYPES}
    return texts | citations | {"csv": file(client, f"{path}.csv")}


@pytest.mark.parametrize("target", ["/series/GNPCA/", "/series/?ids=GNPCA", "/category/125/tags/?tag_group_id=freq"])
def test_copy_states_the_service_as_it_did(client: Client, catalogue: Loader, target: str) -> None:
    load_catalogue(Path(loading.SAMPLE))
    path = freeze(client, target, title="Category 125, Trade Balance").partition("?")[0].rstrip("/")
    before = read_copy(client, path)
    catalogue(series=[a_series()])

    assert publisher(client, f"{path}.csl") == SAMPLE
    assert all(SAMPLE[1:] in text for text in before.values())
    assert read_copy(client, path) == before
    assert words(client.get(f"{path}/"), "//dt[.='Data provider']/following-sibling::dd") == [
        SAMPLE.replace("The", "the")
    ]


def test_copy_of_another_catalogue_never_becomes_one_of_the_sample(client: Client, catalogue: Loader) -> None:
    catalogue(series=[a_series()])
    path = freeze(client, "/series/GNPCA/").rstrip("/")
    load_catalogue(Path(loading.SAMPLE))

    assert publisher(client, f"{path}.csl") == "The embedded catalogue"
    assert "# service,the embedded catalogue\r\n" in file(client, f"{path}.csv")


def test_copy_of_the_sample_stays_one_in_another_library(client: Client, tmp_path: Path) -> None:
    load_catalogue(Path(loading.SAMPLE))
    path = freeze(client, "/series/GNPCA/").rstrip("/")
    exported = export(tmp_path)
    FrozenCopy.objects.all().delete()
    import_(tmp_path, exported)

    assert publisher(client, f"{path}.csl") == SAMPLE


@pytest.mark.parametrize(
    "link",
    [
        "/",
        "/category/125/tags/",
        "/category/125/tags/?embed=1",
        "/series/?ids=GNPCA",
        "/series/GNPCA/",
        "/help/",
        "/saved/",
    ],
)
def test_pages_say_that_they_show_the_sample(client: Client, catalogue: Loader, link: str) -> None:
    load_catalogue(Path(loading.SAMPLE))
    shown = client.get(link)
    catalogue(series=[a_series()], categories=[{"category_id": "125", "name": "Trade"}])

    assert words(shown, "//footer//p[@class='sample']") == ["This site shows sample data that comes with econweb."]
    # The page has another ETag now.
    later = client.get(link, headers={"If-None-Match": shown.get("ETag", "")})
    assert later.status_code == 200
    assert "sample data" not in later.text


def test_home_sends_nobody_to_a_provider_for_numbers_of_the_sample(client: Client, catalogue: Loader) -> None:
    load_catalogue(Path(loading.SAMPLE))
    shown, explained = words(client.get("/"), "//main//p"), client.get("/help/")
    catalogue(series=[a_series()])
    later = words(client.get("/"), "//main//p")

    assert "This site shows sample data that comes with econweb. It has no observations." in shown
    assert not any("at the data provider" in text for text in (*shown, *words(explained, "//main//p")))
    assert any(text.endswith("Observations are at the data provider.") for text in later)


def test_names_to_show_are_those_of_the_day_of_the_view(client: Client) -> None:
    """On a past day, the field offered the names of today."""
    prepare_database()
    for dates, count in (("", 24), ("?as_of=2014", 18)):
        page = client.get(f"/category/125/tags/{dates}", follow=True)
        (link,) = document(page).xpath("//input[@id='add-name']/@hx-get")
        offered = document(client.get(link)).xpath("//option/@value")

        assert sorted(offered) == sorted(names(page))
        assert len(offered) == count
    missing = client.get("/category/125/tags/?as_of=2014-12-31&tag_names=no+such&order_by=name", follow=True)
    assert "“no such” is not used in this category as of 2014-12-31." in words(missing, "//section//p")


def test_names_of_no_day_are_refused(client: Client) -> None:
    prepare_database()

    assert client.get("/category/125/tags/names?as_of=2014-13").status_code == 400
