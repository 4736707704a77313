"""The appendix pack of a frozen copy: a crate with all that an appendix needs, equal for equal content."""

import csv
import hashlib
import io
import json
import re
import subprocess
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.test import Client
from pytest_django import Settings
from structlog.testing import capture_logs

from econweb.dashboard.files.responses import TEXT_FORMATS
from econweb.dashboard.sharing import pack as pack_files
from econweb.library.models import ME, Body, FrozenCopy
from tests.builders import a_series
from tests.dashboard.frozen.copies import VIEW, freeze, view
from tests.dashboard.sharing.crate import read_crate
from tests.fake_service import FakeService, a_tag, tags_of
from tests.programs import program

__all__ = ["view"]
pytestmark = pytest.mark.django_db


def pack(client: Client, path: str) -> bytes:
    answer = client.get(f"{path.partition('?')[0].rstrip('/')}.zip")
    assert answer.status_code == 200, answer.text
    return answer.getvalue()


@pytest.mark.parametrize("target", [VIEW, f"{VIEW}?tag_group_id=geo", "/series/GNPCA/", "/series/?ids=GNPCA,NONE"])
def test_pack_is_a_crate_with_everything(client: Client, stand_in: FakeService, target: str) -> None:
    stand_in.has("category", 125, [*tags_of(60), a_tag("noted", notes="A note.")])
    stand_in.seriess["GNPCA"] = [a_series() | {"popularity": 39}]
    client.get(target)
    files, entities = read_crate(pack(client, freeze(client, target)))
    copy = FrozenCopy.objects.get()

    assert hashlib.sha256(files["records.jsonl"]).hexdigest() == copy.sha256
    assert files["records.jsonl"].count(b"\n") == copy.rows
    table = [line for line in csv.reader(files["rows.csv"].decode().splitlines()) if not line[0].startswith("#")]
    assert len(table) == 1 + copy.view_rows
    rows = json.loads(files["rows.json"])
    assert f"{copy.pk}" in files["rows.tex"].decode().partition("\\end{longtable}")[2]
    assert entities["rows.tex"]["encodingFormat"] == "text/x-tex"
    assert len(rows["tags" if copy.kind == "tags" else "seriess"]) == copy.view_rows
    for suffix in ("txt", "bib", "ris", "csl"):
        assert copy.pk.encode() in files[f"citation.{suffix}"]
    filters = target.removeprefix(VIEW) if copy.view_rows < copy.rows else ""
    assert entities["./"]["identifier"] == f"http://testserver/frozen/{copy.pk}/{filters}"
    readme = files["README.txt"].decode()
    assert all(text in readme for text in (copy.title, copy.sha256, copy.view_sha256, copy.reason, "rows.csv: "))
    assert ("Missing: NONE: " in readme) == ("NONE" in target)
    assert (b"noted\nA note.\n" in files["notes.txt"]) == (copy.kind == "tags")


@pytest.mark.parametrize("target", [VIEW, "/series/GNPCA/", "/series/?ids=GNPCA,NONE"])
def test_stata_file_of_a_pack_names_the_line_of_the_columns(client: Client, stand_in: FakeService, target: str) -> None:
    stand_in.has("category", 125, tags_of(3))
    stand_in.seriess["GNPCA"] = [a_series() | {"popularity": 39}]
    client.get(target)
    files, _ = read_crate(pack(client, freeze(client, target)))
    found = re.search(r'using "rows\.csv", varnames\((\d+)\) rowrange\((\d+):\)', files["rows.do"].decode())
    lines = files["rows.csv"].decode().splitlines()

    assert found
    names, first = int(found[1]), int(found[2])
    assert all(line.startswith("# ") for line in lines[: names - 1])
    assert lines[names - 1].split(",")[0] in {"name", "id"}
    assert first == names + 1


def test_code_of_a_pack_asks_for_the_same_period_page_by_page(client: Client, stand_in: FakeService) -> None:
    stand_in.has("category", 125, tags_of(2500))
    files, _ = read_crate(pack(client, freeze(client, f"{VIEW}?order_by=name&sort_order=asc")))
    copy = FrozenCopy.objects.get()
    addresses = files["code/addresses.txt"].decode().split()

    assert [re.findall(r"limit=(\d+)&offset=(\d+)", one)[0] for one in addresses] == [
        ("1000", "0"),
        ("1000", "1000"),
        ("1000", "2000"),
    ]
    assert all(f"realtime_start={copy.realtime_start}&realtime_end={copy.realtime_end}" in one for one in addresses)
    compile(files["code/fetch.py"], "fetch.py", "exec")


def test_code_of_a_pack_asks_for_no_id_that_the_copy_lacks(client: Client, stand_in: FakeService) -> None:
    stand_in.seriess["GNPCA"] = [a_series() | {"popularity": 39}]
    client.get("/series/?ids=GNPCA,NONE")
    files, _ = read_crate(pack(client, freeze(client, "/series/?ids=GNPCA,NONE")))
    code = {name: content.decode() for name, content in files.items() if name.startswith("code/")}

    assert "Missing: NONE: " in files["README.txt"].decode()
    assert len(code) == 6
    assert all("GNPCA" in text and "NONE" not in text for text in code.values())


@pytest.mark.parametrize(
    ("address", "told"),
    [
        ("", "Ask the administrator of http://testserver/ for a key.\n"),
        ("https://api.example.org", "Ask the data provider for a key: https://api.example.org\n"),
    ],
)
def test_readme_of_a_pack_says_where_a_key_comes_from(
    client: Client, stand_in: FakeService, settings: Settings, address: str, told: str
) -> None:
    stand_in.seriess["GNPCA"] = [a_series() | {"popularity": 39}]
    settings.ECON_BASE_URL = address
    files, _ = read_crate(pack(client, freeze(client, "/series/GNPCA/")))

    assert told in files["README.txt"].decode()


def test_equal_content_gives_equal_bytes(client: Client, view: str, settings: Settings) -> None:
    path = freeze(client, view)
    first = pack(client, path)
    settings.ECON_BASE_URL = "https://elsewhere.example.org"

    assert pack(client, path) == first
    # People with an account get the same.
    assert pack(client, f"/me{path}") == first


def test_other_programs_open_the_pack(client: Client, view: str, tmp_path: Path) -> None:
    (tmp_path / "pack.zip").write_bytes(pack(client, freeze(client, view)))
    unzip, sums, read_with_r = program("unzip"), program("sha256sum"), 'cat(length(unzip("pack.zip", exdir = "r")))'

    subprocess.run([unzip, "-q", "pack.zip"], cwd=tmp_path, check=True)
    by_r = subprocess.run([program("Rscript"), "-e", read_with_r], cwd=tmp_path, check=True, capture_output=True)
    assert by_r.stdout == b"19"
    checked = subprocess.run([sums, "-c", "SHA256SUMS"], cwd=tmp_path, check=True, capture_output=True, text=True)
    assert checked.stdout.count(": OK") == 18


def test_pack_is_offered_and_cached_as_other_files_are(client: Client, stand_in: FakeService) -> None:
    stand_in.has("category", 125, tags_of(3))
    stand_in.seriess["GNPCA"] = [a_series() | {"popularity": 39}]
    for target in (VIEW, "/series/GNPCA/", "/series/?ids=GNPCA"):
        client.get(target)
        path = freeze(client, target).partition("?")[0]
        address = f"{path.rstrip('/')}.zip"
        answer, table = client.get(address), client.get(f"{path.rstrip('/')}.csv")

        assert f'<a href="{address}">Appendix pack (.zip)</a>' in client.get(path).text
        assert answer["Content-Type"] == "application/zip"
        assert answer["Content-Disposition"] == f'attachment; filename="frozen-{path.split("/")[2]}.zip"'
        assert (answer["Cache-Control"], answer["X-Robots-Tag"]) == (table["Cache-Control"], "noindex")
        assert client.get(address, headers={"if-none-match": answer["ETag"]}).status_code == 304
        assert not re.search(r"href=\"[^\"]*\.zip", client.get(target).text)


def test_stranger_gets_no_private_pack(client: Client, view: str, settings: Settings) -> None:
    freeze(client, view, audience=ME)
    copy = FrozenCopy.objects.get()
    settings.SIGN_IN = "password"
    other = Client()
    other.force_login(User.objects.create_user("bob"))

    hidden, missing = Client().get(f"/frozen/{copy.pk}.zip"), Client().get("/frozen/0000000000000.zip")
    assert (hidden.status_code, missing.status_code) == (404, 404)
    assert hidden.text.replace(copy.pk, "0" * 13) == missing.text
    assert other.get(f"/me/frozen/{copy.pk}.zip").status_code == 404


def test_pack_needs_whole_content(client: Client, view: str, settings: Settings) -> None:
    path = freeze(client, view).partition("?")[0].rstrip("/")
    Body.objects.update(packed=b"nonsense")
    assert client.get(f"{path}.zip").status_code == 503
    FrozenCopy.objects.update(body=None)
    assert client.get(f"{path}.zip").status_code == 404


def test_pack_that_fails_at_once_is_an_error_page(client: Client, view: str, monkeypatch: pytest.MonkeyPatch) -> None:
    client.raise_request_exception = False
    address = f"{freeze(client, view).partition('?')[0].rstrip('/')}.zip"
    monkeypatch.setitem(TEXT_FORMATS, "csv", replace(TEXT_FORMATS["csv"], head=fail))

    answer = client.get(address)
    assert answer.status_code == 500
    assert "Content-Disposition" not in answer


def test_pack_that_fails_half_way_is_no_zip(client: Client, view: str, monkeypatch: pytest.MonkeyPatch) -> None:
    address = f"{freeze(client, view).partition('?')[0].rstrip('/')}.zip"
    monkeypatch.setattr(pack_files, "_describe", fail)

    with capture_logs() as logs:
        answer = client.get(address).getvalue()
    assert "a pack broke off" in [line["event"] for line in logs]
    assert len(answer) > 1000
    with pytest.raises(zipfile.BadZipFile):
        zipfile.ZipFile(io.BytesIO(answer))


def fail(*_: object) -> str:
    raise RuntimeError("on purpose")
