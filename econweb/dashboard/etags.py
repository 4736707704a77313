"""The name of an answer's state, from what determines its bytes: known before anything is made."""

from functools import cache
from hashlib import blake2b
from pathlib import Path

from django.conf import settings


def weak_etag(*said: object) -> str:
    return f'W/"{blake2b(repr((_edition(), *said)).encode(), digest_size=12).hexdigest()}"'


@cache
def _edition() -> str:
    """The state of the program itself: a new release makes new pages of old data."""
    digest = blake2b(digest_size=8)
    for folder in (settings.BASE_DIR / "templates", settings.BASE_DIR / "static", Path(__file__).parent):
        for path in sorted(folder.rglob("*.*")):
            digest.update(f"{path.name} {path.stat().st_mtime_ns}".encode())
    return digest.hexdigest()
