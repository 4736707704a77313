"""Typed readers of environment variables; a wrong value stops the start with one line."""

import os
import re
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import unquote
from zoneinfo import available_timezones

from econweb.config.file_access import describe_inaccessible, find_owner_beside_root
from econweb.config.secret_key import MIN_SECRET_LENGTH

# Patterns of the host name in a URL, of a port from 1 to 65535, and of one that may follow the host.
HOST = r"[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*"
A_PORT = r":(?:[1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])"
PORT = rf"(?:{A_PORT})?"

# The settings that were read, and the line of each name in .env. Any other name is misspelt.
names_read: set[str] = set()
dot_env_lines: dict[str, int] = {}


class BadSetting(SystemExit):
    """Exit with this text on standard error and code 1."""

    def __init__(self, name: str, wrong: str, example: str, sample_name: str = "") -> None:
        super().__init__(f"{name}: {wrong}. Example: {sample_name or name}={example}")


def read_dot_env(path: Path) -> None:
    """Set the variables that are not in the environment; never show a malformed line, which may hold a key."""
    if path.is_dir():
        raise SystemExit(f"{path} is a folder. Remove it, or write the settings into a file of this name.")
    if not path.exists():
        return
    if not os.access(path, os.R_OK):
        raise SystemExit(describe_inaccessible(path))
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError):
        raise SystemExit(".env cannot be read as UTF-8 text. Save it in this encoding.") from None
    for number, line in enumerate(lines, start=1):
        name, equals, value = line.strip().removeprefix("export ").partition("=")
        if not name or name.startswith("#"):
            continue
        if not equals or not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name):
            raise BadSetting(f".env, line {number}", "is not of the form NAME=value", "false", "DEBUG")
        dot_env_lines[name] = number
        quoted = re.fullmatch(r"(['\"])(.*?)\1(\s+#.*)?", value.strip())
        os.environ.setdefault(name, quoted[2] if quoted else re.split(r"\s#", value)[0].strip())


def text(name: str, default: str = "") -> str:
    """Return the variable, or the content of the file that NAME_FILE names. An empty variable counts as unset."""
    names_read.add(name)
    given = os.environ.get(name, "").strip()
    if file := os.environ.get(f"{name}_FILE", "").strip():
        if given:
            raise BadSetting(f"{name}_FILE", f"is set together with {name}: set only one of them", "/run/secrets/name")
        value = _content(Path(file), f"{name}_FILE").strip()
        if not value:
            raise BadSetting(f"{name}_FILE", "names a file that is empty", "/run/secrets/name")
        return value
    return given or default


def _content(path: Path, name: str) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except PermissionError:
        raise SystemExit(f"{name}: {describe_inaccessible(path)}") from None
    except (OSError, UnicodeDecodeError):
        # Somebody may have written a secret where the name of its file belongs.
        raise BadSetting(name, "is not a file of UTF-8 text that can be read", "/run/secrets/name") from None


def folder(name: str, default: Path) -> Path:
    """Return the folder, created if missing."""
    path = Path(text(name, str(default))).resolve()
    try:
        path.mkdir(parents=True, exist_ok=True)
        is_writable = os.access(path, os.W_OK | os.X_OK)
    except OSError:
        is_writable = False
    if not is_writable and os.path.isdir(path):  # noqa: PTH112  Path.is_dir raises where a parent is closed
        raise SystemExit(f"{name}: {describe_inaccessible(path)}")
    if not is_writable:
        raise BadSetting(name, "is not a folder that can be written", "/var/lib/econweb")
    if owner := find_owner_beside_root(path):
        # Before any file is created.
        raise SystemExit(
            f"{name}: {path} belongs to {owner}, who could not use files that root creates there: run this command "
            f"as {owner} (docs/deploy.md has the command)."
        )
    return path


def boolean(name: str, default: bool) -> bool:
    value = text(name).lower()
    if value not in {"", "true", "false"}:
        raise BadSetting(name, "is neither true nor false", "true")
    return value == "true" if value else default


def seconds(name: str, default: float, lowest: float, highest: float) -> float:
    value = text(name)
    if value and not re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,3})?", value):
        raise BadSetting(name, "is not a number of seconds", f"{default:g}")
    number = float(value or default)
    if not lowest <= number <= highest:
        raise BadSetting(name, f"is not between {lowest:g} and {highest:.0f} seconds", f"{default:g}")
    return number


def integer(name: str, default: int, lowest: int, highest: int) -> int:
    value = text(name, str(default))
    if not re.fullmatch(r"[0-9]{1,9}", value) or not lowest <= int(value) <= highest:
        raise BadSetting(name, f"is not a whole number between {lowest} and {highest}", str(default))
    return int(value)


def share(name: str, default: float, highest: float) -> float:
    value = text(name, f"{default:g}")
    if not re.fullmatch(r"[0-9](\.[0-9]{1,3})?", value) or float(value) > highest:
        raise BadSetting(name, f"is not a share between 0 and {highest:g}, of at most three decimals", f"{default:g}")
    return float(value)


def choice(name: str, choices: Sequence[str]) -> str:
    """Return one of the choices; the first one is the default."""
    value = text(name, choices[0])
    if value not in choices:
        raise BadSetting(name, f"is none of {', '.join(choices)}", choices[0])
    return value


def names(name: str, default: str, pattern: str, example: str) -> list[str]:
    """Return comma-separated names that match the pattern; an empty list only if the default is empty."""
    words = [word.strip() for word in text(name, default).split(",") if word.strip()]
    if default and not words:
        raise BadSetting(name, "names nothing", example)
    if wrong := [number for number, word in enumerate(words, start=1) if not re.fullmatch(pattern, word)]:
        raise BadSetting(name, f"has a part that cannot be used, number {wrong[0]} of {len(words)}", example)
    return words


def matching(name: str, pattern: str, wrong: str, example: str, default: str = "") -> str:
    value = text(name, default)
    if value and not re.fullmatch(pattern, value):
        raise BadSetting(name, wrong, example)
    return value


def secret(name: str) -> str:
    value = text(name)
    if value and len(value) < MIN_SECRET_LENGTH:
        how = "$(python3 -c 'import secrets; print(secrets.token_urlsafe(50))')"
        raise BadSetting(name, f"has fewer than {MIN_SECRET_LENGTH} characters, and could be guessed", how)
    return value


def passwords(*names: str) -> list[str]:
    """Return the passwords in these URLs, in the forms that must never be logged or shown."""
    credentials = [text(name).partition("://")[2].partition("?")[0].rpartition("@")[0] for name in names]
    found = [unquote(each.partition(":")[2]) for each in credentials]
    # A short password may also be an ordinary word, so it is redacted only inside a URL.
    return [form for word in found if word for form in (f":{word}@", *([word] if len(word) >= 8 else []))]


def path_segment(name: str, default: str) -> str:
    value = text(name, default).strip("/")
    if not re.fullmatch(r"[\w.~-]+(/[\w.~-]+)*", value) or {".", ".."} & {*value.split("/")}:
        raise BadSetting(name, "is not a path of plain words", default)
    return value


def time_zone(name: str) -> str:
    value = text(name, "UTC")
    if value not in available_timezones():
        raise BadSetting(name, "is not a time zone", "America/Chicago")
    return value
