"""The parts of a template are compiled into it."""

import jinja2
import pytest
from django.test import Client

from tests.fake_service import FakeService, a_tag

pytestmark = pytest.mark.django_db


@pytest.fixture
def looked_up(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the templates that were looked up while a page was rendered."""
    names: list[str] = []
    find = jinja2.Environment.get_template

    def note_and_find(environment: jinja2.Environment, name: str, *more: object) -> object:
        names.append(name)
        return find(environment, name, *more)  # type: ignore[arg-type]

    monkeypatch.setattr(jinja2.Environment, "get_template", note_and_find)
    return names


@pytest.mark.parametrize("link", ["/", "/category/125/tags/"])
def test_page_looks_up_no_part_by_name(client: Client, stand_in: FakeService, looked_up: list[str], link: str) -> None:
    stand_in.has("category", 125, [a_tag()])

    page = client.get(link).text

    assert 'class="search-form"' in page
    assert looked_up
    assert [name for name in looked_up if name.startswith("shared/")] == []
