"""Attacks on the doors of people, in each way to sign in: none opens, and nothing of another person comes out."""

import re
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any
from urllib.parse import quote, urlencode

from bench.drills.hostile import WORDS, answer_to
from bench.drills.outcome import Outcome, secrets_in
from bench.drills.provider import issuer
from bench.drills.upstream import asking
from bench.servers import Server
from bench.ways import PASSWORD, choose_password, invite
from econweb.accounts.proxy_check import list_attacks

VIEW, NAME = "/category/900/tags/", "/me/names/category/900/"
# Each is of the victim, or of a secret that an attacker guesses at; none may be seen or logged.
REASON, WORD, CODE = "planted-reason-8471", "planted-word-8471", "planted-code-8471"
FORGED = "0" * 32
# All of 127.0.0.0/8 is this machine: one address is that of the proxy.
PROXY = "127.0.0.2"
FORM = "application/x-www-form-urlencoded"
DOORS = (
    "/sign-in/", "/sign-in/", "/sign-in/callback/", "/sign-in/callback/", "/sign-in/signed-out/", "/sign-in/MQ/x-y/",
    "/me/", "/me/sessions/", "/me/password/", "/me/sign-out/", "/me/names/", NAME, "/me/changes/1/undo/", "/changes/",
    "/changes/record.csv", "/admin/", "/admin/login/", "/admin/auth/user/", "/admin/logout/", VIEW, f"{VIEW[:-1]}.csv",
    "/series/GNPCA/", "/suggest?q=gdp", "/browse/", f"{VIEW}?embed=1",
)  # fmt: skip
OPEN = ("/sign-in/", "/static/")
METHODS = (*("GET", "POST") * 6, "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE", "ME")
ELSEWHERE = (
    "https://evil.example/", "//evil.example", "///evil.example", "/\\evil.example", "http:evil.example",
    "javascript:alert(1)", "/%2f/evil.example", "\thttps://evil.example", "http://127.0.0.1@evil.example/", "/me/",
    "/\r\nSet-Cookie: x=y", "/%0d%0aLocation:%20//evil.example", "series", "%00//evil.example",
)  # fmt: skip
TRICKS = (
    "X-HTTP-Method-Override: DELETE", "X-Forwarded-User: ada", "Remote-User: ada", "X-Forwarded-For: 127.0.0.2",
    "X-Forwarded-Host: evil.example", "X-Original-URL: /changes/", "X-Rewrite-URL: /changes/", "HX-Request: true",
    "HX-Current-URL: https://evil.example/", "Authorization: Basic YWRhOmFkYQ==", "Authorization: Bearer x",
    "Referer: https://evil.example/", "Origin: https://evil.example", "Origin: null", "Accept: text/html",
    "X-Forwarded-Proto: https", "If-None-Match: *", "Host: evil.example",
)  # fmt: skip
FORGERIES = [
    "\r\n".join(f"{name}: {value}" for name, value in attack.lines)
    for attack in list_attacks("EconwebUser", "EconwebGroups", "ada", "heads")
]
_OF_OTHERS = re.compile(rb"You are an (editor|admin)|class=\"kicker\"><bdi>ada")
_PERSONAL = re.compile(rb"You (read\.|are an (editor|admin))|Where you are signed in")


@dataclass(frozen=True)
class Site:
    """A running site, and what an attacker has seen of the victim: an ended link, a state and a cookie that are cut."""

    server: Server
    is_read_by_all: bool
    link: str = "/sign-in/MQ/x-y/"
    state: str = "s"
    flow: str = "a:b:c"
    issuer: str = "https://sso.example.org"
    # The session of the attacker's own account, a reader.
    own: str = ""

    def judge(self, path: str, answer: bytes, is_own: bool) -> str:
        """Return what is wrong with an answer to an attacker; an empty text for a good one."""
        head, _, body = answer.partition(b"\r\n\r\n")
        status, words = head[9:12].decode(errors="replace"), head.decode(errors="replace")
        location = re.search(r"(?im)^(?:location|hx-redirect): *(.*?)\r?$", words)
        # Django sends a browser its own token of forms again, and makes a new one at the sign-in.
        cookies = " ".join(re.findall(r"(?im)^set-cookie:(?! *econweb_csrf=)(.*)$", words))
        is_open = self.is_read_by_all or is_own or path.startswith(OPEN)
        wrong = {
            f"status {status}": status.startswith("5") and status != "503",
            "a personal page": bool((_OF_OTHERS if is_own else _PERSONAL).search(body)) or REASON.encode() in answer,
            "a page without a sign-in": status == "200" and bool(body) and not is_open,
            "a session": bool(re.search(r"econweb_session=\w", cookies)),
            "a cookie of an attacker": FORGED in cookies or "x=y" in cookies,
            "a redirect elsewhere": bool(location) and not self._is_here(str(location and location[1])),
        }
        return ", ".join(f"{what} at {path}" for what, is_so in wrong.items() if is_so)

    def _is_here(self, address: str) -> bool:
        return bool(re.match(r"/(?![/\\])", address)) or address.startswith(f"{self.issuer}/")


def passwords(number: int = 10_000) -> Outcome:
    """A3, A16: guesses, ended invitations, planted sessions, and a reader who wants the rights and pages of others."""
    settings: dict[str, Any] = {**PASSWORD, "READ": "signed-in", "EDITORS": "ada"}
    with asking(**settings) as (_, server):
        link = invite(server, settings)
        victim = choose_password(server, link)
        own = choose_password(server, invite(server, settings, "mallory"))["Cookie"]
        _change_a_name(server, victim["Cookie"])
        site = Site(server, is_read_by_all=False, link=link, own=own)
        return _drill("doors: passwords", site, number, lambda path: server.get(path, victim).body, victim["Cookie"])


def _change_a_name(server: Server, session: str) -> None:
    form = server.get(NAME, {"Cookie": session})
    token = re.findall(rb'name="csrfmiddlewaretoken" value="(\w+)"', form.body)[0].decode()
    csrf = form.headers["set-cookie"].partition(";")[0]
    fields = urlencode({"csrfmiddlewaretoken": token, "name": "Ada's", "opened": 0, "reason": REASON})
    server.get(NAME, {"Cookie": f"{session}; {csrf}", "Content-Type": FORM}, body=fields)
    # Public pages show a new name after a second.
    time.sleep(2)


def proxy(number: int = 10_000) -> Outcome:
    """A22: a stranger names itself in every spelling, where only people read and only a proxy names them."""
    settings: dict[str, Any] = {
        "SIGN_IN": "proxy",
        "BEHIND_PROXY": "true",
        "PROXY_ADDRESSES": PROXY,
        "READ": "signed-in",
    }
    with asking(**settings, EDITORS="ada", ADMIN_GROUPS="heads") as (_, server):
        site = Site(server, is_read_by_all=False)

        def get(path: str) -> bytes:
            head = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nEconwebUser: ada\r\n\r\n"
            return answer_to(server, head.encode(), PROXY).partition(b"\r\n\r\n")[2]

        return _drill("doors: proxy", site, number, get, "")


def provider(number: int = 10_000) -> Outcome:
    """A42: forged, foreign and repeated callbacks; and no public page changes by the cookies of attackers."""
    with issuer() as address:
        client: dict[str, Any] = {"OIDC_CLIENT_ID": "econweb", "OIDC_CLIENT_SECRET": "a-secret-of-the-drill"}
        with asking(SIGN_IN="oidc", OIDC_ISSUER=address, **client) as (_, server):
            begun = server.get("/sign-in/")
            state = begun.headers["location"].partition("state=")[2].partition("&")[0]
            flow = begun.headers["set-cookie"].partition("econweb_sign_in=")[2].partition(";")[0]
            site = Site(server, is_read_by_all=True, state=state, flow=flow, issuer=address)
            return _drill("doors: provider", site, number, lambda path: server.get(path).body, "")


def _drill(name: str, site: Site, number: int, get: Callable[[str], bytes], cookie: str) -> Outcome:
    """Attack, and look at the site with the victim's eyes before and after."""
    random = Random(18)  # noqa: S311  the same requests each time
    seen = "/me/", "/changes/record.csv", VIEW, "/browse/"
    before, public = [_steady(get(path)) for path in seen], site.server.get("/help/").body
    if cookie and REASON.encode() not in before[1]:
        raise AssertionError("the victim has nothing to hide")
    statuses, wrong, bodies = Counter[str](), Counter[str](), []
    for _ in range(number):
        path, request = attack(random, site)
        answer = answer_to(site.server, request)
        statuses[answer[9:12].decode(errors="replace")] += 1
        is_own = bool(site.own) and site.own.encode() in request
        if found := site.judge(path.partition("?")[0], answer, is_own):
            wrong[found] += 1
        bodies.append(answer[:5000])
    lost = [f"{count} times {what}" for what, count in wrong.most_common(5)]
    lost += [
        f"the victim's {path} has changed" for path, old in zip(seen, before, strict=True) if _steady(get(path)) != old
    ]
    if site.own and b"mallory" not in site.server.get("/me/", {"Cookie": site.own}).body:
        lost.append("the attacker has no session")
    if site.server.get("/help/").body != public:
        lost.append("a public page has changed")
    log = site.server.log()
    secrets = [WORD, CODE, FORGED, *re.findall(r"\w{32}", f"{cookie} {site.state} {site.link}")]
    leaked = [secrets_in(site.server, *bodies), *(f"{secret[:8]}… in the log" for secret in secrets if secret in log)]
    noted = " ".join(f"{status}: {count}" for status, count in sorted(statuses.items()))
    return Outcome(name, f"{number} attacks", ", ".join(lost), ", ".join(filter(None, leaked)), noted=noted)


def _steady(body: bytes) -> bytes:
    """Leave out what is new on each page: the token of its forms, and the moment a session was used."""
    return re.sub(rb'(name="csrfmiddlewaretoken" value=")\w+|\d\d:\d\d', rb"\1", body)


def attack(random: Random, site: Site) -> tuple[str, bytes]:
    """Return the path and the whole request of one attack."""
    path = random.choice((*DOORS, site.link))
    fields = {name: random.choice(values) for name, values in _fields(site).items() if random.random() < 0.4}
    method, encoded = random.choice(METHODS), urlencode(fields, errors="replace")
    has_body = method in {"POST", "PUT", "ME"} and random.random() < 0.8
    query = "" if has_body else ("&" if "?" in path else "?") + encoded
    lines = [f"{method} {path}{query} HTTP/1.1", "Host: 127.0.0.1", "Connection: close"]
    lines += random.sample(TRICKS, random.randint(0, 2)) + random.sample(FORGERIES, random.randint(0, 1))
    cookies = random.sample(_cookies(random, site), random.randint(0, 3))
    if site.own and random.random() < 0.5 and "out" not in path:
        cookies = [site.own]
    # Most forms carry a token that fits.
    cookies += [f"econweb_csrf={FORGED}"] * (random.random() < 0.7)
    if cookies:
        lines.append(f"Cookie: {'; '.join(cookies)}")
    body = encoded if has_body else ""
    if has_body:
        lines += [f"Content-Type: {FORM}", f"Content-Length: {len(body)}"]
    return path, ("\r\n".join(lines) + f"\r\n\r\n{body}").encode()


def _fields(site: Site) -> Mapping[str, tuple[str, ...]]:
    return {
        "next": ELSEWHERE,
        "username": ("ada", "ADA", "ada\x00", "nobody", "a" * 200, "' OR 1=1 --"),
        "password": (WORD,),
        "old_password": (WORD,),
        "new_password1": (WORD,),
        "new_password2": (WORD,),
        "csrfmiddlewaretoken": (FORGED, FORGED, FORGED, "x" * 64),
        "state": (site.state, site.state[:-1], "", *WORDS),
        "code": (CODE, "x" * 4000, ""),
        "iss": (site.issuer, "https://evil.example"),
        "error": ("access_denied", *WORDS),
        "name": ("Evil", *WORDS),
        "opened": ("0", "-1"),
        "session": (FORGED,),
        "others": ("1",),
        "text": ("kind,id,name,note,parent_id\ncategory,900,Evil,,\n",),
        "store": ("1",),
    }


def _cookies(random: Random, site: Site) -> list[str]:
    cut = random.randrange(len(site.flow))
    return [
        f"econweb_session={random.choice((FORGED, 'a' * 32, '../' * 10, FORGED[:-4] + chr(92) + '000', ''))}",
        f"__Host-econweb_session={FORGED}",
        f"econweb_browser={FORGED}",
        f"econweb_sign_in={random.choice((site.flow[:cut], site.flow[::-1], site.flow, 'x' * 3000))}",
        f"sessionid={quote(random.choice(WORDS)[:500])}",
    ]
