"""What this installation makes for itself and keeps in DATA_DIR."""

import os
import secrets
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
