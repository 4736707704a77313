"""Findings: one sentence about one topic, with its severity."""

from enum import StrEnum
from typing import NamedTuple


class Level(StrEnum):
    """The severity, as `manage.py doctor` prints it."""

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
