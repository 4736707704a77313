"""Processes are killed while they send the weekly mails: nobody gets a mail twice, and no news is lost."""

import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes, policy
from random import Random
from typing import Any

from aiosmtpd.controller import Controller

from bench.drills.outcome import Outcome
from bench.servers import ROOT, free_port

# The program at the time of a week; another one may run beside it.
PROGRAM = """
import os, sys, django; django.setup()
from datetime import UTC, datetime, timedelta
from django.utils import timezone
monday = datetime(2026, 3, 2, 12, tzinfo=UTC) + timedelta(weeks=int(os.environ["WEEK"]))
timezone.now = lambda: monday
"""
FILL = f"""{PROGRAM}
from django.contrib.auth.models import User
from django.core.management import call_command
from econweb.watching.models import Announcement, Subscription, Watch, WatchedSource
call_command("migrate", verbosity=0)
people, weeks = int(sys.argv[1]), int(sys.argv[2])
users = User.objects.bulk_create(User(username=f"p{{n}}", email=f"p{{n}}@example.org") for n in range(people))
Subscription.objects.bulk_create(
    Subscription(person=user.username, account=user.pk, has_mail=True, told=monday, due=monday) for user in users)
given = {{"kind": "series", "created": monday}}
watches = Watch.objects.bulk_create(
    Watch(person=user.username, account=user, target=f"/series/{{user}}/", **given) for user in users)
for week in range(weeks):
    source = WatchedSource.objects.create(kind="series", key=f"WEEK{{week}}", interval=1.0)
    seen = monday + timedelta(weeks=week, days=1)
    news = Announcement.objects.create(source=source, kind="changed", before=monday, seen=seen, confirmed=seen, facts=1)
    Watch.news.through.objects.bulk_create(
        Watch.news.through(watch_id=watch.pk, announcement_id=news.pk) for watch in watches)
"""
SEND = f"""{PROGRAM}
from econweb.watching.weekly_mails import NotTaken, send_weekly_mails
try:
    send_weekly_mails(lambda sources: {{source: source[1] for source in sources}})
except NotTaken:
    sys.exit(3)
"""
Mail = tuple[str, str, str]


class Postbox:
    """A real mail server; each mail is address, Message-ID and text."""

    def __init__(self) -> None:
        self.mails: list[Mail] = []

    async def handle_DATA(self, _server: Any, _session: Any, envelope: Any) -> str:
        mail = message_from_bytes(envelope.content, policy=policy.default)
        self.mails.append((envelope.rcpt_tos[0], mail["Message-ID"], mail.get_content()))
        return "250 OK"


@contextmanager
def _serve() -> Iterator[tuple[Postbox, int]]:
    box, port = Postbox(), free_port()
    controller = Controller(box, hostname="127.0.0.1", port=port)
    controller.start()
    try:
        yield box, port
    finally:
        controller.stop()


def killed_mails(kills: int = 100, people: int = 300, database: str = "") -> Outcome:
    """O21: kill -9 of one of two processes at random moments, over as many weeks as the kills take."""
    random, killed, week = Random(20), 0, 0  # noqa: S311  the same moments each time
    with tempfile.TemporaryDirectory(prefix="econweb-mails-") as folder, _serve() as (box, port):
        plain = {name: os.environ[name] for name in ("PATH", "HOME", "LANG", "PYTHONPATH") if name in os.environ}
        settings = {**plain, "DATA_DIR": folder, "SIGN_IN": "password", "DJANGO_SETTINGS_MODULE": "econweb.settings"}
        settings |= {"EMAIL_URL": f"smtp://127.0.0.1:{port}?from=portal@example.org", "WEEK": "0"}
        settings |= {"DATABASE_URL": database} if database else {}
        subprocess.run([sys.executable, "-c", FILL, str(people), str(kills)], cwd=ROOT, env=settings, check=True)
        while killed < kills:
            week += 1
            settings["WEEK"] = str(week)
            while killed < kills and (more := _send_and_kill(settings, box, random)):
                killed += more
            _send_all(settings)
        # Nobody is killed in the last week, which tells what is left.
        settings["WEEK"] = str(week + 1)
        _send_all(settings)
        wrong = _check(box.mails, people, week)
    repeated = sum("An earlier mail" in text for _, _, text in box.mails)
    noted = f"{len(box.mails)} mails to {people} people in {week + 1} weeks, {repeated} of them with news of one before"
    return Outcome("mails killed", f"kill -9 at {killed} moments of sending", ", ".join(wrong), noted=noted)


def _start(settings: dict[str, str]) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-c", SEND], cwd=ROOT, env=settings)


def _send_and_kill(settings: dict[str, str], box: Postbox, random: Random) -> int:
    """Let two processes send some mails, kill them at moments of their own, and return how many were still sending."""
    both = [_start(settings) for _ in range(2)]
    wanted = len(box.mails) + random.randrange(1, 6)
    while len(box.mails) < wanted and any(process.poll() is None for process in both):
        time.sleep(0.001)
    killed = 0
    for process in both:
        time.sleep(random.uniform(0, 0.03))
        killed += process.poll() is None
        process.kill()
        process.wait()
    return killed


def _send_all(settings: dict[str, str]) -> None:
    process = _start(settings)
    if process.wait():
        raise RuntimeError(f"sending ended with {process.returncode}")


def _check(mails: list[Mail], people: int, weeks: int) -> list[str]:
    wrong = [f"{one} got {count} times" for one, count in Counter(mail[:2] for mail in mails).items() if count > 1]
    texts: dict[str, str] = {}
    for address, _, text in mails:
        texts[address] = texts.get(address, "") + text
    wrong += [f"p{number} heard nothing" for number in range(people) if f"p{number}@example.org" not in texts]
    told = ((address, f"WEEK{week}:") for address in texts for week in range(weeks))
    return wrong + [f"{address} never heard of {key}" for address, key in told if key not in texts[address]]


if __name__ == "__main__":
    outcome = killed_mails(int(sys.argv[1]), int(sys.argv[2]), os.environ.get("DATABASE_URL", ""))
    sys.stdout.write(f"{outcome.line()}\n")
    sys.exit(0 if outcome.good else 1)
