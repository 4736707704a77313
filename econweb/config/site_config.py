"""The typed reader of what an institute puts on every page: name, logo, links, contact and a notice."""

import re
from pathlib import Path
from typing import NamedTuple

from econweb.config.environment import HOST, PORT, BadSetting, matching, text
from econweb.config.file_access import describe_inaccessible

DEFAULT_NAME = "econweb"
LOGO_TYPES = {".svg", ".png", ".webp"}
# Characters of a sentence in the footer of every page.
MAX_NOTICE = 300
# It is on every first view.
MAX_LOGO_BYTES = 100_000
_LINK = rf"https?://{HOST}{PORT}(/[^\s<>\"']{{0,300}})?"
_MAIL = r"[A-Za-z0-9._+-]{1,64}@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+"


class Site(NamedTuple):
    """Name, logo, links and contact; what is not set is empty."""

    name: str = DEFAULT_NAME
    logo: str = ""
    imprint: str = ""
    privacy: str = ""
    contact: str = ""

    @property
    def logo_file(self) -> str:
        """Return the name of the logo among the static files."""
        return f"logo{Path(self.logo).suffix.lower()}" if self.logo else ""

    @property
    def contact_link(self) -> str:
        return f"mailto:{self.contact}" if "@" in self.contact else self.contact


def site(name: str, logo: str, imprint: str, privacy: str, contact: str) -> Site:
    """Read the settings with these names."""
    pattern, wrong = r"[^\x00-\x1f\x7f<>]{1,40}", "is not a name of at most 40 characters without < and >"
    shown = matching(name, pattern, wrong, "'Data portal'", DEFAULT_NAME)
    wrong, example = "is not a link", "https://www.example.org/page"
    links = [matching(each, _LINK, wrong, example) for each in (imprint, privacy)]
    address = matching(contact, f"{_LINK}|{_MAIL}", "is neither a mail address nor a link", "data@example.org")
    return Site(shown, _logo(logo), links[0], links[1], address)


def notice(name: str) -> tuple[str, str]:
    """Return a sentence for readers and the https link behind it; two empty texts when there is none."""
    sentence, _, link = text(name).rpartition(" ")
    address = rf"https://{HOST}{PORT}(/[\w.~/?=&%#+-]*)?"
    is_text = sentence.strip() and sentence.isprintable() and len(sentence) <= MAX_NOTICE and not {*"<>"} & {*sentence}
    if text(name) and not (is_text and re.fullmatch(address, link, re.ASCII)):
        example = "'Data by Example. https://data.example.org/terms'"
        raise BadSetting(name, "is not a sentence without < and >, a space and an https link", example)
    return sentence.strip(), link


def _logo(name: str) -> str:
    """Return the path of a picture that can be read; empty for none."""
    path = text(name)
    if not path:
        return ""
    try:
        content = Path(path).read_bytes() if Path(path).suffix.lower() in LOGO_TYPES else b""
    except PermissionError:
        raise SystemExit(f"{name}: {describe_inaccessible(Path(path))}") from None
    except OSError:
        content = b""
    if not 0 < len(content) <= MAX_LOGO_BYTES or not _is_picture(content):
        raise BadSetting(name, "is not a readable SVG, PNG or WebP file of at most 100 kB", "/etc/econweb/logo.svg")
    return path


def _is_picture(content: bytes) -> bool:
    return content.startswith((b"\x89PNG", b"RIFF")) or bool(re.search(rb"<svg[\s>]", content[:5000]))
