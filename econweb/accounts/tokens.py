"""Tokens with which the programs of people read, where people sign in first; stored as digests."""

import re
from datetime import datetime, timedelta
from hashlib import sha256
from secrets import token_hex

from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone

from econweb.accounts.models import ReadingToken
from econweb.accounts.people import account_of, is_from_elsewhere, of_same_people

# Random bytes of a token, and its longest form in a request.
TOKEN_BYTES, MAX_TOKEN = 20, 100
# A provider or proxy does not say who has left, so people make a new token now and then.
VALID = timedelta(days=90)
_BEARER = re.compile(r"Bearer +([!-~]{1,200})", re.IGNORECASE)


def renew_token(person: str) -> str:
    """Give a person a new token, end the former one, and return it; it is stored nowhere."""
    token = token_hex(TOKEN_BYTES)
    stored = {"account": account_of(person), "digest": digest_of(token), "created": timezone.now()}
    ReadingToken.objects.update_or_create(person=person, defaults=stored)
    return token


def end_token(person: str) -> bool:
    """End the token of a person, and return whether there was one."""
    return ReadingToken.objects.filter(person=person).delete()[0] > 0


def valid_until(person: str) -> datetime | None:
    """Return the moment at which a person's token ends; None without one."""
    found = _valid().filter(person=person).first()
    return found.created + VALID if found else None


def person_of_program(request: HttpRequest) -> str | None:
    """Return the name of the person whose token a program sends along, as long as it may read."""
    token = _BEARER.fullmatch(request.headers.get("Authorization", ""))
    # Of a site for this machine alone, not even a token opens anything elsewhere.
    return person_of_token(token[1]) if token and not is_from_elsewhere(request) else None


def person_of_token(token: str) -> str | None:
    """Return the name of the person that made the token, as long as it may read."""
    if not 0 < len(token) <= MAX_TOKEN:
        return None
    found = _valid().filter(digest=digest_of(token)).first()
    return found.person if found else None


def _valid() -> QuerySet[ReadingToken]:
    return ReadingToken.objects.filter(of_same_people(), created__gt=timezone.now() - VALID)


def digest_of(token: str) -> str:
    return sha256(token.encode()).hexdigest()
