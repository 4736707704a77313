"""Text as it is compared: without case, without accents, in plain words."""

import re
import unicodedata


def folded(text: str) -> str:
    """`São Paulo` and `SAO  PAULO` are one; the blank before each word lets its start be found."""
    bare = "".join(
        letter for letter in unicodedata.normalize("NFKD", text) if not unicodedata.combining(letter)
    )
    return "".join(f" {word}" for word in re.findall(r"\w+", bare.casefold()))
