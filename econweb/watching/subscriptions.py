"""Subscriptions: a feed whose address holds a token, and a weekly mail."""

from secrets import token_hex

from django.contrib.auth.models import User
from django.core import signing
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode

from econweb.accounts.people import account_of, of_same_people
from econweb.accounts.tokens import MAX_TOKEN, TOKEN_BYTES, digest_of
from econweb.watching.models import Subscription

_unsubscribing = signing.Signer(salt="econweb.watching.unsubscribe")


def subscription_of(person: str) -> Subscription | None:
    """Return what the person has chosen; nothing of an earlier account of this name."""
    return Subscription.objects.filter(of_same_people(), person=person).first()


def renew_feed(person: str) -> str:
    """Give the feed of a person a new address, end the former one, and return the token, which is stored nowhere."""
    token = token_hex(TOKEN_BYTES)
    _update(person, feed=digest_of(token))
    return token


def end_feed(person: str) -> bool:
    """End the address of a person's feed, and return whether there was one."""
    return Subscription.objects.filter(person=person).exclude(feed=None).update(feed=None) == 1


def begin_mail(person: str) -> None:
    """Begin the weekly mails; the first one tells what is new from now on. Where they are on, only end a wait."""
    now = timezone.now()
    begun = Subscription.objects.filter(of_same_people(), person=person, has_mail=True)
    if not begun.update(due=now, refusals=0):
        _update(person, has_mail=True, told=now, due=now, week=None, refusals=0)


def subscription_of_token(token: str) -> Subscription | None:
    """Return the subscription whose feed has this token, as long as its person may read."""
    if not 0 < len(token) <= MAX_TOKEN:
        return None
    return Subscription.objects.filter(of_same_people(), feed=digest_of(token)).first()


def mail_address(person: str) -> str:
    """Return the address of the person's account; empty where none is known."""
    user = User.objects.filter(username=person, is_active=True).first()
    return user.email if user else ""


def unsubscribe_link(subscription: Subscription) -> str:
    """Return a link that names nobody, and that nobody else can write."""
    query = urlencode({"token": _unsubscribing.sign(str(subscription.pk))})
    return f"{reverse('unsubscribe')}?{query}"


def read_unsubscribe_link(signed: str) -> int | None:
    """Return the number that the link was written for, which need not exist any more; None for a forged one."""
    try:
        return int(_unsubscribing.unsign(signed))
    except (signing.BadSignature, ValueError):
        return None


def end_mail(person: str) -> None:
    Subscription.objects.filter(person=person).update(has_mail=False)


def unsubscribe(number: int) -> None:
    """End the mails of the subscription that a link was written for."""
    Subscription.objects.filter(pk=number).update(has_mail=False)


def _update(person: str, **fields: object) -> None:
    """Store the choice of a person, in one row; a row of an earlier account of this name begins again."""
    now, account = timezone.now(), account_of(person)
    row, _ = Subscription.objects.get_or_create(person=person, defaults={"account": account, "told": now, "due": now})
    if row.account != account:
        fields = {"account": account, "feed": None, "has_mail": False, **fields}
    Subscription.objects.filter(pk=row.pk).update(**fields)
