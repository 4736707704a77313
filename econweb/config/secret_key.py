"""The secret key in DATA_DIR, and the permissions of files there."""

import os
import pwd
import secrets
from contextlib import suppress
from pathlib import Path

MIN_SECRET_LENGTH = 32


def secret_key(path: Path) -> str:
    """Return the key, created at the first start and readable by the owner only."""
    if not path.exists():
        _make_secret_key(path)
    if path.is_file():
        make_private(path)
    try:
        key = path.read_text().strip()
    except (IsADirectoryError, UnicodeDecodeError):
        key = ""
    if len(key) < MIN_SECRET_LENGTH:
        raise SystemExit(
            f"{path} is not a secret key of {MIN_SECRET_LENGTH} characters or more: restore the file, or "
            "delete it, and the next start creates another one (all users have to sign in again)."
        )
    return key


def _make_secret_key(path: Path) -> None:
    made = path.with_suffix(f".{os.getpid()}")
    made.touch(mode=0o600)
    with made.open("w") as file:
        file.write(secrets.token_urlsafe(50))
        file.flush()
        # After a power failure the file must not be empty.
        os.fsync(file.fileno())
    try:
        # Linking is atomic, and fails when another process was first.
        os.link(made, path)
    except FileExistsError:
        pass
    finally:
        made.unlink()


def make_private(file: Path) -> None:
    """Restrict the mode, unless it is private already: the owner may be another user who granted access."""
    if file.stat().st_mode & 0o077:
        file.chmod(0o600)


def make_database(file: Path) -> None:
    """Create the file before SQLite does: SQLite gives its journal files the same mode."""
    # The database reports a file of another user or a read-only disk.
    with suppress(OSError):
        if not file.exists():
            file.touch(mode=0o600)


def first_refused(*paths: Path) -> Path | None:
    """Return the first of these files that this process may not use, or None."""
    return next((path for path in paths if _find_inaccessible(path)), None)


def permission_message(path: Path) -> str:
    """Return one sentence with the file that this process may not use, its owner, and what to do."""
    blocked = _find_inaccessible(path) or path
    facts, user = blocked.stat(), _user(os.geteuid())
    owner, mode = _user(facts.st_uid), facts.st_mode & 0o777
    if owner == user:
        return f"{blocked} has mode {mode:03o}, so that {user} cannot use it: call `chmod u+rwX {blocked}`."
    thing = "it, with all that is in it," if blocked.is_dir() else "it"
    return (
        f"{blocked} belongs to {owner} (mode {mode:03o}) and cannot be used by {user}, who runs this "
        f"command: give {thing} to {user} (chown), or run the command as its owner."
    )


def _find_inaccessible(path: Path) -> Path | None:
    """Return the inaccessible parent folder or file; for a missing file its folder; None if all is accessible."""
    for folder in reversed(path.parents):
        if not os.access(folder, os.X_OK):
            return folder
    if path.exists():
        needed = os.R_OK | os.W_OK | (os.X_OK if path.is_dir() else 0)
        return None if os.access(path, needed) else path
    return None if os.access(path.parent, os.W_OK) else path.parent


def _user(number: int) -> str:
    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return f"user {number}"
