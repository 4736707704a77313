"""What an answer depends on beside its address."""

from functools import lru_cache

from django.http import HttpResponseBase


def vary_on(response: HttpResponseBase, *names: str) -> None:
    """Django's own way reads the header anew each time, and a page has five of these."""
    response["Vary"] = _varying(response.get("Vary", ""), names)


@lru_cache(maxsize=100)
def _varying(known: str, names: tuple[str, ...]) -> str:
    return ", ".join(dict.fromkeys([*filter(None, known.split(", ")), *names]))
