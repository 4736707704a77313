"""The machine: who runs this, files and their modes, disk, clock and open files."""

import os
import resource
import shutil
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from django.conf import settings

from econweb.config.environment import names_read
from econweb.config.file_access import describe_inaccessible, find_inaccessible, sqlite_file, written_folders
from econweb.config.paths import WORKING_DIR
from econweb.doctor.findings import Finding, error, good, warning

# Free on the disk: to run at all; and for static files, a load, and the growth of the library.
MIN_BYTES_TO_RUN, MIN_BYTES_TO_GROW = 200_000_000, 2_000_000_000
# Seconds that two hosts may differ; sessions and the rate limit tolerate more.
MAX_CLOCK_SECONDS = 30.0
# A worker reserves half of its files for connections (docs/deploy.md).
MIN_OPEN_FILES = 512
# The settings of docs/econweb.service, with the passwords in addresses.
UNIT_SETTINGS = Path("/etc/econweb.env")


def check_files() -> Iterator[Finding]:
    """Name each file that this process cannot use, and each secret that others can read."""
    own = [*written_folders(), *sorted(settings.DATA_DIR.iterdir()), *_databases()]
    wrong = [path for path in dict.fromkeys(own) if find_inaccessible(path)]
    yield from (error("files", describe_inaccessible(path)) for path in wrong)
    secrets = [path for path in _secrets() if path.is_file()]
    key = settings.DATA_DIR / "secret_key"
    # A start restricts a generated key to its owner; a group may read other files on purpose.
    open_to_others = [path for path in secrets if path.stat().st_mode & (0o077 if path == key else 0o006)]
    for path in open_to_others:
        mode = "go=" if path == key else "o="
        remedy = f"call `chmod {mode} {path}`, and change its secrets if others may have read them"
        yield warning("files", f"{path} is open to other users: {remedy}")
    open_folders = [folder for folder in written_folders() if folder.stat().st_mode & 0o002]
    for folder in open_folders:
        yield warning("files", f"{folder} can be changed by every user: call `chmod o-w` on it")
    if not wrong and not open_to_others and not open_folders:
        private = f", and other users cannot read {', '.join(map(str, secrets))}" if secrets else ""
        yield good("files", f"{settings.DATA_DIR} is writable{private}")


def _secrets() -> list[Path]:
    named = [os.environ.get(f"{name}_FILE", "").strip() for name in names_read]
    own = [UNIT_SETTINGS, WORKING_DIR / ".env", settings.DATA_DIR / "secret_key", *_databases()]
    return [*own, *(Path(name) for name in named if name)]


def _databases() -> list[Path]:
    return [file.absolute()] if (file := sqlite_file()) and file.exists() else []


def check_disk() -> Iterator[Finding]:
    for folder in written_folders():
        yield _check_space(folder)


def _check_space(folder: Path) -> Finding:
    free, status = shutil.disk_usage(folder).free, os.statvfs(folder)
    text = f"{free / 1e9:.1f} GB are free for {folder}"
    if free < MIN_BYTES_TO_RUN or (status.f_files and not status.f_favail):
        return error("disk", f"{text}, and {status.f_favail:,} files can be created: too little to run")
    if free < MIN_BYTES_TO_GROW:
        return warning("disk", f"{text}: soon a load, an Excel file or a frozen copy may fail")
    return good("disk", text)


def check_open_files() -> Iterator[Finding]:
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < MIN_OPEN_FILES:
        yield warning("open files", f"{hard} for each worker: allow {MIN_OPEN_FILES} or more (LimitNOFILE, ulimit -n)")


def check_clock(others: dict[str, float]) -> Iterator[Finding]:
    """Compare the clock with those of others, as seconds ahead of this one, and with the newest file."""
    wrong = {name: ahead for name, ahead in others.items() if abs(ahead) > MAX_CLOCK_SECONDS}
    for name, ahead in wrong.items():
        yield error("clock", f"{abs(ahead):,.0f} s {'behind' if ahead > 0 else 'ahead of'} that of {name}")
    newest = max(map(_read_time, settings.DATA_DIR.iterdir()), default=0.0)
    if newest > time.time() + MAX_CLOCK_SECONDS:
        moment = datetime.fromtimestamp(newest, UTC)
        yield error("clock", f"it was set back: a file in {settings.DATA_DIR} is of {moment:%Y-%m-%d %H:%M} UTC")
    elif not wrong:
        compared = f"as at {' and '.join(others)}" if others else "with no other to compare"
        yield good("clock", f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S} UTC, {compared}")


def _read_time(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except FileNotFoundError:
        # Another process has removed it just now, or it is a link to nothing.
        return 0.0
