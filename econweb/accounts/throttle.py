"""A pause after wrong passwords, by account and by client; all workers and hosts share it in the database."""

import math
from collections.abc import Iterable
from datetime import timedelta

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.crypto import salted_hmac

from econweb.accounts.models import SignInTries

# The fifth wrong password in a row starts the first pause; each further one doubles it.
TRIES_BEFORE_PAUSE = 5
FIRST_PAUSE = timedelta(seconds=15)
MAX_PAUSE = timedelta(minutes=15)
# Tries are forgotten after an hour without one.
FORGOTTEN_AFTER = timedelta(hours=1)
# A browser that signed in is paused by its own tries only: others cannot lock it out, not even from its address.
KNOWN_BROWSER_FOR = timedelta(days=90)


def seconds_to_wait(account: str, client: str, browser: str = "") -> int:
    """Return how long this client has to wait before its next try for this account; 0: it may try."""
    return _pause(SignInTries.objects.filter(key__in=_keys(account, client, browser)))


def start_try(account: str, client: str, browser: str = "") -> int:
    """Count a try before its password is checked; return the seconds to wait when it may not go on."""
    now, keys = timezone.now(), _keys(account, client, browser)
    # A client within a pause adds no rows, whatever accounts it names.
    if wait := _pause(SignInTries.objects.filter(key__in=keys)):
        return wait
    _delete_expired()
    with transaction.atomic():
        rows = _locked(keys)
        if wait := _pause(rows):
            return wait
        for row in rows:
            row.tries += 1
            row.paused_until = now + _pause_after(row.tries)
            row.expires = max(row.expires, now + FORGOTTEN_AFTER)
            row.save()
    return 0


def forget_tries(account: str, client: str, browser: str) -> None:
    """Undo the successful try, and remember this browser for this account."""
    now, used, known = timezone.now(), _keys(account, client, browser), _known(account, browser)
    with transaction.atomic():
        for row in _locked([*used, known]):
            # The client may guess at other accounts: of its tries only this one is taken back.
            is_of_client = row.key == _digest("client", client)
            row.tries, row.paused_until = max(0, row.tries - 1) if is_of_client else 0, now
            if row.key == known:
                row.expires = now + KNOWN_BROWSER_FOR
            row.save()


def _keys(account: str, client: str, browser: str) -> list[str]:
    """Return the keys of the rows that count this try."""
    known = _known(account, browser)
    if browser and SignInTries.objects.filter(key=known, expires__gt=timezone.now()).exists():
        return [known]
    return [_digest("account", account), _digest("client", client)]


def _known(account: str, browser: str) -> str:
    return _digest("known browser", account, browser)


def _locked(keys: Iterable[str]) -> list[SignInTries]:
    """Lock the rows, new ones where there are none, in one order everywhere: two workers never wait for each other."""
    now, ordered = timezone.now(), sorted({*keys})
    new = [SignInTries(key=key, paused_until=now, expires=now + FORGOTTEN_AFTER) for key in ordered]
    SignInTries.objects.bulk_create(new, ignore_conflicts=True)
    return list(SignInTries.objects.select_for_update().filter(key__in=ordered).order_by("key"))


def _delete_expired() -> None:
    """Delete old rows, in a transaction of its own: those that another request holds are left to the next one."""
    with transaction.atomic():
        expired = SignInTries.objects.select_for_update(skip_locked=True).filter(expires__lte=timezone.now())
        SignInTries.objects.filter(key__in=expired.values("key")).delete()


def _digest(kind: str, *parts: str) -> str:
    """Return a keyed digest, so that the table holds neither names nor addresses."""
    normalized = [User.normalize_username(part.strip()) for part in parts]
    return salted_hmac(f"econweb.accounts {kind}", repr(normalized), algorithm="sha256").hexdigest()


def _pause(rows: Iterable[SignInTries]) -> int:
    now = timezone.now()
    left = max((row.paused_until - now for row in rows if row.expires > now), default=timedelta())
    # A clock that was set back must not lengthen a pause.
    return max(0, math.ceil(min(left, MAX_PAUSE).total_seconds()))


def _pause_after(tries: int) -> timedelta:
    doublings = tries - TRIES_BEFORE_PAUSE
    # Beyond ten doublings the bound holds anyway.
    return min(FIRST_PAUSE * 2 ** min(doublings, 10), MAX_PAUSE) if doublings >= 0 else timedelta()
