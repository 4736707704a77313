"""The agency that made a series, where its notes say who it is: the contract has no field for it."""

from econweb.dashboard.display.notes import MAX_LINKED, notes_text
from econweb.dashboard.relations import patterns


def find_agency(notes: str | None) -> str:
    """Return the name of the agency; empty where the notes name none."""
    text = notes_text((notes or "")[:MAX_LINKED])
    if found := patterns.AGENCY.search(text):
        return found["name"]
    found = patterns.CODE_AT_AGENCY.search(text)
    return patterns.AGENCIES[found["agency"]] if found else ""
