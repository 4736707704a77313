"""Invitations are mailed where EMAIL_URL names a server, and printed otherwise."""

import socket
import threading
from collections.abc import Iterator
from io import StringIO

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.test import Client
from pytest_django import Settings

from econweb.config.mail_config import MailServer

pytestmark = pytest.mark.django_db


class Postbox:
    """A mail server that keeps what it gets, or refuses it."""

    def __init__(self, refuses: bool = False) -> None:
        self.mails: list[str] = []
        self._refuses = refuses
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port = self._socket.getsockname()[1]
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        try:
            connection, _ = self._socket.accept()
        except OSError:
            return  # closed without a mail
        with connection, connection.makefile("rwb") as stream:
            stream.write(b"220 here\r\n")
            stream.flush()
            for line in stream:
                word = line[:4].upper()
                if word == b"DATA":
                    stream.write(b"354 go on\r\n")
                    stream.flush()
                    self.mails.append(b"".join(iter(stream.readline, b".\r\n")).decode())
                no_thanks = self._refuses and word == b"RCPT"
                stream.write(b"550 no secret-word\r\n" if no_thanks else b"250 ok\r\n")
                stream.flush()
                if word == b"QUIT":
                    return

    def close(self) -> None:
        # Closing alone would leave the thread waiting.
        self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()


@pytest.fixture
def postbox(settings: Settings) -> Iterator[Postbox]:
    yield from posted(settings, Postbox())


@pytest.fixture
def full_postbox(settings: Settings) -> Iterator[Postbox]:
    yield from posted(settings, Postbox(refuses=True))


def posted(settings: Settings, box: Postbox) -> Iterator[Postbox]:
    connection = {"backend": "django.core.mail.backends.smtp.EmailBackend", "host": "127.0.0.1", "port": box.port}
    settings.MAIL_SERVER = MailServer({**connection, "timeout": 5}, "portal@example.org")
    settings.SIGN_IN = "password"
    yield box
    box.close()


def invite(*arguments: str) -> tuple[str, str]:
    out, wrong = StringIO(), StringIO()
    call_command("invite", *arguments, stdout=out, stderr=wrong)
    return out.getvalue(), wrong.getvalue()


def test_invitation_is_mailed_and_works(postbox: Postbox, client: Client) -> None:
    out, _ = invite("ada", "--mail", "ada@example.org", "--url", "http://testserver")

    assert "was mailed to ada@example.org" in out
    assert "/sign-in/" not in out
    (mail,) = postbox.mails
    assert "To: ada@example.org" in mail
    assert "From: portal@example.org" in mail
    link = next(line.strip() for line in mail.splitlines() if "/sign-in/" in line)
    assert client.get(link.removeprefix("http://testserver")).status_code == 200


def test_mail_that_is_refused_leaves_the_link_on_the_terminal(full_postbox: Postbox) -> None:
    out, wrong = invite("ada", "--mail", "ada@example.org")

    assert "/sign-in/" in out
    assert "did not take the mail" in wrong
    assert "secret-word" not in out + wrong
    assert not full_postbox.mails


def test_link_is_printed_without_a_server_or_an_address(postbox: Postbox, settings: Settings) -> None:
    out, said = invite("ada")
    assert "/sign-in/" in out
    assert "No mail" not in said
    settings.MAIL_SERVER = None
    out, said = invite("ada", "--mail", "ada@example.org")
    assert "/sign-in/" in out
    assert "No mail was sent, because EMAIL_URL is not set." in said
    assert User.objects.get().email == "ada@example.org"
    assert not postbox.mails


@pytest.mark.parametrize("address", ["ada", "ada@example.org\nBcc: eve@example.org", "a@b@c"])
def test_wrong_address_is_refused(postbox: Postbox, address: str) -> None:
    with pytest.raises(CommandError, match="is not a mail address"):
        invite("ada", "--mail", address)

    assert not postbox.mails
    assert not User.objects.exists()
