"""The typed reader of the mail server's settings."""

from typing import Any, NamedTuple
from urllib.parse import parse_qs, unquote, urlsplit

from econweb.accounts.client_address import is_loopback
from econweb.config.environment import BadSetting, text

MAX_SECONDS = 10
EXAMPLE = "'smtps://user:word@mail.example.org?from=portal@example.org'"


class MailServer(NamedTuple):
    """The arguments of Django's connection to a mail server, and the sender of mails."""

    connection: dict[str, Any]
    sender: str


def mail_server(name: str) -> MailServer | None:
    """Return the server of an smtps URL (TLS) or an smtp URL (STARTTLS, except on this machine)."""
    value = text(name)
    if not value:
        return None
    try:
        parts = urlsplit(value)
        port, sender = parts.port, parse_qs(parts.query).get("from", [""])[0]
    except ValueError:
        raise BadSetting(name, "is not a valid URL", EXAMPLE) from None
    is_sender = sender.count("@") == 1 and sender.isprintable() and not {*" ,;<>"} & {*sender}
    if parts.scheme not in {"smtp", "smtps"} or not parts.hostname or not is_sender:
        raise BadSetting(name, "is not the URL of a mail server with a sender", EXAMPLE)
    user, password = unquote(parts.username or ""), unquote(parts.password or "")
    if not f"{user}{password}".isascii():
        # smtplib sends no others.
        raise BadSetting(name, "has a user or password with a letter or sign beyond ASCII", EXAMPLE)
    is_tls, is_here = parts.scheme == "smtps", is_loopback(parts.hostname)
    connection: dict[str, Any] = {
        "backend": "django.core.mail.backends.smtp.EmailBackend",
        "host": parts.hostname,
        "port": port or (465 if is_tls else 25 if is_here else 587),
        "username": user,
        "password": password,
        "use_ssl": is_tls,
        "use_tls": not is_tls and not is_here,
        "timeout": MAX_SECONDS,
    }
    return MailServer(connection, sender)
