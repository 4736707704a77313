"""Collect static files into DATA_DIR, but only when one of them has changed."""

import hashlib
import json
import os
import time
from collections.abc import Sequence
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command

# Sources, and unused library files: compressing them took 4 of 5.4 s of processor time, measured.
UNUSED_FILES = ["select2", "jquery.js", "xregexp.js", "htmax-*", "htmx-4*", "htmx-2.js", "ext", "scripts", "styles"]
# A tab may stay open for days, and another host may still serve pages of the earlier version.
MAX_RETIRED_SECONDS = 7 * 86400
# Within a layer, later files override earlier ones.
STYLES = (
    "tokens",
    "header",
    "search",
    "pages",
    "home",
    "browse",
    "filters",
    "tables",
    "profile",
    "tag_page",
    "narrow",
    "menus",
    "lists",
    "id_check",
    "comparison",
    "compare_form",
    "account",
    "print",
)
# The first ones define what the others use; the last one starts them.
SCRIPTS = (
    "base",
    "theme",
    "clipboard",
    "recent",
    "lists",
    "waiting",
    "keys",
    "search_box",
    "menus",
    "pictures",
    "columns",
    "history",
    "fragments",
    "start",
)


def bundle_static_files() -> None:
    """Join the style sheets into one file, and the scripts into another, so that a first view needs two requests."""
    _write_if_changed("econweb.css", _drop_comments(_join("styles", STYLES, ".css")))
    _write_if_changed("econweb.js", f'(() => {{\n"use strict";\n{_join("scripts", SCRIPTS, ".js")}}})();\n')
    _copy_logo()


def _copy_logo() -> None:
    """Put the logo of the site among the static files; its address has a digest, as theirs."""
    made = settings.DATA_DIR / "made"
    for old in made.glob("logo.*"):
        if old.name != settings.SITE.logo_file:
            old.unlink()
    if settings.SITE.logo:
        content, target = Path(settings.SITE.logo).read_bytes(), made / settings.SITE.logo_file
        if not target.is_file() or target.read_bytes() != content:
            target.write_bytes(content)


def _join(folder: str, names: Sequence[str], suffix: str) -> str:
    paths = (settings.BASE_DIR / "static" / folder / f"{name}{suffix}" for name in names)
    return "\n".join(path.read_text(encoding="utf-8") for path in paths)


def _drop_comments(style: str) -> str:
    """Leave out comments and indents, which take one of the 40 KiB of a first view."""
    code = "".join(part.partition("*/")[2] if place else part for place, part in enumerate(style.split("/*")))
    return "".join(f"{line.strip()}\n" for line in code.splitlines() if line.strip())


def _write_if_changed(name: str, text: str) -> None:
    bundle = settings.DATA_DIR / "made" / name
    if bundle.is_file() and bundle.read_text(encoding="utf-8") == text:
        return
    bundle.parent.mkdir(parents=True, exist_ok=True)
    bundle.write_text(text, encoding="utf-8")


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
