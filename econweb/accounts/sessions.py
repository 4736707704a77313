"""Sessions in the database with user, client and end. This module is Django's SESSION_ENGINE."""

import re
import time
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.contrib.sessions.backends.base import UpdateError
from django.contrib.sessions.backends.db import SessionStore as DatabaseStore
from django.db import DatabaseError
from django.http import HttpRequest
from django.utils import timezone
from django.utils.crypto import salted_hmac

from econweb.accounts.client_address import client_address
from econweb.accounts.models import Session
from econweb.optional_write import write_unless_locked

MAX_IDLE_SECONDS = 12 * 3600
MAX_SECONDS = 14 * 86400
# A page view saves the session at most this often.
SECONDS_BETWEEN_SAVES = 300
MAX_BROWSER_LENGTH = 200
# As Django makes them.
_KEY = "[a-z0-9]{32}"


class SessionStore(DatabaseStore):
    """Django's sessions, which end after twelve idle hours and after fourteen days."""

    def __init__(self, session_key: str | None = None) -> None:
        # Others are in no row, and PostgreSQL refuses NUL, which a cookie may spell as `\000`.
        super().__init__(session_key if re.fullmatch(_KEY, session_key or "") else None)

    @classmethod
    def get_model_class(cls) -> type[Session]:
        return Session

    def get_session_cookie_age(self) -> int:
        """Return the seconds to the last possible moment, because pages that extend a session send no new cookie."""
        now = int(time.time())
        return max(0, int(self.get("began", now)) + int(self.get("max_seconds", MAX_SECONDS)) - now)

    def get_expiry_date(self, **_: object) -> datetime:
        return timezone.now() + timedelta(seconds=min(MAX_IDLE_SECONDS, self.get_session_cookie_age()))

    def decode(self, session_data: bytes | str) -> dict[str, Any]:
        """Return no values of a session that began at a provider which OIDC_ISSUER no longer names."""
        data: dict[str, Any] = super().decode(session_data)
        return data if data.get("issuer", "") in {"", settings.OIDC_ISSUER} else {}

    def save(self, must_create: bool = False) -> None:
        self.setdefault("began", int(time.time()))
        self["saved"] = int(time.time())
        try:
            super().save(must_create)
        except UpdateError as error:
            # Django says the same of a session that has ended and of a database that fails.
            if Session.objects.filter(session_key=self.session_key).exists():
                raise DatabaseError("The session cannot be saved.") from error
            raise

    def create_model_instance(self, data: dict[str, object]) -> Session:
        session: Session = super().create_model_instance(data)  # type: ignore[assignment]  # the stubs know Django's own model alone
        user = data.get("_auth_user_id")
        session.user_id = int(str(user)) if user else None
        return session


def begin_session(request: HttpRequest) -> None:
    """Record the client of a sign-in, and remove expired sessions."""
    session = request.session
    session["began"] = int(time.time())
    session["client"] = client_address(request.META)
    session["browser"] = request.headers.get("User-Agent", "")[:MAX_BROWSER_LENGTH]
    SessionStore.clear_expired()


def renew_session(request: HttpRequest) -> None:
    """Extend a session that is in use; where another writer prevents it, the next page does so.

    A session that has ended is not stored again, nor one that another worker ends now.
    """
    session = request.session
    if "saved" not in session or abs(time.time() - session["saved"]) < SECONDS_BETWEEN_SAVES:
        return
    is_modified = session.modified
    with suppress(UpdateError):
        write_unless_locked(session.save)
    # The page saves it only for another reason.
    session.modified = is_modified


def public_id(session: Session) -> str:
    """Return an id for pages; the session key itself would grant access."""
    return salted_hmac("econweb.accounts session", session.session_key).hexdigest()
