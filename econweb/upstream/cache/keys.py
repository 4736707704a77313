"""The keys of cached answers."""

import hashlib
from collections.abc import Mapping

import msgspec
from django.conf import settings
from django.utils.module_loading import import_string

from econweb.upstream.records import SCHEMA_VERSION


def make_key(endpoint: str, parameters: Mapping[str, str]) -> str:
    """Return the cache key of a request; the API key does not influence the answer."""
    service = [settings.ECON_BASE_URL or _edition(), settings.ECON_SERVICE_PATH]
    parts = [SCHEMA_VERSION, *service, endpoint, sorted(parameters.items())]
    return hashlib.blake2b(msgspec.msgpack.encode(parts), digest_size=16).hexdigest()


def _edition() -> str:
    """Return which catalogue the embedded service has: a load makes all earlier answers unreachable."""
    # The two sides share no code, so the settings name the function that knows it.
    return str(import_string(settings.CATALOGUE_EDITION)())
