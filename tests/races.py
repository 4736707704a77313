"""Several actions at the same time, each with its own connections."""

from collections.abc import Callable
from queue import Queue
from threading import Thread

from django.db import connections


def at_once(*actions: Callable[[], object]) -> list[object]:
    """Run each action in a thread; return what they return or raise."""
    results = Queue[object]()

    def run(action: Callable[[], object]) -> None:
        try:
            results.put(action())
        except Exception as error:
            results.put(error)
        finally:
            connections.close_all()

    threads = [Thread(target=run, args=(action,)) for action in actions]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return [results.get() for _ in threads]
