"""The owner and the mode of files: those that this process creates, and those that it may not use."""

import os
import pwd
import shutil
from pathlib import Path
from typing import Any

from django.conf import settings

from econweb.config.paths import BASE_DIR

# SQLite and an Excel file need more, but a disk with this much left is full a moment later.
MIN_FREE_BYTES = 10_000_000
# The program in BASE_DIR, beside which a checkout may have .env and data.
CODE = ("econweb", "templates", "static", "pyproject.toml", ".venv")


def restrict_to_owner(file: Path) -> bool:
    """Restrict the mode, unless it is private already, and return whether others had access."""
    # The owner of a private file may be another user who granted access.
    if not file.stat().st_mode & 0o077:
        return False
    file.chmod(0o600)
    return True


def describe_os_error(error: OSError, file: object, participle: str) -> str:
    """Return one sentence: why the file cannot be read or written."""
    return f"{file} cannot be {participle}: {error.strerror}."


def sqlite_file() -> Path | None:
    """Return the database, which may be outside DATA_DIR, or None for PostgreSQL."""
    database: dict[str, Any] = settings.DATABASES["default"]
    return Path(database["NAME"]) if database["ENGINE"].endswith("sqlite3") else None


def written_folders() -> list[Path]:
    """Return DATA_DIR, and the folder of the database if it is another one."""
    folders = [settings.DATA_DIR, *([file.absolute().parent] if (file := sqlite_file()) else [])]
    return list(dict.fromkeys(folders))


def describe_folders() -> str:
    """Return `ok`, or what is wrong with a folder that the site writes to: `full` or `cannot be written`."""
    folders = written_folders()
    if not all(os.access(folder, os.W_OK | os.X_OK) for folder in folders):
        return "cannot be written"
    return "full" if min(shutil.disk_usage(folder).free for folder in folders) < MIN_FREE_BYTES else "ok"


def find_owner_beside_root(folder: Path) -> str:
    """Return the owner, who could not use what root creates there; empty if root owns it, or does not run this."""
    owner = folder.stat().st_uid
    return _user_name(owner) if owner and os.geteuid() == 0 else ""


def find_inaccessible(*paths: Path) -> Path | None:
    """Return the first of these files that this process may not use, or None."""
    return next((path for path in paths if _find_blocking(path)), None)


def describe_inaccessible(path: Path) -> str:
    """Return one sentence with the file that this process may not use, its owner, and what to do."""
    path = path.resolve()
    blocked = _find_blocking(path) or path
    if not blocked.exists():
        return f"There is no folder {path.parent}: create it, and give it to {_user_name(os.geteuid())}."
    status, user = blocked.stat(), _user_name(os.geteuid())
    if _is_read_only(blocked):
        wrong = f"{blocked} is on a read-only file system, so that {user} cannot write there"
        return f"{wrong}: mount it for writing, or use another folder."
    owner, mode = _user_name(status.st_uid), status.st_mode & 0o777
    if owner == user:
        return f"{blocked} has mode {mode:03o}, so that {user} cannot use it: call `chmod u+rwX {blocked}`."
    if any(blocked.is_relative_to(BASE_DIR / name) for name in CODE):
        # The owner of the code of a service can change it.
        return (
            f"{blocked} (of {owner}, mode {mode:03o}) cannot be read by {user}, who runs this command: "
            f"every user may read the program, so call `chmod -R a+rX {BASE_DIR}`."
        )
    wrong = f"{blocked} belongs to {owner} (mode {mode:03o}) and cannot be used by {user}, who runs this command"
    # DATA_DIR itself is the first path that is used, before there are settings.
    if blocked.is_dir() and not blocked.is_relative_to(settings.DATA_DIR if settings.configured else path):
        # Such as /root: given away, it would be open to the service.
        can_enter = os.access(blocked, os.X_OK)
        remedy = (
            f"use a folder that {user} may write to"
            if can_enter
            else f"move or copy {path} to where {user} may read it"
        )
        return f"{wrong}: {remedy}."
    thing = "it, with all that is in it," if blocked.is_dir() else "it"
    return f"{wrong}: give {thing} to {user} (chown), or run the command as its owner."


def _is_read_only(path: Path) -> bool:
    """Return whether the mode allows to use a path, and its file system does not."""
    needed = os.R_OK | (os.X_OK if path.is_dir() else 0)
    return bool(os.statvfs(path).f_flag & os.ST_RDONLY) and os.access(path, needed)


def _find_blocking(path: Path) -> Path | None:
    """Return the inaccessible parent folder or file; for a missing file its folder; None if all is accessible."""
    for folder in reversed(path.parents):
        if not os.access(folder, os.X_OK):
            return folder
    if path.exists():
        needed = os.R_OK | os.W_OK | (os.X_OK if path.is_dir() else 0)
        return None if os.access(path, needed) else path
    return None if os.access(path.parent, os.W_OK) else path.parent


def _user_name(number: int) -> str:
    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return f"user {number}"
