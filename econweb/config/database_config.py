"""The typed reader of DATABASE_URL: an SQLite file, or a PostgreSQL server."""

from pathlib import Path
from urllib.parse import parse_qsl, unquote, urlsplit

from econweb.config.environment import BadSetting, text

SQLITE_OPTIONS = {
    # Reads go on during a write; a second writer waits five seconds. Not memory-mapped: a truncated mapping kills the
    # process. Each connection caches half a MiB of pages. Deleted text is overwritten, however SQLite was compiled.
    "init_command": "PRAGMA journal_mode=WAL;PRAGMA synchronous=NORMAL;PRAGMA cache_size=-512;PRAGMA secure_delete=1",
    "transaction_mode": "IMMEDIATE",
    "timeout": 5,
}
# A host that vanishes without a word, which ends no connection, holds a request for these seconds and not for ever.
POSTGRESQL_OPTIONS = {
    "connect_timeout": 2,
    "tcp_user_timeout": 5000,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
}
# Connections stay open, and are checked before they are used again.
PERSISTENT = {"CONN_MAX_AGE": None, "CONN_HEALTH_CHECKS": True}


def database(name: str, sqlite_file: Path) -> dict[str, object]:
    """Return the settings of an SQLite file or a PostgreSQL server; the default is the given file."""
    value = text(name)
    if value.startswith(("postgres://", "postgresql://")):
        return _postgresql(name, value)
    file = value.removeprefix("sqlite:///")
    if value and (file == value or not file):
        raise BadSetting(name, "begins with neither sqlite:/// nor postgresql://", "sqlite:////var/lib/econweb.sqlite3")
    path = unquote(file) or str(sqlite_file)
    # `mode=rw`: opening does not create a deleted file again. Start-up creates it (startup/prepare_database.py).
    options = {**SQLITE_OPTIONS, "database": f"{Path(path).absolute().as_uri()}?mode=rw"}
    return {"ENGINE": "django.db.backends.sqlite3", "NAME": path, "OPTIONS": options, **PERSISTENT}


def _postgresql(name: str, value: str) -> dict[str, object]:
    try:
        parts = urlsplit(value)
        port = str(parts.port or "")
    except ValueError:
        parts, port = urlsplit(""), ""
    # Such a sign ends the host, and what follows it would be a piece of the password.
    if not parts.scheme or "@" in parts.path + parts.query + parts.fragment:
        wrong = "is not a valid URL: write @ / : # ? in a password as %40 %2F %3A %23 %3F"
        raise BadSetting(name, wrong, "postgresql://user:word@127.0.0.1:5432/econweb")
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": unquote(parts.path[1:]),
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": unquote(parts.hostname or ""),
        "PORT": port,
        "OPTIONS": {**POSTGRESQL_OPTIONS, **dict(parse_qsl(parts.query))},
        **PERSISTENT,
    }
