"""Ids of frozen copies: thirteen letters of Crockford's base 32, which are 65 random bits."""

import secrets

LENGTH = 13
_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
# Letters that readers take for digits.
_ALIKE = str.maketrans("oil", "011")


def new_id() -> str:
    number = secrets.randbits(5 * LENGTH)
    return "".join(_ALPHABET[number >> shift & 31] for shift in range(0, 5 * LENGTH, 5))


def read_id(text: str) -> str:
    """Return the id that a person may have typed from paper."""
    return text.lower().translate(_ALIKE)
