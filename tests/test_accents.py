"""Long runs of accents: putting them in order takes quadratic time wherever text is normalized whole."""

from collections.abc import Callable

import pytest

from econweb import word_beginnings
from econweb.accounts import throttle
from econweb.dashboard.files.sheet import file_name
from econweb.label_book.folding import fold
from tests.processor_time import processor_seconds

# Two accents of different classes, so that every second one has to be moved.
ACCENTS = "\u0301\u0316"


@pytest.mark.parametrize("use", [fold, word_beginnings.fold, word_beginnings.words, file_name])
def test_accents_are_removed_in_linear_time(use: Callable[[str], object]) -> None:
    """A6"""
    short, long = "a" + ACCENTS * 4_000, "a" + ACCENTS * 64_000

    # Sixteen times the text takes 256 times as long where it is quadratic.
    assert processor_seconds(lambda: use(long)) < 100 * processor_seconds(lambda: use(short))


@pytest.mark.django_db
def test_sign_in_counts_all_spellings_of_a_name_together() -> None:
    """A3"""
    spellings = ["ada", " ada", "ada\t", "ada\u3000", "\u2003ada", "ada\n"]

    waits = [throttle.start_try(name, f"203.0.113.{number}") for number, name in enumerate(spellings)]

    assert waits[:5] == [0] * 5
    assert waits[5] > 0
