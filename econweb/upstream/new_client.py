"""The client for the service in the settings."""

from django.conf import settings
from django.core.cache.backends.dummy import DummyCache

from econweb.upstream.cache.store import Store
from econweb.upstream.client import EconClient
from econweb.upstream.limits.background_share import BackgroundShare
from econweb.upstream.limits.circuit_breaker import CircuitBreaker
from econweb.upstream.limits.key_status import KeyStatus
from econweb.upstream.limits.rate_limit import RateLimit
from econweb.upstream.transport.exchange import new_session
from econweb.upstream.transport.in_process import InProcessHandler, WSGIAdapter
from econweb.upstream.transport.network import DeadlineAdapter

# A reserved name (RFC 2606), which no request from outside may use as its host.
EMBEDDED_HOST = "embedded.invalid"
EMBEDDED = f"http+wsgi://{EMBEDDED_HOST}"


def build_client(store: Store) -> EconClient:
    session, embedded = new_session(), not settings.ECON_BASE_URL
    api_key = settings.CATALOGUE_OWN_KEY if embedded else settings.ECON_API_KEY
    background = settings.ECON_BACKGROUND_SHARE * settings.ECON_REQUESTS_PER_MINUTE
    if embedded:
        session.mount(EMBEDDED, WSGIAdapter(InProcessHandler()))
    session.mount("https://", DeadlineAdapter())
    session.mount("http://", DeadlineAdapter())
    return EconClient(
        base_url=settings.ECON_BASE_URL or EMBEDDED,
        service_path=settings.CATALOGUE_PATH.strip("/") if embedded else settings.ECON_SERVICE_PATH,
        api_key=api_key,
        file_type=settings.ECON_FILE_TYPE,
        timeout=settings.ECON_TIMEOUT,
        session=session,
        breaker=CircuitBreaker(_own_store() if embedded else store, 1.1 * settings.ECON_TIMEOUT + 1),
        key_status=KeyStatus(store, api_key),
        rate_limit=None if embedded else RateLimit(store, settings.ECON_REQUESTS_PER_MINUTE),
        background_share=BackgroundShare(store, background) if background and not embedded else None,
    )


def _own_store() -> Store:
    """Return one that shares nothing: the embedded service is part of the process, and fails alone."""
    return Store(DummyCache("", {}), max_bytes=0)
