"""docs/reference.md is what the program gives."""

import re
from pathlib import Path

import pytest
from django.http import QueryDict
from django.test import Client
from prometheus_client import REGISTRY

from econweb.dashboard.urls import urlpatterns
from tests import reference
from tests.fake_service import FakeService, a_tag
from tests.reference_parameters import FORMS, ON_EVERY_PAGE, WITHOUT_FORM

PAGES = Path(reference.ROOT, "econweb", "dashboard")
READ = re.compile(r"""(?:GET|given)\.get\("(\w+)"|"(\w+)" (?:not )?in request\.GET""")


@pytest.mark.django_db
def test_reference_is_what_the_program_gives() -> None:
    written = reference.DOCUMENT.read_text(encoding="utf-8")

    assert written == reference.write_reference(), f"docs/reference.md is old: {reference.COMMAND} writes it again."


def test_each_parameter_that_a_view_reads_is_in_the_reference() -> None:
    named = {*ON_EVERY_PAGE, *(name for names in WITHOUT_FORM.values() for name in names)}
    named |= {name for form in FORMS.values() for name in form(QueryDict()).fields}

    read = {first or second for file in PAGES.rglob("*.py") for first, second in READ.findall(file.read_text("utf-8"))}
    assert len(read) > 10
    assert read - named == set()


def test_parameters_are_those_of_addresses() -> None:
    assert {*FORMS, *WITHOUT_FORM} <= {one.name for one in urlpatterns}


def test_each_table_of_parsers_belongs_to_an_address() -> None:
    """A page with a query of its own has its parameters in the reference."""
    parsing = {file.parent.name for file in PAGES.rglob("*.py") if "\nPARSERS" in file.read_text(encoding="utf-8")}
    text = Path(reference.ROOT, "tests", "reference_parameters.py").read_text(encoding="utf-8")

    assert [folder for folder in sorted(parsing) if f"econweb.dashboard.{folder}" not in text] == []


def test_each_metric_of_the_client_library_has_a_beginning_that_the_reference_names() -> None:
    metrics = (reference.ROOT / "docs/reference.md").read_text(encoding="utf-8").partition("\n## Metrics\n")[2]
    named = ("econweb_", *re.findall(r"`(\w+_)\*`", metrics))

    assert [family.name for family in REGISTRY.collect() if not family.name.startswith(named)] == []


@pytest.mark.django_db
@pytest.mark.parametrize("address", ["", "code", "names", "profile"])
def test_addresses_of_tags_take_the_parameters_of_the_reference(
    client: Client, stand_in: FakeService, address: str
) -> None:
    """It listed the parameters of the page for the names, which took none of them."""
    stand_in.has("category", 125, [a_tag()])
    written = reference.DOCUMENT.read_text(encoding="utf-8")
    (row,) = re.findall(rf"\| `/<kind>/<number>/tags/{address}` \|.*\|(.*)\|\n", written)
    listed = re.findall(r"`(\w+)`", row)

    assert "as_of" in listed
    for name in FORMS["tags"](QueryDict()).fields:
        answer = client.get(f"/category/125/tags/{address}", {name: "x" * 9999}, follow=True)
        assert answer.status_code == (400 if name in listed else 200), name
