"""The page of the check: other pages lead to it, it explains itself, and its rows lead to the series."""

import pytest
import yaml
from django.contrib.auth.models import User
from django.test import Client
from pytest_django import Settings

from econweb.accounts.tokens import renew_token
from econweb.dashboard.id_check.verdicts import VERDICTS
from tests.accounts.signed_in import PASSWORD
from tests.conftest import Loader
from tests.dashboard.id_check.records import current
from tests.dashboard.reading import links, rows_of, words
from tests.fake_service import FakeService

pytestmark = pytest.mark.django_db


def test_home_list_and_help_lead_to_the_check(client: Client, stand_in: FakeService) -> None:
    stand_in.seriess = {"A": [current("A")]}

    assert links(client.get("/"))["Check series ids"] == "/check/"
    assert links(client.get("/help/"))["Paste the ids of your code"] == "/check/"
    button = "//button[@formaction='/check/'][@form=//form[textarea or .//textarea]/@id]"
    assert words(client.get("/series/?ids=A,B"), button) == ["Check series ids"]
    assert words(client.get("/series/?ids=A&embed=1"), button) == []
    # The button sends the form of the list.
    sent = client.get("/check/?form=plain&ids=A+B&columns=title&as_of=&realtime_start=&realtime_end=")
    assert sent["Location"] == "/check/?ids=A,B"


def test_row_leads_to_its_series_unless_it_is_gone(client: Client, stand_in: FakeService) -> None:
    stand_in.seriess = {"A": [current("A")]}
    found = links(client.get("/check/?ids=A,NONE"))

    assert found["A"] == "/series/A/"
    assert "NONE" not in found


def test_misspelt_id_leads_to_a_check_of_those_that_are_close(client: Client, catalogue: Loader) -> None:
    catalogue(series=[current("GNPCA"), current("UNRATE")])
    page = client.get("/check/?ids=GNPCB,UNRATE&since=2025-01-01")

    assert links(page)["GNPCA?"] == "/check/?ids=GNPCA,UNRATE&since=2025-01-01"
    assert "?" not in "".join(words(client.get("/check/?ids=UNRATE"), "//table//a"))
    # One that is there already would only go from the check.
    both = client.get("/check/?ids=GNPCB,GNPCA&since=2025-01-01")
    assert "GNPCA?" not in links(both)
    assert "Did you mean GNPCA, which is in your list?" in words(both, "//td[@class='why']")[0]


def test_id_that_is_not_known_is_not_found_on_page_and_in_files(client: Client, stand_in: FakeService) -> None:
    stand_in.seriess = {"A": [current("A")]}
    page = client.get("/check/?ids=A,NONE&since=2025-01-01")

    assert words(page, "//tbody//td[1]") == ["Not found", "Fine"]
    assert "1 not found" in " ".join(words(page, "//*[@role='status']"))
    assert rows_of(client, "/check.csv?ids=NONE")[0]["verdict"] == "not found"


def test_files_name_the_ids_that_may_be_meant(client: Client, catalogue: Loader) -> None:
    catalogue(series=[current("GNPCA"), current("UNRATE")])
    reasons = {row["id"]: row["reason"] for row in rows_of(client, "/check.csv?ids=GNPCB,UNRTAE,UNRATE,ZZ9")}

    assert reasons["GNPCB"].endswith("the id is misspelt. Did you mean GNPCA?")
    assert reasons["UNRTAE"].endswith("the id is misspelt. Did you mean UNRATE?")
    assert reasons["ZZ9"].endswith("the id is misspelt.")


def test_known_file_is_sent_again_once_another_id_may_be_meant(client: Client, stand_in: FakeService) -> None:
    stand_in.seriess["XQZAB1"] = [current("XQZAB1")]
    link = "/check.csv?ids=XQZAB2"
    known = {"If-None-Match": client.get(link)["ETag"]}
    before = client.get(link, headers=known)
    client.get("/series/XQZAB1/")

    assert before.status_code == 304
    assert "Did you mean XQZAB1?" in client.get(link, headers=known).getvalue().decode()


def test_row_has_the_title_and_the_day_of_the_last_update(client: Client, stand_in: FakeService) -> None:
    stand_in.seriess = {"A": [current("A", title="Output", last_updated="2026-01-31 07:50:04-05")]}
    page = client.get("/check/?ids=A")

    assert words(page, "//td[@class='why']/bdi") == ["Output"]
    assert words(page, "//td[@class='updated']/time") == ["2026-01-31"]
    assert "07:50" not in page.text


def test_headers_sort_and_lead_back_to_the_worst(client: Client, stand_in: FakeService) -> None:
    stand_in.seriess = {"A": [current("A")]}
    page = client.get("/check/?ids=A,NONE&since=2025-01-01&order_by=id&sort_order=asc")

    assert links(page)["Verdict"] == "/check/?ids=A,NONE&since=2025-01-01"
    assert links(page)["Series"] == "/check/?ids=A,NONE&since=2025-01-01&order_by=id&sort_order=desc"
    assert words(page, "//th[@aria-sort='ascending']") == ["Series"]


def test_snippets_check_the_ids_of_the_page(client: Client, stand_in: FakeService) -> None:
    empty, shown = client.get("/check/"), client.get("/check/?ids=A&since=2025-02-03")

    assert words(empty, "//details[not(@open)]/summary") == ["Use in continuous integration"]
    for page, ids, since in ((empty, "GDP,UNRATE", "2025-01-01"), (shown, "A", "2025-02-03")):
        code = words(page, "//section[@class='snippet']/pre")
        assert len(code) == 2
        for one in code:
            assert "http://testserver/check.json" in one
            assert ids in one
            assert since in one


def sign_in(client: Client) -> None:
    User.objects.create_user("ada", password=PASSWORD)
    client.post("/sign-in/", {"username": "ada", "password": PASSWORD})


def test_steps_send_a_token_where_people_sign_in_first(
    client: Client, stand_in: FakeService, settings: Settings
) -> None:
    settings.SIGN_IN = "password"
    public = client.get("/check/")
    settings.READ = "signed-in"
    sign_in(client)
    private = client.get("/check/")
    settings.MCP = False
    without = client.get("/check/")

    assert "TOKEN" not in public.text
    assert links(private)["Make a token"] == "/me/assistants/"
    assert ["ECONWEB_TOKEN" in code for code in words(private, "//pre")] == [True, True]
    assert "it has no tokens for programs" in without.text


def test_token_opens_the_files_of_the_check_and_nothing_else(
    client: Client, stand_in: FakeService, settings: Settings
) -> None:
    settings.READ, settings.SIGN_IN = "signed-in", "password"
    stand_in.seriess = {"A": [current("A")]}
    User.objects.create_user("ada", password=PASSWORD)
    sent = {"Authorization": f"Bearer {renew_token('ada')}"}

    assert client.get("/check.json?ids=A", headers=sent).status_code == 200
    assert client.get("/check.csv?ids=A", headers=sent)["Cache-Control"] == "private, no-cache"
    for path in ("/check/?ids=A", "/series.json?ids=A", "/me/", "/checks", "/"):
        assert client.get(path, headers=sent).status_code in {302, 403}, path
    for wrong in ({}, {"Authorization": "Bearer x"}, {"Authorization": sent["Authorization"].removeprefix("Bearer ")}):
        assert client.get("/check.json?ids=A", headers=wrong | {"Accept": "application/json"}).status_code == 403
    User.objects.update(is_active=False)
    assert client.get("/check.json?ids=A", headers=sent | {"Accept": "application/json"}).status_code == 403


def test_token_opens_nothing_where_assistants_are_off(
    client: Client, stand_in: FakeService, settings: Settings
) -> None:
    settings.READ, settings.SIGN_IN, settings.MCP = "signed-in", "password", False
    User.objects.create_user("ada", password=PASSWORD)
    headers = {"Authorization": f"Bearer {renew_token('ada')}", "Accept": "application/json"}

    assert client.get("/check.json?ids=A", headers=headers).status_code == 403


def test_usage_names_every_verdict(settings: Settings) -> None:
    usage = (settings.BASE_DIR / "docs/usage.md").read_text(encoding="utf-8")

    assert [verdict for verdict in VERDICTS if f"`{verdict}`" not in usage] == []


def test_embedded_check_is_the_table_alone(client: Client, stand_in: FakeService) -> None:
    page = client.get("/check/?ids=A&embed=1")

    assert (len(words(page, "//table")), words(page, "//form | //pre")) == (1, [])


def test_description_names_every_verdict(settings: Settings) -> None:
    described = yaml.safe_load((settings.BASE_DIR / "docs/openapi.yaml").read_text(encoding="utf-8"))

    assert described["components"]["schemas"]["Check"]["properties"]["verdict"]["enum"] == list(VERDICTS)
