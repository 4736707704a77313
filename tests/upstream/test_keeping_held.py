"""What a process holds already: how little is read for it, and that nothing older takes its place."""

from collections.abc import Callable

import pytest

from econweb.upstream.keeping import Keeping
from econweb.upstream.store import Store
from tests.upstream.asking import a_shared_store, a_store
from tests.upstream.conftest import Clock
from tests.upstream.kept_answers import FRESH, STALE, Service, brought_elsewhere, keeping


@pytest.mark.parametrize(
    ("a_place", "bytes_read"), [(a_shared_store, [8, 8, 8]), (a_store, [])], ids=["shared", "its own"]
)
def test_what_is_held_here_is_not_read_again(
    monkeypatch: pytest.MonkeyPatch, a_place: Callable[[], Store], bytes_read: list[int]
) -> None:
    """A set has two hundred kilobytes, and a shared cache is on another machine."""
    store, service = a_place(), Service()
    kept = keeping(store)
    kept.get("x", service.fetch)
    read = noted(store, monkeypatch)
    answers = [kept.get("x", service.fetch)[0] for _ in range(3)]

    assert (answers, read) == (["answer 1"] * 3, bytes_read)


def noted(store: Store, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The bytes of each read."""
    read = []

    def noting(real: Callable[..., bytes | None]) -> Callable[..., bytes | None]:
        def note(*arguments: object) -> bytes | None:
            value = real(*arguments)
            read.append(len(value or b""))
            return value

        return note

    monkeypatch.setattr(store, "get", noting(store.get))
    monkeypatch.setattr(store, "beginning", noting(store.beginning))
    return read


def test_what_others_have_thrown_away_or_spoilt_is_still_held_here() -> None:
    store, service = a_shared_store(), Service()
    kept = keeping(store)
    kept.get("x", service.fetch)
    for change in (lambda: store.drop("x"), lambda: store.put("x", b"spoilt", 60)):
        change()
        assert kept.get("x", service.fetch)[0] == "answer 1"
    brought_elsewhere(store)

    assert kept.get("x", service.fetch)[0] == "elsewhere"


@pytest.mark.parametrize("a_place", [a_shared_store, a_store], ids=["shared", "its own"])
def test_what_was_read_late_does_not_take_the_place_of_what_came_meanwhile(
    hands: Clock, a_place: Callable[[], Store]
) -> None:
    """One reader reads an old answer, and while it is decoded another one brings a new one."""
    store, service = a_place(), Service()
    keeping(store).get("x", service.fetch)
    hands.moment += FRESH + 1
    meanwhile: list[str] = []

    def decode(value: bytes) -> tuple[str, int]:
        if value == b"answer 1" and not meanwhile:
            meanwhile.append("begun")
            meanwhile.append(kept.get("x", service.fetch)[0])
        return value.decode(), 1

    kept: Keeping[str] = Keeping(store, decode, FRESH, STALE, 1.0)
    late = kept.get("x", service.fetch)[0]

    assert meanwhile[-1] == late == kept.get("x", service.fetch)[0] == "answer 2"
    assert service.calls == 2
