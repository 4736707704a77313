"""Refuse passwords that are little more than words of this site, which anybody guesses first."""

import re

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser
from django.core.exceptions import ValidationError

SITE_WORDS = frozenset(["category", "econ", "econweb", "economics", "economy", "portal", "release", "series", "tags"])
# Letters and digits that a password needs beside these words; parts of a host's name that are shorter are no words.
MIN_OTHERS, MIN_PART = 8, 4
MESSAGE = "The password is little more than words of this site. Add other words."


class SiteWordsValidator:
    """The rule for new passwords; the names of the hosts are words of the site as well."""

    def validate(self, password: str, user: AbstractBaseUser | None = None) -> None:
        others = password.lower()
        for word in sorted(SITE_WORDS | _host_words(), key=len, reverse=True):
            others = others.replace(word, " ")
        if len(re.findall(r"\w", others)) < MIN_OTHERS and others != password.lower():
            raise ValidationError(MESSAGE, code="password_of_site_words")

    def get_help_text(self) -> str:
        return "It needs more than words of this site."


def _host_words() -> set[str]:
    parts = (part for host in settings.ALLOWED_HOSTS for part in re.split(r"[^a-z0-9]+", host.lower()))
    return {part for part in parts if len(part) >= MIN_PART}
