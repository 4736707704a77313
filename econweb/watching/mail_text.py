"""The text and the headers of a weekly mail."""

from collections.abc import Sequence
from datetime import date

from django.core.mail import EmailMessage
from django.http.request import split_domain_port
from django.urls import reverse
from django.utils import timezone

from econweb.accounts.site_address import site_address
from econweb.watching.models import Subscription
from econweb.watching.news import NewsItem, drop_unprintable
from econweb.watching.subscriptions import unsubscribe_link

# Lines of one announcement in a mail.
MAX_LINES_IN_MAIL = 5
REPEATED = "An earlier mail may not have reached you. This one repeats its news."


def write_mail(row: Subscription, week: date, items: Sequence[NewsItem], count: int) -> EmailMessage:
    """Write the mail of a person and week; its Message-ID depends on nothing else, and names nobody."""
    site = site_address()
    ending = f"{site}{unsubscribe_link(row)}"
    host = split_domain_port(site.partition("://")[2])[0]
    headers = {
        "Message-ID": f"<news-{row.pk}-{week:%Y%m%d}@{host}>",
        "List-Unsubscribe": f"<{ending}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        # Out-of-office programs do not reply.
        "Auto-Submitted": "auto-generated",
    }
    parts = [f"What changed among the series, categories and releases that you follow, until {week}."]
    if row.week is not None and timezone.localdate(row.told) < row.week:
        parts.append(REPEATED)
    parts += [_write_item(item, site) for item in items]
    if count > len(items):
        parts.append(f"And {count - len(items):,} more.")
    parts.append(f"All your news: {site}{reverse('my_news')}\nNo more mails: {ending}")
    subject = f"{count:,} change{'' if count == 1 else 's'} of what you follow"
    return EmailMessage(subject, "\n\n".join(parts) + "\n", headers=headers)


def _write_item(item: NewsItem, site: str) -> str:
    lines = [drop_unprintable(item.title)]
    lines += [f"  {' '.join(drop_unprintable(str(line)).split())}" for line in item.lines[:MAX_LINES_IN_MAIL]]
    if (more := item.count - len(item.lines[:MAX_LINES_IN_MAIL])) > 0 and item.lines:
        lines.append(f"  and {more:,} more")
    lines.append(f"  Seen {item.seen:%Y-%m-%d %H:%M}, confirmed {item.confirmed:%Y-%m-%d %H:%M} (UTC)")
    lines.append(f"  {site}{item.comparison or item.link}")
    return "\n".join(lines)
