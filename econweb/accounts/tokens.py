"""Tokens with which the programs of people read, where people sign in first; stored as digests."""

import re
from datetime import date, datetime, timedelta
from hashlib import sha256
from secrets import token_hex

from django.conf import settings
from django.contrib.auth.models import User
from django.http import HttpRequest
from django.utils import timezone

from econweb.accounts.models import ReadingToken
from econweb.accounts.people import LOCAL_EDITOR, is_from_elsewhere, may_sign_in

# Random bytes of a token, and its longest form in a request.
TOKEN_BYTES, MAX_TOKEN = 20, 100
# A provider or proxy does not say who has left, so people make a new token now and then.
VALID_DAYS = 90
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


def last_day(person: str) -> date | None:
    """Return the last day of a person's token; None without one."""
    found = ReadingToken.objects.filter(person=person).first()
    return timezone.localdate(_end(found)) if found and _is_valid(found) else None


def person_of_program(request: HttpRequest) -> str | None:
    """Return the name of the person whose token a program sends along, as long as it may read."""
    token = _BEARER.fullmatch(request.headers.get("Authorization", ""))
    # Of a site for this machine alone, not even a token opens anything elsewhere.
    return person_of_token(token[1]) if token and not is_from_elsewhere(request) else None


def person_of_token(token: str) -> str | None:
    """Return the name of the person that made the token, as long as it may read."""
    if not 0 < len(token) <= MAX_TOKEN:
        return None
    found = ReadingToken.objects.filter(digest=digest_of(token)).first()
    return found.person if found and _is_valid(found) else None


def _is_valid(token: ReadingToken) -> bool:
    return timezone.now() < _end(token) and is_same_person(token.person, token.account)


def _end(token: ReadingToken) -> datetime:
    return token.created + timedelta(days=VALID_DAYS)


def is_same_person(person: str, account: int | None) -> bool:
    """Return whether a person is still the one that had this account, and may sign in."""
    named = User.objects.filter(username=person)
    if account is not None:
        user = named.filter(pk=account).first()
        return settings.SIGN_IN != "proxy" and user is not None and may_sign_in(user)
    if settings.SIGN_IN == "local":
        return person == LOCAL_EDITOR.name
    # The proxy knows its people; an account of the name only says here that the person has left.
    return settings.SIGN_IN == "proxy" and not named.filter(is_active=False).exists()


def account_of(person: str) -> int | None:
    """Return the id of the account, where people sign in with one."""
    if settings.SIGN_IN == "proxy":
        return None
    user = User.objects.filter(username=person).first()
    return user.pk if user else None


def digest_of(token: str) -> str:
    return sha256(token.encode()).hexdigest()
