"""What this installation makes for itself and keeps in DATA_DIR."""

import os
import secrets
from contextlib import suppress
from pathlib import Path


def secret_key(path: Path) -> str:
    """Made once, readable by the owner only."""
    if path.is_file():
        path.chmod(0o600)
        return path.read_text().strip()
    made = path.with_suffix(f".{os.getpid()}")
    made.touch(mode=0o600)
    made.write_text(secrets.token_urlsafe(50))
    try:
        # Linking fails when another process was first, and never shows half a file.
        os.link(made, path)
    except FileExistsError:
        pass
    finally:
        made.unlink()
    return path.read_text().strip()


def keep_to_owner(database: Path) -> None:
    """Before SQLite makes it, since what it puts beside the file gets the same mode."""
    # Of a file that is another user's, or on a disk that cannot be written, the database itself tells.
    with suppress(OSError):
        database.touch(mode=0o600)
        for beside in ("", "-wal", "-shm"):
            file = Path(f"{database}{beside}")
            if file.exists():
                file.chmod(0o600)
