"""Removal of API keys from text that a user pasted, and from the query of a page."""

import re
from urllib.parse import unquote_plus

from econweb.upstream.redaction import KEY_NAME

# No blank after the sign: removing twice must give the same, or the redirect to the clean address would repeat.
_KEY = re.compile(rf"({KEY_NAME}(?:=|%3d))[^&#\s]*", re.IGNORECASE)


def remove_key(text: str) -> str:
    return _KEY.sub(r"\1", text)


def remove_key_parameter(query: str) -> str:
    if "%" not in query and "key" not in query.lower():
        return query
    parts = query.split("&")
    return "&".join(part for part in parts if unquote_plus(part.partition("=")[0]).lower() != "api_key")


def contains_key(text: str) -> bool:
    return _KEY.search(text) is not None
