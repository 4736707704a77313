"""Collect static files into DATA_DIR, but only when one of them has changed."""

import hashlib
import json
import os
import time
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command

from econweb.startup.bundles import bundle_static_files

# Sources, and unused library files: compressing them took 4 of 5.4 s of processor time, measured.
UNUSED_FILES = ["select2", "jquery.js", "xregexp.js", "htmax-*", "htmx-4*", "htmx-2.js", "ext", "scripts", "styles"]
# A tab may stay open for days, and another host may still serve pages of the earlier version.
MAX_RETIRED_SECONDS = 7 * 86400


def collectstatic_if_changed() -> None:
    """Collect the files of this version; those of earlier ones stay for a week, for pages that name them."""
    bundle_static_files()
    if not are_static_files_current():
        before = _list_served()
        call_command("collectstatic", verbosity=0, interactive=False, ignore_patterns=UNUSED_FILES)
        _retire(before - _list_served())
        _stamp().write_text(_fingerprint())


def _list_served() -> set[str]:
    """Return the names that pages of the collected version have."""
    manifest = settings.STATIC_ROOT / "staticfiles.json"
    return set(json.loads(manifest.read_text())["paths"].values()) if manifest.is_file() else set()


def _retire(names: set[str]) -> None:
    """Begin the week of files that no page of this version names, and remove those whose week is over."""
    root, current = settings.STATIC_ROOT, _list_served() | {"staticfiles.json"}
    for path in filter(Path.is_file, root.rglob("*")):
        # A compressed file goes with its original.
        name = str(path.relative_to(root)).removesuffix(".gz").removesuffix(".br")
        if name in names:
            os.utime(path)
        elif name not in current and time.time() - path.stat().st_mtime > MAX_RETIRED_SECONDS:
            path.unlink()


def are_static_files_current() -> bool:
    return settings.STATIC_ROOT.is_dir() and _stamp().is_file() and _stamp().read_text() == _fingerprint()


def _stamp() -> Path:
    return settings.DATA_DIR / "static.fingerprint"


def _fingerprint() -> str:
    digest = hashlib.sha256()
    for finder in get_finders():
        for name, storage in finder.list([]):
            status = Path(storage.path(name)).stat()
            digest.update(f"{name} {status.st_size} {status.st_mtime_ns}\n".encode())
    return digest.hexdigest()
