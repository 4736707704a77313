"""Run as a program: provoke every error with all logs on, and write the output into a folder."""

import logging
import os
import sys
import traceback
from pathlib import Path
from typing import TextIO

from tests.upstream.raw_server import Behaviour, Peer, closes, drips, http, resets, sends, waits
from tests.upstream.sample_replies import GOOD, as_json

KEY = os.environ["ECON_API_KEY"]
WORDS = f"The key {KEY} of /econ/series?api_key={KEY} is not known."
ECHO = f'{{"error_code":400,"error_message":"{WORDS}"}}'.encode()
FAULTS: list[Behaviour | bytes] = [
    waits,
    closes,
    resets,
    drips(b"HTTP/1.1 200 OK\r\n"),
    sends(b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{", then=closes),
    http(ECHO, 400),
    http(ECHO, 403),
    http(b"<html>" + ECHO, 500),
    http(b"", 302, f"Location: https://data.example.org/?api_key={KEY}"),
    http(b"", 429, "Retry-After: 1"),
    http(b'{"seriess":"' + KEY.encode() + b'"}'),
    http(as_json(GOOD)),
]


def main(folder: Path) -> None:
    peer = Peer()
    os.environ["ECON_BASE_URL"] = peer.url
    os.environ["DJANGO_SETTINGS_MODULE"] = "econweb.settings"
    import django  # noqa: PLC0415  the settings read the address of the peer

    django.setup()
    from econweb.startup.static_files import collectstatic_if_changed  # noqa: PLC0415

    collectstatic_if_changed()
    for name in (None, "urllib3", "urllib3.connectionpool", "requests", "django", "django.request"):
        logging.getLogger(name).setLevel(logging.DEBUG)
    # A foreign handler without our formatter.
    logging.getLogger("urllib3.connectionpool").addHandler(logging.FileHandler(folder / "foreign.log"))
    with (folder / "got.txt").open("w", encoding="utf-8") as got:
        provoked = sum(provoke(peer, fault, got) for fault in FAULTS)
        provoked += crash(got)
    peer.close()
    sys.stdout.write(f"provoked {provoked} errors\n")


def provoke(peer: Peer, fault: Behaviour | bytes, got: TextIO) -> bool:
    from django.core.cache import caches  # noqa: PLC0415
    from django.test import Client  # noqa: PLC0415

    from econweb.upstream import service  # noqa: PLC0415
    from econweb.upstream.errors import UpstreamError  # noqa: PLC0415
    from econweb.upstream.queries import SeriesQuery  # noqa: PLC0415

    peer.will(fault)
    service.upstream.cache_clear()
    try:
        service.series(SeriesQuery("GNPCA"))
    except UpstreamError as error:
        print(*traceback.format_exception(error), repr(error), error.__dict__, file=got)
        failed = True
    else:
        failed = False
    service.upstream.cache_clear()
    caches["default"].clear()
    page = Client().get("/series/GNPCA/")
    kept = vars(caches["default"])["_cache"]
    print(page.headers, page.text, kept, service.upstream(), file=got)
    caches["default"].clear()
    return failed


def crash(got: TextIO) -> bool:
    """An unexpected error, on the page that Django shows with DEBUG."""
    from django.test import Client  # noqa: PLC0415

    from econweb.upstream import client, service  # noqa: PLC0415

    def broken(*args: object) -> None:
        raise ValueError(f"https://data.example.org/?api_key={KEY}")

    service.upstream.cache_clear()
    setattr(client, "exchange", broken)  # noqa: B010  mypy would ask for the same signature
    page = Client(raise_request_exception=False).get("/series/CRASH/")
    print(page.status_code, page.text, file=got)
    return page.status_code == 500


if __name__ == "__main__":
    main(Path(sys.argv[1]))
