"""The mail server refuses connections, hangs, and dies after the text of a mail, while people read."""

import os
import re
import socket
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from aiosmtpd.controller import Controller

from bench.client import Load
from bench.drills.killed_mails import FILL, PROGRAM, SEND, Postbox
from bench.drills.outcome import Outcome, not_in, seconds_until, secrets_in
from bench.measure import load, request
from bench.servers import ROOT, Server, free_port, serving

VIEW = "/category/125/tags/"
# The waits of the thread that sends are seconds here, and a worker takes over what this process has set.
SERVE = f"""import multiprocessing; multiprocessing.set_start_method("fork")
{PROGRAM}
from econweb.command_line import main
from econweb.watching import weekly_mails
weekly_mails.IDLE_SECONDS = weekly_mails.MIN_WAIT = weekly_mails.MAX_WAIT = 1.0
main()
"""
LINE = "the mail server takes no mail, and is tried again later"


class DyingPostbox(Postbox):
    """A mail server that takes mails whose client never hears of it."""

    def __init__(self, deaths: int) -> None:
        super().__init__()
        self.deaths = deaths

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        said = await super().handle_DATA(server, session, envelope)
        if self.deaths:
            self.deaths -= 1
            server.transport.abort()
        return said


@contextmanager
def _serve_mail(box: Postbox, port: int) -> Iterator[None]:
    controller = Controller(box, hostname="127.0.0.1", port=port)
    controller.start()
    try:
        yield
    finally:
        controller.stop()


@contextmanager
def _serve(settings: Mapping[str, str]) -> Iterator[Server]:
    given = {**settings, "LOG_FORMAT": "json", "WATCH": "off"}
    with serving([sys.executable, "-c", SERVE, "serve", "--port", "{port}"], given) as server:
        server.get(VIEW)
        yield server


def mail_gone(people: int = 60, deaths: int = 3) -> Outcome:
    """O20, O21: pages are as fast as before, one log line says so, and everybody gets one mail, or its news later."""
    port, box = free_port(), DyingPostbox(deaths)
    with tempfile.TemporaryDirectory(prefix="econweb-mails-") as folder:
        settings = {"DATA_DIR": folder, "SIGN_IN": "password", "DJANGO_SETTINGS_MODULE": "econweb.settings"}
        settings |= {"EMAIL_URL": f"smtp://127.0.0.1:{port}?from=portal@example.org", "WEEK": "1"}
        _run(settings | {"WEEK": "0"}, FILL, str(people), "1")
        with _serve(settings) as server:
            before = _read(server)
            lost = [] if seconds_until(lambda: LINE in server.log()) < 30 else ["no line in the log"]
            refused = _read(server)
            with socket.create_server(("127.0.0.1", port)) as silent:
                silent.settimeout(20)
                with silent.accept()[0]:
                    hung = _read(server)
                    lost += _counted(server, "waiting", people)
            with _serve_mail(box, port):
                recovery = seconds_until(lambda: len(box.mails) >= people)
                after = _read(server)
            lost += _counted(server, "waiting", 0) + _counted(server, 'total{outcome="sent"}', people - deaths)
            leaked = secrets_in(server) + (" an address in the log" if "@example.org" in server.log() else "")
            lost += _slowed({"refused": refused, "silent": hung}, max(before.p50, after.p50))
            lost += [f"{count} lines in the log"] if (count := server.log().count(LINE)) > 1 else []
        lost += _everybody_once(box, people)
        with _serve_mail(box, port):
            _run(settings | {"WEEK": "2"}, SEND)
        lost += _told_again(box, people, deaths)
    tried = f"refuses, hangs, dies after {deaths} of {people} mails, 8 readers"
    times = " / ".join(f"{each.p50 * 1e3:.1f}" for each in (before, refused, hung, after))
    noted = f"p50 {times} ms before, while it refuses, hangs, is back"
    return Outcome("mail server gone", tried, ", ".join(lost), leaked, recovery, noted)


def _run(settings: Mapping[str, str], program: str, *arguments: str) -> None:
    plain = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    subprocess.run([sys.executable, "-c", program, *arguments], cwd=ROOT, env={**plain, **settings}, check=True)


def _read(server: Server) -> Load:
    with load(server, [request(VIEW), request("/series/GNPCA/")], 1.5, 8) as seen:
        pass
    return seen


def _counted(server: Server, name: str, number: int) -> list[str]:
    """Compare a metric, which this worker counts itself."""
    line = f"econweb_mails_{name} {number:.1f}"
    return [] if line in server.get("/metrics").body.decode().splitlines() else [f"/metrics does not say {line}"]


def _slowed(loads: Mapping[str, Load], usual: float) -> list[str]:
    """Compare medians: one slow answer may be of the machine."""
    wrong = [f"{name}: {what}" for name, seen in loads.items() if (what := not_in(seen, {"200"}))]
    return wrong + [f"{name}: pages are slower" for name, seen in loads.items() if seen.p50 > 2 * usual]


def _everybody_once(box: Postbox, people: int) -> list[str]:
    got = Counter(address for address, _, _ in box.mails)
    wrong = [f"{address} got {count} mails" for address, count in got.items() if count > 1]
    return wrong + ([f"{people - len(got)} people got none"] if len(got) < people else [])


def _told_again(box: Postbox, people: int, deaths: int) -> list[str]:
    """Only those whose mail broke off hear its news again, in the mail of the next week."""
    later = box.mails[people:]
    lasting = [text for _, _, text in later if "An earlier mail" in text and re.search(r"^WEEK0:", text, re.MULTILINE)]
    return [] if len(later) == len(lasting) == deaths else [f"{len(later)} later mails, {len(lasting)} with the news"]
