"""Django's cache: a Redis or Valkey server, or the memory of each process."""


def build_cache_config(url: str) -> dict[str, object]:
    """Return the settings of the shared cache, or of one in the memory of each process."""
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
        },
    }
