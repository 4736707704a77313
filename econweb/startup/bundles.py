"""One style sheet and one script, so that a first view needs two requests, and the logo of the site."""

from collections.abc import Sequence
from pathlib import Path

from django.conf import settings

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
    "document",
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
    code = _drop_comment_lines(_join("scripts", SCRIPTS, ".js"))
    _write_if_changed("econweb.js", f'(() => {{\n"use strict";\n{code}}})();\n')
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


def _drop_comment_lines(script: str) -> str:
    """Leave out lines that are a comment alone; a comment behind code stays, since text may hold two slashes too."""
    return "".join(f"{line}\n" for line in script.splitlines() if not line.lstrip().startswith("//"))


def _write_if_changed(name: str, text: str) -> None:
    bundle = settings.DATA_DIR / "made" / name
    if bundle.is_file() and bundle.read_text(encoding="utf-8") == text:
        return
    bundle.parent.mkdir(parents=True, exist_ok=True)
    bundle.write_text(text, encoding="utf-8")
