"""The agency that made a series, where its notes say who it is: the contract has no field for it."""

import re

from econweb.dashboard.display.notes import MAX_LINKED, notes_text

# Agencies that notes name by the code of the series there.
_BY_CODE = {"BEA": "U.S. Bureau of Economic Analysis", "BLS": "U.S. Bureau of Labor Statistics"}
_CODE = re.compile(rf"\b(?P<agency>{'|'.join(_BY_CODE)}) (?:[Aa]ccount [Cc]ode|[Ss]eries (?:ID|[Cc]ode))\b")
_WORD = r"(?:(?:[A-Z]\.){1,4}|[A-Z][\w&'’/-]{0,30}|of|the|for|and|on|in|de|&)"
# A name ends its clause; before a number it is that of a table or file.
_SOURCE = re.compile(
    rf"(?:^|[.!?]\s)(?:Data )?Source(?: Agency)?: (?P<name>{_WORD}(?: {_WORD}){{0,11}})(?=\s*(?:[.,;(]|$))",
    re.MULTILINE,
)


def find_agency(notes: str | None) -> str:
    """Return the name of the agency; empty where the notes name none."""
    text = notes_text((notes or "")[:MAX_LINKED])
    if found := _SOURCE.search(text):
        return found["name"]
    found = _CODE.search(text)
    return _BY_CODE[found["agency"]] if found else ""
