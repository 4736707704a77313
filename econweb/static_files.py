"""Collects static files into DATA_DIR, but only when one of them has changed."""

import hashlib
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command

# Sources, and parts of libraries that no page asks for and that would take most of the time to compress.
UNUSED = ["select2", "jquery.js", "xregexp.js", "htmax-*", "htmx-4*", "htmx-2.js", "ext", "parts"]


def join_styles() -> None:
    """The parts of the style sheet as one file: each of its own would be a request of every first view."""
    parts = sorted((settings.BASE_DIR / "static" / "parts").glob("*.css"))
    text = "\n".join(part.read_text(encoding="utf-8") for part in parts)
    made = settings.DATA_DIR / "made" / "econweb.css"
    if made.is_file() and made.read_text(encoding="utf-8") == text:
        return
    made.parent.mkdir(parents=True, exist_ok=True)
    made.write_text(text, encoding="utf-8")


def collect_when_stale() -> None:
    join_styles()
    stamp = Path(settings.DATA_DIR) / "static.fingerprint"
    now = _fingerprint()
    if Path(settings.STATIC_ROOT).is_dir() and stamp.is_file() and stamp.read_text() == now:
        return
    call_command("collectstatic", verbosity=0, interactive=False, clear=True, ignore_patterns=UNUSED)
    stamp.write_text(now)


def _fingerprint() -> str:
    digest = hashlib.sha256()
    for finder in get_finders():
        for name, storage in finder.list([]):
            facts = Path(storage.path(name)).stat()
            digest.update(f"{name} {facts.st_size} {facts.st_mtime_ns}\n".encode())
    return digest.hexdigest()
