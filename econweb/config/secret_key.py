"""The secret key in DATA_DIR, for an installation that sets none."""

import os
import secrets
from pathlib import Path

MIN_SECRET_LENGTH = 32


def read_or_create_secret_key(path: Path) -> str:
    """Return the key, created at the first start and readable by the owner only."""
    if not path.exists():
        _create_secret_key(path)
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


def _create_secret_key(path: Path) -> None:
    draft = path.with_suffix(f".{os.getpid()}")
    draft.touch(mode=0o600)
    with draft.open("w") as file:
        file.write(secrets.token_urlsafe(50))
        file.flush()
        # After a power failure the file must not be empty.
        os.fsync(file.fileno())
    try:
        # Linking is atomic, and fails when another process was first.
        os.link(draft, path)
    except FileExistsError:
        pass
    finally:
        draft.unlink()
