"""The weekly mails: each is claimed before it is sent, so that none is sent twice, also after a kill."""

import smtplib
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from typing import Any

import structlog
from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.db.models import F, Q, QuerySet
from django.utils import timezone
from prometheus_client import Counter

from econweb.watching.mail_text import write_mail
from econweb.watching.models import Subscription
from econweb.watching.news import NameSources, find_news, read_items
from econweb.watching.subscriptions import mail_address, subscription_of

# News that a mail names; a link leads to the others.
MAX_NEWS = 50
# On Monday the mails wait until the last announcements of the week are stored on every host.
SETTLED = timedelta(minutes=10)
# Seconds between two looks, and after a failure of the server, where the waits double.
IDLE_SECONDS, MIN_WAIT, MAX_WAIT = 60.0, 60.0, 3600.0
# The wait after a refused address, which doubles up to the longest one; without an address it is the longest.
FIRST_REFUSAL, LAST_REFUSAL = timedelta(minutes=10), timedelta(days=1)
MAILS = Counter("econweb_mails", "Weekly mails: sent, refused by the server, or failed with it.", ["outcome"])
for kind in ("sent", "refused", "failed"):
    # An alert has to see the first one as an increase.
    MAILS.labels(kind)
log = structlog.get_logger("econweb.watching")


class NotTaken(Exception):
    """The mail server does not take mails now."""


@dataclass
class WeeklyMails:
    """The mails that one process sends, and its wait after a failure of the server."""

    name_sources: NameSources
    wait: float = 0.0

    def step(self) -> float:
        """Send what is due, and return the seconds until the next look."""
        try:
            send_weekly_mails(self.name_sources)
        except NotTaken as error:
            MAILS.labels("failed").inc()
            if not self.wait:
                # The text of the error may repeat an address.
                log.warning("the mail server takes no mail, and is tried again later", failure=str(error))
            self.wait = min(max(MIN_WAIT, 2 * self.wait), MAX_WAIT)
            return self.wait
        self.wait = 0.0
        return IDLE_SECONDS


def send_weekly_mails(name_sources: NameSources) -> int:
    """Send the mails that are due, and return their number; raise NotTaken where the server takes none."""
    if not settings.MAIL_SERVER:
        return 0
    week_start = week_start_of(timezone.now())
    return sum(
        _send_one(number, week_start, name_sources) for number in _find_due(week_start).values_list("pk", flat=True)
    )


def count_waiting() -> int:
    """Return how many people wait for the mail of this week, which is due; not those whose address was refused."""
    return _find_due(week_start_of(timezone.now())).count() if settings.MAIL_SERVER else 0


def _find_due(week_start: datetime) -> QuerySet[Subscription]:
    return Subscription.objects.filter(_not_claimed(week_start), has_mail=True, due__lte=timezone.now())


def week_start_of(now: datetime) -> datetime:
    """Return the beginning of the week, at midnight of this site's time zone."""
    day = timezone.localtime(now - SETTLED).date()
    return timezone.make_aware(datetime.combine(day - timedelta(days=day.weekday()), time.min))


def _not_claimed(week_start: datetime) -> Q:
    return Q(week=None) | Q(week__lt=week_start.date())


def _send_one(number: int, week_start: datetime, name_sources: NameSources) -> bool:
    """Send the mail of one person, unless nothing happened or another process has claimed it."""
    # Another process may have tried the address since the list was read.
    row = _find_due(week_start).filter(pk=number).first()
    if row is None:
        return False
    address = mail_address(row.person) if subscription_of(row.person) else ""
    if not address:
        # The news wait until the account has one. There was no mail that may have arrived.
        Subscription.objects.filter(pk=row.pk, due=row.due).update(due=timezone.now() + LAST_REFUSAL)
        return False
    mail = _prepare(row, address, week_start, name_sources)
    if mail is None:
        # A person who began the mails this week hears nothing from before.
        _claim(row, week_start, told=max(row.told, week_start))
        return False
    return _deliver(row, week_start, mail)


def _prepare(row: Subscription, address: str, week_start: datetime, name_sources: NameSources) -> EmailMessage | None:
    """Write the mail of one person; None without news."""
    found = find_news(person=row.person).filter(confirmed__gte=row.told, confirmed__lt=week_start)
    count = found.count()
    if not count:
        return None
    items = read_items(found[:MAX_NEWS], name_sources, row.person)
    mail = write_mail(row, week_start.date(), items, count)
    server: Any = settings.MAIL_SERVER
    mail.from_email, mail.to = server.sender, [address]
    return mail


def _deliver(row: Subscription, week_start: datetime, mail: EmailMessage) -> bool:
    """Claim a mail and send it; raise NotTaken where the server takes none."""
    server: Any = settings.MAIL_SERVER
    mail.connection = connection = get_connection(**server.connection)
    try:
        # A server that is away, silent or refuses the password is found before the claim.
        connection.open()
        try:
            if not _claim(row, week_start):
                return False
            return _send(row, week_start, mail.send)
        finally:
            _close(connection)
    except OSError as error:
        raise NotTaken(type(error).__name__) from None


def _claim(row: Subscription, week_start: datetime, **fields: datetime) -> bool:
    """Make this process the only one that ever sends the mail of this person and week."""
    rows = _find_due(week_start).filter(pk=row.pk, told=row.told)
    return rows.update(week=week_start.date(), **fields) == 1


def _send(row: Subscription, week_start: datetime, send: Callable[[], object]) -> bool:
    """Send a claimed mail. Where it may have arrived, the claim stays, and the next mail repeats the news."""
    claimed = Subscription.objects.filter(pk=row.pk, week=week_start.date())
    try:
        send()
    except (smtplib.SMTPRecipientsRefused, smtplib.SMTPDataError, ValueError) as error:
        # Django raises a ValueError for an address that no mail can have.
        wait = min(FIRST_REFUSAL * 2 ** min(row.refusals, 10), LAST_REFUSAL)
        MAILS.labels("refused").inc()
        claimed.update(week=row.week, due=timezone.now() + wait, refusals=F("refusals") + 1)
        log.info("a mail was refused, and is tried again later", subscription=row.pk, failure=type(error).__name__)
        return False
    except smtplib.SMTPResponseException:
        # The server refused before the text of the mail, which was surely not sent.
        claimed.update(week=row.week)
        raise
    MAILS.labels("sent").inc()
    claimed.update(told=week_start, refusals=0)
    return True


def _close(connection: Any) -> None:
    # The mail was accepted, or its failure is known.
    with suppress(OSError):
        connection.close()
