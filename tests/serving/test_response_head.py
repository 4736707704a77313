"""The head of every response stays below the 4 KiB that a proxy takes, whatever a request makes it repeat."""

import os
import socket
from collections.abc import Iterator
from itertools import product
from threading import Thread
from urllib.parse import quote, unquote, urlencode, urlsplit

import pytest
from django.urls import Resolver404, resolve

from econweb.dashboard.urls import urlpatterns
from tests.server import served
from tests.startup.prepared import prepare

pytestmark = pytest.mark.slow

MAX_HEAD = 4096
VIEWS = ["/category/125/tags/", "/release/53/tags/"]
WORDS = {"Latin": "a" * 200, "Cyrillic": "я" * 200, "Han": "語" * 200, "emoji": "😀" * 200}
NAMES = {script: ";".join(f"{sign * 8}{n:02}" for n in range(50)) for script, sign in
         {"Latin": "a", "Cyrillic": "я", "Han": "語"}.items()}  # fmt: skip
LONG = "x" * 5000
IDS = ",".join(f"{'A' * 18}{number:03}" for number in range(200))
HTMX = "HX-Request: true\r\nHX-Target: results\r\nHX-Current-URL: http://127.0.0.1/category/125/tags/?search_text=a\r\n"
HEADERS = {
    "page": "",
    "packed page": "Accept-Encoding: gzip, br\r\n",
    "fragment": HTMX,
    "fragment while typing": f"{HTMX}HX-Trigger: words\r\n",
    "file by Accept": "Accept: text/csv\r\n",
}
ADDRESSES = [
    *(f"{view}?{urlencode({'search_text': words})}" for view, words in product(VIEWS, WORDS.values())),
    *(f"{view}?{urlencode({'tag_names': names})}" for view, names in product(VIEWS, NAMES.values())),
    *(f"{VIEWS[0]}?{urlencode({'tag_names': NAMES['Latin'], 'search_text': words, 'limit': 7, 'offset': 7})}"
      for words in WORDS.values()),
    *(f"{VIEWS[0]}?{urlencode({'search_text': words, 'form': 'plain'})}" for words in WORDS.values()),
    *(f"{VIEWS[0]}{more}&{urlencode({'search_text': WORDS['emoji']})}"
      for more in ("?renew=1", "profile?form=plain", "code?form=plain", "?embed=1")),
    f"/category/125/tags.csv?{urlencode({'search_text': WORDS['emoji']})}",
    f"/category/125/tags.xlsx?{urlencode({'search_text': WORDS['emoji']})}",
    f"/category/125/tags.csv?{urlencode({'tag_names': NAMES['Han'], 'renew': 1})}",
    f"/category/125/tags?search_text={quote(WORDS['emoji'])}",
    f"/category/125/tags?x={LONG}",
    f"/series/GDP?x={LONG}",
    f"/series/GNPCA/?form=plain&x={LONG}",
    f"/compare/?a=category:125&b=release:53&form=plain&x={LONG}",
    f"/go?q={IDS}",
    f"/go?q={quote('/series/GDP?x=' + LONG)}",
    f"/go?q={quote('/category/125/tags/?search_text=' + WORDS['emoji'])}",
    f"/go?q={quote('/series/GDP?api_key=abcdefghijklmnopqrstuvwxyz012345&x=' + LONG)}",
    f"/?api_key=1&x={LONG}",
    f"/?api_key=1&x={quote(WORDS['emoji'])}",
    f"/econ/series?series_id=GNPCA&api_key={LONG}",
    f"/admin/?x={LONG}",
    f"/nope/{'n' * 3000}",
    f"/nope/{'n' * 3000}/?x={LONG}",
    f"//evil.example/{'n' * 3000}?api_key=1",
    *(f"{page}{quote(WORDS['emoji'])}&form=plain&offset=0" for page in
      ("/?x=", "/about/?x=", "/help/?x=", "/go?q=", "/suggest?q=", "/suggest.json?q=", "/opensearch.xml?x=",
       "/search/?q=", "/search.csv?q=", "/browse/?q=", "/browse/releases/?q=", "/browse/categories/?q=",
       "/browse/categories/125/children?x=", "/browse/overview/?x=", "/browse/overview.csv?x=",
       "/browse/tags/?q=", "/browse/tags.csv?q=", "/tag/usa/?x=", "/saved/?q=", "/frozen/?target=",
       "/news/?x=", "/news/feed.atom?x=", "/category/125/?x=", "/check/?ids=", "/check.json?x=", "/mcp?x=",
       "/category/125/similar/?x=", "/category/125/tags/names?q=", "/category/125/tags/profile?search_text=",
       "/series/GNPCA.csv?x=", "/series/GNPCA.bib?x=", "/series/GNPCA/code?x=", "/series/?ids=A&x=",
       "/series.csv?ids=A&x=", "/compare.csv?a=release:53&b=category:125&x=")),
    *(f"/tag/{quote(WORDS['emoji'])}{end}" for end in ("", "/", ".csv", "/?form=plain")),
    "/opensearch.xml",
    *(f"/frozen/{page}?target={quote(f'{VIEWS[0]}?search_text={quote(words)}')}"
      for page in ("timemap", "timegate") for words in (WORDS["Latin"], WORDS["Cyrillic"], WORDS["emoji"])),
    *(f"{page}?x={LONG}" for page in
      ("/sign-in/", "/sign-in/MQ/a-b/", "/sign-in/callback/", "/sign-in/signed-out/", "/me/", "/me/sessions/",
       "/me/password/", "/me/assistants/", "/me/sign-out/", "/me/names/", "/me/compare/", "/me/compare.csv",
       "/me/freeze/", "/me/frozen/", *(f"{start}/frozen/0000000000000{end}" for start in ("", "/me")
       for end in ("/", ".csv", ".bib", ".zip", "/names", "/edit/", "/withdraw/")),
       "/me/names/category/125/", "/me/save/", "/me/saved/", "/me/saved/a/", "/me/saved/a/edit/", "/saved/a/",
       "/me/news/", "/me/unsubscribe/", "/feeds/mine.atom", "/saved/a/feed.atom", "/me/saved/a.zip", "/saved/a.zip",
       "/me/follow/", "/me/watches/", "/me/changes/1/undo/", "/changes/", "/changes/record.csv", "/me/names.csv")),
    f"/sign-in/?next=/{LONG}",
    f"/me/?{urlencode({'x': WORDS['emoji']})}",
]  # fmt: skip


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, int]]:
    """A server that sends all that it sends behind a proxy with TLS."""
    data, hosts = prepare(tmp_path_factory.mktemp("data")), "portal.example.org,127.0.0.1"
    with served(data, ALLOWED_HOSTS=hosts, BEHIND_PROXY="true") as (address, process):
        assert process.stdout
        # A log that nobody reads fills its pipe.
        Thread(target=read_all, args=(process.stdout.fileno(),), daemon=True).start()
        parts = urlsplit(address)
        yield str(parts.hostname), int(parts.port or 0)


def read_all(pipe: int) -> None:
    while os.read(pipe, 65536):
        pass


def head_of(server: tuple[str, int], address: str, headers: str) -> bytes:
    """Return the head as it comes over the wire."""
    asked = f"GET {address} HTTP/1.1\r\nHost: 127.0.0.1\r\n{headers}"
    asked += f"X-Forwarded-Proto: https\r\nX-Request-ID: {'i' * 64}\r\n"
    answer = b""
    with socket.create_connection(server, timeout=20) as connection:
        connection.sendall(f"{asked}Connection: close\r\n\r\n".encode())
        while b"\r\n\r\n" not in answer and (piece := connection.recv(65536)):
            answer += piece
    return answer.partition(b"\r\n\r\n")[0] + b"\r\n\r\n"


@pytest.mark.parametrize("headers", HEADERS.values(), ids=HEADERS)
def test_response_head_fits_a_proxy_buffer(server: tuple[str, int], headers: str) -> None:
    heads = {address: head_of(server, address, headers) for address in ADDRESSES}

    too_long = {address[:60]: len(head) for address, head in heads.items() if len(head) >= MAX_HEAD}
    broken = {address[:60]: head[9:12] for address, head in heads.items() if head[9:10] not in b"234"}
    assert (too_long, broken) == ({}, {})


def test_response_head_of_every_page_is_checked() -> None:
    paths = {urlsplit(address).path for address in ADDRESSES if not address.startswith("//")}
    resolved = {resolve(unquote(path)).url_name for path in paths if is_page(path)}

    assert {pattern.name for pattern in urlpatterns} <= resolved


def is_page(path: str) -> bool:
    try:
        return bool(resolve(unquote(path)))
    except Resolver404:
        return False


def test_long_redirect_is_an_error_page(
    server: tuple[str, int],
) -> None:
    fits = head_of(server, f"/?api_key=1&x={'x' * 2000}", "")
    too_long = head_of(server, f"/?api_key=1&x={LONG}", "")

    assert fits[9:12] == b"302"
    assert too_long[9:12] == b"414"
    assert b"\nlocation" not in too_long.lower()


def test_long_list_is_shown_without_a_redirect(
    server: tuple[str, int],
) -> None:
    """A browser without JavaScript sends the form of a list; the box takes a list as well."""
    assert head_of(server, f"/series/?form=plain&ids={IDS}", "")[9:12] == b"200"
    assert head_of(server, f"/go?q={IDS}", "")[9:12] == b"200"


def test_response_head_keeps_links_of_short_view_and_url_of_long_fragment(server: tuple[str, int]) -> None:
    short = head_of(server, "/category/125/tags/?search_text=gdp", "")
    fragment = head_of(server, f"{VIEWS[0]}?search_text={quote(WORDS['Cyrillic'])}", HTMX)

    assert b'rel="alternate"' in short
    assert b"\nhx-push-url: /category/" in fragment.lower()
