"""How little is read of what this process holds already."""

from collections.abc import Callable

import pytest

from econweb.upstream.store import Store
from tests.upstream.asking import a_shared_store, a_store
from tests.upstream.kept_answers import Service, brought_elsewhere, keeping


@pytest.mark.parametrize(("a_place", "bytes_read"), [(a_shared_store, [8, 8, 8]), (a_store, [])])
def test_what_is_held_here_is_not_read_again(
    monkeypatch: pytest.MonkeyPatch, a_place: Callable[[], Store], bytes_read: list[int]
) -> None:
    """A set has two hundred kilobytes, and a shared cache is on another machine."""
    store, service = a_place(), Service()
    kept = keeping(store)
    kept.get("x", service.fetch)
    real, read = store.get, []

    def get(name: str) -> bytes | None:
        value = real(name)
        read.append(len(value or b""))
        return value

    monkeypatch.setattr(store, "get", get)
    answers = [kept.get("x", service.fetch)[0] for _ in range(3)]

    assert (answers, read) == (["answer 1"] * 3, bytes_read)


def test_a_stamp_that_is_lost_or_another_is_looked_for_beside_the_answer() -> None:
    store, service = a_shared_store(), Service()
    kept = keeping(store)
    kept.get("x", service.fetch)
    for change in (lambda: store.drop("x.stamp"), lambda: store.put("x.stamp", b"spoilt", 60)):
        change()
        assert kept.get("x", service.fetch)[0] == "answer 1"
    brought_elsewhere(store)
    store.drop("x.stamp")

    assert kept.get("x", service.fetch)[0] == "elsewhere"
