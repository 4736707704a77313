"""The OpenID provider: its discovery document and its keys, fetched once an hour."""

import time
from collections.abc import Callable
from functools import cache
from threading import Lock
from typing import Generic, TypeVar
from urllib.parse import urlsplit

import msgspec
import structlog
from django.conf import settings
from joserfc.jwk import JWKRegistry, KeySet

from econweb.accounts.client_address import is_loopback
from econweb.accounts.oidc.bounded_http import ProviderUnavailable, get

FRESH_SECONDS = 3600.0
# While the provider fails, its last documents are used for this long.
STALE_SECONDS = 86400.0
SECONDS_AFTER_FAILURE = 5.0
# A token with an unknown key has the keys fetched again at most this often: anybody can send such a token.
SECONDS_BETWEEN_KEYS = 60.0
MAX_KEYS = 100
log = structlog.get_logger("econweb.accounts")
Document = TypeVar("Document")


class Metadata(msgspec.Struct, frozen=True):
    """The fields of the discovery document that are used."""

    issuer: str
    authorization_endpoint: str
    token_endpoint: str
    jwks_uri: str
    userinfo_endpoint: str | None = None
    end_session_endpoint: str | None = None
    token_endpoint_auth_methods_supported: list[str] | None = None
    authorization_response_iss_parameter_supported: bool | None = None


class _Keys(msgspec.Struct):
    keys: list[dict[str, object]]


class _Kept(Generic[Document]):
    """A document of the provider in memory; one thread fetches it while others wait."""

    def __init__(self, fetch: Callable[[], Document]) -> None:
        self._fetch = fetch
        self._lock = Lock()
        self._document: Document | None = None
        self._fetched = self._failed = -STALE_SECONDS
        self._failure = ""

    def get(self, max_age: float = FRESH_SECONDS) -> Document:
        with self._lock:
            now = time.monotonic()
            is_due = self._document is None or now - self._fetched >= max_age
            if is_due and now - self._failed >= SECONDS_AFTER_FAILURE:
                self._refresh(now)
            if self._document is None or now - self._fetched >= STALE_SECONDS:
                raise ProviderUnavailable(self._failure)
            return self._document

    def _refresh(self, now: float) -> None:
        try:
            self._document, self._fetched = self._fetch(), now
        except ProviderUnavailable as error:
            # A silent provider takes as long as the pause, so the pause begins now and not before the fetch.
            self._failed, self._failure = time.monotonic(), str(error)
            log.warning("a document of the OpenID provider cannot be read", reason=self._failure)


def find_metadata() -> Metadata:
    return _kept_metadata(settings.OIDC_ISSUER).get()


def find_keys(max_age: float = FRESH_SECONDS) -> KeySet:
    """Return the public keys with which the provider signs."""
    return _kept_keys(find_metadata().jwks_uri).get(max_age)


@cache
def _kept_metadata(issuer: str) -> _Kept[Metadata]:
    return _Kept(lambda: _fetch_metadata(issuer))


@cache
def _kept_keys(address: str) -> _Kept[KeySet]:
    return _Kept(lambda: _fetch_keys(address))


def _fetch_metadata(issuer: str) -> Metadata:
    metadata = decode(get(f"{issuer}/.well-known/openid-configuration"), Metadata)
    # The setting has no slash at its end; tokens have the issuer as this document spells it.
    if metadata.issuer.removesuffix("/") != issuer:
        raise ProviderUnavailable("the discovery document of another issuer")
    wanted = (metadata.authorization_endpoint, metadata.token_endpoint, metadata.jwks_uri)
    offered = (metadata.userinfo_endpoint, metadata.end_session_endpoint)
    if not all(_is_safe(address, issuer) for address in (*wanted, *filter(None, offered))):
        raise ProviderUnavailable("an address that is not https")
    return metadata


def _fetch_keys(address: str) -> KeySet:
    keys = []
    for data in decode(get(address), _Keys).keys[:MAX_KEYS]:
        try:
            keys.append(JWKRegistry.import_key(data))  # type: ignore[arg-type]  # it checks the fields itself
        except Exception:  # noqa: S112  of as many kinds as there are faults in a key; the others are used
            continue
    if not keys:
        raise ProviderUnavailable("no key that can be used")
    return KeySet(keys)


def decode(body: bytes, kind: type[Document]) -> Document:
    """Return a reply of the provider as a record of this kind, or raise ProviderUnavailable."""
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        raise ProviderUnavailable("a reply that is not the JSON of its kind") from None


def _is_safe(address: str, issuer: str) -> bool:
    """Return whether it is an https address; a provider on this machine may use http for its own."""
    try:
        parts = urlsplit(address)
        is_plain = bool(parts.hostname) and "@" not in parts.netloc and not parts.fragment and address.isprintable()
        if parts.scheme == "http":
            return is_plain and issuer.startswith("http:") and is_loopback(str(parts.hostname))
        return is_plain and parts.scheme == "https"
    except ValueError:
        return False
