"""The form of what people write about a saved view or a frozen copy, and its checks."""

from collections.abc import Mapping
from datetime import datetime

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from econweb.accounts.people import Person
from econweb.dashboard.parameter_checks import LABELS, check_text, text_field, unknown_value_message
from econweb.label_book.folding import is_blank
from econweb.library.models import EVERYONE, MAX_NOTE, MAX_TITLE, ME, SIGNED_IN, FrozenCopy, SavedView
from econweb.library.rights import problem_with_audience
from econweb.library.row_rules import has_odd_letters
from econweb.redaction import holds_secret

AUDIENCE_WORDS = {ME: "Only me and the administrators", SIGNED_IN: "People who are signed in", EVERYONE: "Everyone"}


def describe_audience(thing: SavedView | FrozenCopy) -> str:
    """Return who may see a view or copy, in the words of the forms, for a list that several people read."""
    words = AUDIENCE_WORDS[thing.audience]
    return words.replace("Only me", f"Only {thing.person}")


class EntryForm(forms.Form):
    """Title and audience, and the last change that the person saw."""

    title = text_field()
    audience = text_field()
    seen = text_field()

    def clean_title(self) -> str:
        title = check_text(" ".join(self.cleaned_data["title"].split()), "title", MAX_TITLE)
        if is_blank(title):
            raise ValidationError("Title: enter a few words, for example Trade balance.")
        return _check_letters(title, "title")

    def clean_audience(self) -> str:
        return check_option(self.cleaned_data["audience"], "audience", AUDIENCE_WORDS)

    def clean_seen(self) -> datetime | None:
        return parse_moment(self.cleaned_data["seen"])

    def check_audience(self, thing: SavedView | FrozenCopy, person: Person) -> None:
        """Refuse an audience that the person may not choose for this view or copy."""
        if self.is_valid():
            problem = problem_with_audience(thing, self.cleaned_data["audience"], person, timezone.now())
            if problem:
                self.add_error("audience", problem)


def check_option(value: str, name: str, options: Mapping[str, str]) -> str:
    """Check the value of a menu; the message has the words that the menu shows."""
    if value not in options:
        raise ValidationError(unknown_value_message(name, value, options.values()))
    return value


def parse_moment(text: str) -> datetime | None:
    """Return the moment in a hidden field, such as the last change of what the form shows; None for any other text."""
    try:
        return parse_datetime(text)
    except ValueError:
        return None


def check_note(text: str, name: str) -> str:
    note = "\n".join(line.rstrip() for line in text.splitlines())
    check_text(note.replace("\n", " "), name, MAX_NOTE)
    return _check_letters(note, name)


def _check_letters(text: str, name: str) -> str:
    if has_odd_letters(text):
        raise ValidationError(f"{LABELS[name]}: a character in it is not allowed. Remove it.")
    if holds_secret(text):
        raise ValidationError(f"{LABELS[name]}: it contains an API key or the link of an invitation. Remove it.")
    return text
