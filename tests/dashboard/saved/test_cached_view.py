"""The page of a saved view behind the response cache: how long it stays there, and that its day is stored."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.core.wsgi import get_wsgi_application
from django.utils import timezone

from econweb.library import saved_views
from econweb.library.models import SavedView
from econweb.serving.response_cache import cache_responses
from tests.dashboard.saved.test_saved_view import TARGET, change
from tests.fake_service import FakeService
from tests.library.builders import ADA, a_saved_view
from tests.serving.cacheable_site import Answer, asked

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("category_125")]


@pytest.fixture
def moment(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The clock of the response cache."""
    moment = [0.0]
    monkeypatch.setattr("econweb.serving.response_cache.time.monotonic", lambda: moment[0])
    return moment


def behind_the_cache(asked_django: list[object]) -> Callable[[], Answer]:
    """Return a function that asks for the page; the list gets the requests that the response cache passes on."""
    django = get_wsgi_application()

    def application(environ: dict[str, object], start: object) -> object:
        asked_django.append(environ["PATH_INFO"])
        return django(environ, start)  # type: ignore[arg-type]

    cached = cache_responses(application)  # type: ignore[arg-type]

    return lambda: asked(
        lambda environ, start: cached({**environ, "PATH_INFO": "/saved/trade/"}, start),
        host="testserver",
        accept_encoding="identity",
    )


def test_public_page_is_cached_until_the_row_changes(moment: list[float], stand_in: FakeService) -> None:
    a_saved_view(target=TARGET, title="Old").save()
    asked_django: list[object] = []
    get = behind_the_cache(asked_django)
    bodies = [get().body, get().body]
    moment[0] += 2
    bodies.append(get().body)
    assert len(set(bodies)) == 1
    asked_before = len(asked_django)
    change(title="New")
    moment[0] += 2

    assert b"New" in get().body
    assert asked_before < 3
    assert len(asked_django) == asked_before + 1
    saved_views.remove(ADA, "trade", SavedView.objects.get().changed)
    moment[0] += 2
    assert get().status.startswith("410")


def test_day_of_a_cached_page_is_stored_when_the_next_day_begins_in_utc(moment: list[float]) -> None:
    """Its ETag may go on, as the day of TIME_ZONE begins at another moment."""
    a_saved_view(target=TARGET).save()
    asked_django: list[object] = []
    get = behind_the_cache(asked_django)
    get()
    today = SavedView.objects.get().opened
    moment[0] += 2
    get()
    SavedView.objects.update(opened=timezone.now().date() - timedelta(days=1))
    moment[0] += 2

    assert get().status.startswith("200")
    assert SavedView.objects.get().opened == today
    assert len(asked_django) == 2
