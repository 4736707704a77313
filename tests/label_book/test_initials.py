"""Letters with dots between them, such as U.S., are one word in searches and names."""

from importlib import import_module

import pytest
from django.apps import apps

from econweb.label_book import lookup as labels
from econweb.label_book.models import Label
from econweb.label_book.storing import save_labels

pytestmark = pytest.mark.django_db


def a_label(number: int, name: str) -> Label:
    return Label(kind="category", number=number, name=name)


@pytest.mark.parametrize("text", ["us tra", "U.S. trade", "u.s", "U.K. us", "uk"])
def test_label_search_takes_letters_with_dots_between_them_for_one_word(text: str) -> None:
    save_labels([a_label(1, "U.S. trade with the UK"), a_label(2, "Trade of Ulm, Suhl and Kiel")])

    assert [label.number for label in labels.search(text)] == [1]
    assert [label.number for label in labels.alphabetical("category", text)] == [1]
    assert [label.number for label in labels.exact_matches("us trade with the u.k.")] == [1]


def test_upgrade_folds_names_with_dots_between_letters_again() -> None:
    save_labels([a_label(1, "U.S. trade"), a_label(2, "Trade. Ulm")])
    Label.objects.filter(number=1).update(words=" u s trade", revision=7)
    before = [label.number for label in labels.search("us")]
    import_module("econweb.label_book.migrations.0006_names_folded_again").fold_again(apps, None)

    assert (before, [label.number for label in labels.search("us")]) == ([], [1])
    assert [label.number for label in labels.search("ulm")] == [2]
