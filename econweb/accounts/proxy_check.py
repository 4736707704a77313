"""Attacks on the proxy that signs people in: forged headers in every spelling, and what became of each."""

import html
import re
import secrets
import socket
import ssl
from collections.abc import Iterator, Sequence
from http.client import HTTPException
from typing import NamedTuple
from urllib.parse import SplitResult, urlsplit

from django.conf import settings

from econweb.accounts.client_address import NOT_OF_PROXY
from econweb.timed_http import ReplyTooLong, TimedResponse

SECONDS, MAX_BODY = 10.0, 512 * 1024
# `/me/` names the person, and the role if it is more than a reader's.
_NAME = re.compile(r'<p class="kicker"><bdi>([^<]{1,400})</bdi></p>\s*<h1>Your account</h1>')
_ROLE = re.compile(r"You are an (editor|admin)\b")
# Of `/me/` where the site reads the headers, and else where it signs people in by another way.
_READING = ("You sign in and out at the proxy of", "and it named nobody for this request")
_OTHER_WAYS = ("<h1>Your account</h1>", "<h1>Your pages</h1>", "Only on the machine itself")
_ROLES = ("", "editor", "admin")
GOT_THROUGH, NO_VERDICT = "GOT THROUGH", "limited or failed: nothing known"
_REFUSED = "This request cannot name a person"
WRONG_ADDRESS = "the proxy comes from an address that PROXY_ADDRESSES lacks: the log of the site has it as `client`"

Lines = Sequence[tuple[str, str]]


class Reply(NamedTuple):
    """The person and role in a reply of `/me/`; a stranger and the proxy's own page have no name."""

    status: int
    name: str
    role: str
    is_refused: bool
    # Whether the site refused it because of the address from which it came.
    has_wrong_address: bool = False
    # Whether it is of a site that reads the headers; None where the proxy answered itself.
    is_reading: bool | None = None


class Attack(NamedTuple):
    title: str
    lines: Lines


def name_host_remedy(url: str) -> str:
    """Return what to do where the site answers 400 under the name in the address."""
    remedy = f"name {urlsplit(url).hostname} in ALLOWED_HOSTS and restart, or have the proxy pass `Host`"
    return f"{remedy}, as docs/nginx.conf does"


def forged_name() -> str:
    return f"check-{secrets.token_hex(8)}"


def list_attacks(user_header: str, groups_header: str, name: str, groups: str) -> Iterator[Attack]:
    """Return each way to send a forged name, forged groups, and both."""
    yield from _spell(user_header, name)
    yield from _spell(groups_header, groups)
    yield Attack(f"{user_header} and {groups_header}", [(user_header, name), (groups_header, groups)])


def _spell(header: str, value: str) -> Iterator[Attack]:
    middle = next((place for place in range(1, len(header)) if header[place].isupper()), len(header) // 2)
    hyphen, underscore = (f"{header[:middle]}{sign}{header[middle:]}" for sign in "-_")
    for name in (header, header.lower(), header.upper(), hyphen, underscore, f"{header}-", f"{header}_"):
        yield Attack(name, [(name, value)])
    for name, title in ((f"{header} ", "a space"), (f"{header}\t", "a tab")):
        yield Attack(f"{header}, {title} before the colon", [(name, value)])
    for first, second, title in ((header, header, "twice"), (header, header.lower(), "twice, in two cases")):
        yield Attack(f"{header} {title}", [(first, value), (second, value)])
    yield Attack(f"{header}, empty and then forged", [(header, ""), (header, value)])
    yield Attack(f"{header}, forged and then empty", [(header, value), (header, "")])
    yield Attack(f"{header} beside {underscore}", [(header, value), (underscore, value)])
    yield Attack(f"{header} on a folded line", [("X-Check", f"1\r\n {header}: {value}")])
    yield Attack(f"{header} after a bare line feed", [("X-Check", f"1\n{header}: {value}")])
    yield Attack(f"{header} in Connection", [(header, value), ("Connection", header)])
    yield Attack(f"{header} in X-Forwarded-For", [("X-Forwarded-For", "127.0.0.1"), (header, value)])


def ask(address: SplitResult, lines: Lines) -> Reply:
    """Ask for `/me/` with these headers as they are; OSError if there is no reply that can be read."""
    host, is_https = str(address.hostname), address.scheme == "https"
    head = "".join(f"{name}: {value}\r\n" for name, value in lines)
    closing = "" if any(name == "Connection" for name, _ in lines) else "Connection: close\r\n"
    asked = f"GET {address.path.rstrip('/')}/me/ HTTP/1.1\r\nHost: {address.netloc}\r\nAccept: text/html\r\n"
    plain = socket.create_connection((host, address.port or (443 if is_https else 80)), timeout=SECONDS)
    with plain, _secure(plain, host) if is_https else plain as connection:
        connection.sendall(f"{asked}{closing}{head}\r\n".encode())
        response = TimedResponse(connection, method="GET")
        try:
            response.begin()
            body = response.read(MAX_BODY)
        except (HTTPException, ReplyTooLong) as error:
            raise OSError(f"the reply is not HTTP ({type(error).__name__})") from None
    text = body.decode(errors="replace")
    return _understand(response.status, text)._replace(is_reading=_is_reading(address, response, text))


def _secure(plain: socket.socket, host: str) -> ssl.SSLSocket:
    """Return the connection in TLS; an authority of the institute is trusted beside the public ones."""
    context = ssl.create_default_context()
    if settings.ECON_CA_FILE:
        context.load_verify_locations(settings.ECON_CA_FILE)
    return context.wrap_socket(plain, server_hostname=host)


def _understand(status: int, body: str) -> Reply:
    name, role = _NAME.search(body), _ROLE.search(body)
    if status != 200 or not name:
        is_refused = status == 400 and _REFUSED in body
        return Reply(status, "", "", is_refused, is_refused and NOT_OF_PROXY in body)
    return Reply(status, html.unescape(name[1]), role[1] if role else "", is_refused=False)


def _is_reading(address: SplitResult, response: TimedResponse, body: str) -> bool | None:
    if any(words in body for words in _READING):
        return True
    to = urlsplit(response.getheader("Location", ""))
    # With SIGN_IN=proxy, econweb has no page to sign in.
    is_own = to.netloc in {"", address.netloc} and to.path == f"{address.path.rstrip('/')}/sign-in/"
    is_other = is_own and to.query.startswith("next=")
    return False if is_other or response.status == 404 or any(words in body for words in _OTHER_WAYS) else None


def judge(honest: Reply, reply: Reply) -> str:
    """Return what became of a forged header, compared with the reply to the same request without it."""
    if reply.is_refused:
        return "passed on, and refused by the site"
    # The proxy limits requests, or fails: the site may never have seen this one.
    if reply.status == 429 or reply.status >= 500:
        return NO_VERDICT
    # Apache drops a header that the client names in `Connection`: a person who loses groups gains nothing.
    if reply.name in {honest.name, ""} and _ROLES.index(reply.role) <= _ROLES.index(honest.role):
        return "dropped or replaced"
    return GOT_THROUGH
