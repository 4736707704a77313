"""The typed reader of CACHE_URL, and Django's cache: a Redis or Valkey server, or the memory of each process."""

from econweb.config.environment import PORT, matching


def redis_url(name: str) -> str:
    """Return the URL of a Redis or Valkey server; empty for a cache in each process."""
    pattern = rf"rediss?://([^\s/?#]*@)?(\[[0-9A-Fa-f:.]+\]|[^\s/?#@:]+){PORT}(/[0-9]{{1,3}})?/?"
    return matching(name, pattern, "is not the URL of a Redis server", "redis://127.0.0.1:6379/0")


def build_cache_config(url: str, ca_file: str = "") -> dict[str, object]:
    """Return the settings of the shared cache, or of one in the memory of each process.

    Redis' library trusts the authorities of `ca_file` beside those of the system; a plain connection would refuse it.
    """
    if not url:
        # The store bounds its entries in bytes, so this limit must never apply.
        return {
            "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
            "OPTIONS": {"MAX_ENTRIES": 100_000},
        }
    return {
        "BACKEND": "econweb.upstream.cache.redis_backend.SharedCache",
        "LOCATION": url,
        "OPTIONS": {
            # Nothing in a shared cache is ever unpickled.
            "serializer": "econweb.upstream.cache.redis_backend.PlainBytes",
            # A slow cache must cost less than the request that it saves.
            "socket_timeout": 0.25,
            "socket_connect_timeout": 0.25,
            "retry": None,
            **({"ssl_ca_certs": ca_file} if ca_file and url.startswith("rediss:") else {}),
        },
    }
