"""Ids in random letters of Crockford's base 32; the thirteen of a frozen copy are 65 random bits."""

import secrets

LENGTH = 13
ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
# Letters that readers take for digits.
_ALIKE = str.maketrans("oil", "011")


def new_id(length: int = LENGTH) -> str:
    return "".join(secrets.choice(ALPHABET) for _ in range(length))


def read_id(text: str) -> str:
    """Return the id that a person may have typed from paper."""
    return text.lower().translate(_ALIKE)
