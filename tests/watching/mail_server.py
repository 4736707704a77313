"""A real mail server in the process of a test, which keeps mails or behaves badly."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Any

import pytest
from pytest_django import Settings

from econweb.config.mail_config import MailServer
from tests.server import free_port

# An environment that is older than the lock lacks it: the tests are skipped, and a line at the end says so.
controllers = pytest.importorskip("aiosmtpd.controller", reason="aiosmtpd is missing: install requirements-dev.txt")
REFUSED = "550 no such person as secret-word"


class Postbox:
    """The mails that a server accepted; `fault` is what it does instead."""

    def __init__(self) -> None:
        self.mails: list[tuple[str, EmailMessage]] = []
        self.fault = ""
        # Refused for ever.
        self.unknown: set[str] = set()

    async def handle_MAIL(self, server: Any, *given: Any) -> str:  # noqa: N802  the library's name
        if self.fault == "refuses the sender":
            return "451 not now"
        given[1].mail_from = given[2]
        return "250 OK"

    async def handle_RCPT(self, server: Any, session: Any, envelope: Any, address: str, _options: Any) -> str:  # noqa: N802
        if self.fault == "drops the recipient":
            server.transport.abort()
        if address in self.unknown:
            return REFUSED
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802
        if self.fault == "refuses the text":
            return "554 spam"
        self.mails.append((envelope.rcpt_tos[0], message_from_bytes(envelope.content, policy=policy.default)))
        if self.fault == "drops after the text":
            server.transport.abort()
        if self.fault == "hangs after the text":
            await asyncio.sleep(60)
        return "250 OK"

    @property
    def people(self) -> list[str]:
        return [address.partition("@")[0] for address, _ in self.mails]


@contextmanager
def serve_mail(settings: Settings, seconds: float = 5.0) -> Iterator[Postbox]:
    box = Postbox()
    port = free_port()
    controller = controllers.Controller(box, hostname="127.0.0.1", port=port)
    controller.start()
    connection = {"backend": "django.core.mail.backends.smtp.EmailBackend", "host": "127.0.0.1", "port": port}
    settings.MAIL_SERVER = MailServer({**connection, "timeout": seconds}, "portal@example.org")
    try:
        yield box
    finally:
        controller.stop()
