"""Settings that are misspelt, have no effect, or were never decided."""

import os
from collections.abc import Iterator
from difflib import get_close_matches

from django.conf import settings
from django.db import connection

from econweb.accounts.site_address import is_guessed, site_address
from econweb.config.environment import dot_env_lines, names_read
from econweb.doctor.findings import Finding, error, good, warning

TOPIC = "settings"
# Variables of the system whose names are close to ours.
OTHER_NAMES = {"EDITOR", "EMAIL"}
# How alike a name of the environment must be; in .env any name is meant for this program.
MIN_LIKENESS = 0.84
ONLY_ELSEWHERE = (
    "ECON_API_KEY",
    "ECON_BACKGROUND_SHARE",
    "ECON_PRIVATE_ADDRESSES",
    "ECON_REQUESTS_PER_MINUTE",
    "ECON_SERVICE_PATH",
)
ONLY_PROXY = ("PROXY_ADDRESSES", "PROXY_USER_HEADER", "PROXY_GROUPS_HEADER")
ONLY_OIDC = ("OIDC_SCOPES", "OIDC_GROUPS_CLAIM")
ONLY_GROUPS = ("EDITOR_GROUPS", "ADMIN_GROUPS")


def check_settings() -> Iterator[Finding]:
    found = [*find_misspelt(), *_useless(), *_risky()]
    yield from found or [good(TOPIC, _count_set())]


def _count_set() -> str:
    count = sum(map(_is_set, names_read))
    if count < 2:
        return "the one setting that is set has an effect" if count else "no setting is set"
    return f"each of the {count} settings that are set has an effect"


def check_terms() -> Iterator[Finding]:
    """Say whether somebody decided what may be stored of another service's replies."""
    if settings.ECON_BASE_URL and not _is_set("ECON_MAY_STORE"):
        words = "nobody has confirmed the terms of the service: read them, then set ECON_MAY_STORE to true or false"
        yield warning("terms", words)
    elif settings.ECON_BASE_URL:
        yield good("terms", f"ECON_MAY_STORE is {str(settings.ECON_MAY_STORE).lower()}")


def check_address() -> Iterator[Finding]:
    if is_guessed():
        yield good("address", "ALLOWED_HOSTS names this machine only, and so do links, citations and invitations")
    else:
        yield good("address", f"mails and invitations have {site_address()}; links and citations that of the request")


def find_misspelt() -> Iterator[Finding]:
    """Return a warning for each name in .env or the environment that is no setting."""
    known = {name for each in names_read for name in (each, f"{each}_FILE")}
    for name, line in dot_env_lines.items():
        if name not in known:
            yield warning(TOPIC, f"{name} (.env, line {line}) is no setting{_nearest(name, known, 0.6)}")
    for name in sorted(os.environ.keys() - known - dot_env_lines.keys() - OTHER_NAMES):
        hint = _nearest(name, known, MIN_LIKENESS)
        if hint or name.upper().startswith("ECON_"):
            yield warning(TOPIC, f"{name} in the environment is no setting{hint}")


def _nearest(name: str, known: set[str], likeness: float) -> str:
    found = get_close_matches(name.upper(), sorted(known), n=1, cutoff=likeness)
    return f": is {found[0]} meant?" if found else ""


def _useless() -> Iterator[Finding]:
    way = settings.SIGN_IN
    for names, has_effect, needed in (
        (ONLY_ELSEWHERE, settings.ECON_BASE_URL, "ECON_BASE_URL, which is unset"),
        (ONLY_PROXY, way == "proxy", f"SIGN_IN=proxy, and it is {way}"),
        (ONLY_OIDC, way == "oidc", f"SIGN_IN=oidc, and it is {way}"),
        (ONLY_GROUPS, way in {"proxy", "oidc"}, f"SIGN_IN=proxy or oidc, and it is {way}"),
        (("EDITORS", "ADMINS"), way != "local", "accounts, and SIGN_IN is local"),
        (("FRAME_ANCESTORS",), settings.READ == "anyone", "READ=anyone: a frame shows nobody's session"),
    ):
        for name in names:
            if _is_set(name) and not has_effect:
                yield warning(TOPIC, f"{name} is set without effect: it needs {needed}")
    if 0 < settings.ECON_STALE_SECONDS < settings.ECON_FRESH_SECONDS:
        yield warning(TOPIC, "ECON_STALE_SECONDS has no effect: it is shorter than ECON_FRESH_SECONDS")


def _risky() -> Iterator[Finding]:
    is_public = settings.SESSION_COOKIE_SECURE
    if settings.DEBUG and is_public:
        yield error(TOPIC, "DEBUG is true, and others reach this site: they can read its settings in error pages")
    if is_public and not settings.BEHIND_PROXY:
        yield warning(TOPIC, "nobody can sign in: BEHIND_PROXY is false, and only a proxy can serve HTTPS")
    is_shared = settings.CACHE_URL or connection.vendor == "postgresql"
    if is_shared and not _is_set("SECRET_KEY"):
        yield warning(TOPIC, "SECRET_KEY is unset: each further host would create another, and end others' sessions")


def _is_set(name: str) -> bool:
    return bool(os.environ.get(name, "").strip() or os.environ.get(f"{name}_FILE", "").strip())
