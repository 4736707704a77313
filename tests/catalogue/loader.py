"""Loads folders, each in a child that is killed: seconds after its first statement, or at one of them."""

import os
import signal
import sys
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import django
from django.conf import settings
from django.db import connection

django.setup()

from econweb.startup.load_catalogue import load_catalogue  # noqa: E402  only now are there models


def dying(when: str, statement: str) -> AbstractContextManager[None]:
    """Kill the process before or after the first statement that begins so."""

    def execute_or_die(execute: Callable[..., Any], sql: str, *more: Any) -> Any:
        if sql.startswith(statement) and when == "before":
            os.kill(os.getpid(), signal.SIGKILL)
        done = execute(sql, *more)
        if sql.startswith(statement) and when == "after":
            os.kill(os.getpid(), signal.SIGKILL)
        return done

    return connection.execute_wrapper(execute_or_die)


def telling(pipe: int) -> AbstractContextManager[None]:
    """Called before every statement."""

    def tell_and_execute(execute: Callable[..., Any], *statement: Any) -> Any:
        os.write(pipe, b".")
        return execute(*statement)

    return connection.execute_wrapper(tell_and_execute)


# No connection is open yet, so that each child makes its own.
settings.DATABASES["default"]["NAME"] = sys.argv[1]
# SQLite would open this file in the place of NAME.
settings.DATABASES["default"]["OPTIONS"].pop("database", None)  # type: ignore[attr-defined]
for line in sys.stdin:
    folder, seconds, when, statement = line.rstrip("\n").split("\t")
    begun, first_statement = os.pipe()
    child = os.fork()
    if child == 0:
        with dying(when, statement), telling(first_statement):
            load_catalogue(Path(folder))
        os._exit(0)
    os.close(first_statement)
    if not when:
        os.read(begun, 1)
        time.sleep(float(seconds))
        os.kill(child, signal.SIGKILL)
    os.close(begun)
    sys.stdout.write(f"{os.waitpid(child, 0)[1]}\n")
    sys.stdout.flush()
