"""One sentence about one thing, and how bad it is."""

from enum import StrEnum
from typing import NamedTuple


class Level(StrEnum):
    """The severity, as it is shown."""

    GOOD = "ok"
    WARNING = "warning"
    ERROR = "ERROR"


class Finding(NamedTuple):
    level: Level
    topic: str
    text: str


def good(topic: str, text: str) -> Finding:
    return Finding(Level.GOOD, topic, text)


def warning(topic: str, text: str) -> Finding:
    return Finding(Level.WARNING, topic, text)


def error(topic: str, text: str) -> Finding:
    return Finding(Level.ERROR, topic, text)
