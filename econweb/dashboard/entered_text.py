"""The text of a form that could not be stored: the error page shows it, to be sent again."""

from typing import Any

from django.http import HttpRequest

# Fields of all forms by their labels, and those that go along with them; never a password.
TYPED = {
    "title": "Title",
    "name": "Name",
    "note": "Note",
    "parent": "Part of category",
    "reason": "Reason",
    "text": "CSV",
}
CHOSEN = ("audience", "days", "is_pinned", "seen", "sha256", "opened", "target", "store", "remove")


def send_again(request: HttpRequest) -> dict[str, Any]:
    """Return the inputs of templates/shared/_send_again.html; none where nothing was entered."""
    if request.method != "POST":
        return {}
    typed, chosen = (
        [(name, request.POST[name]) for name in names if name in request.POST] for names in (TYPED, CHOSEN)
    )
    return {"typed": typed, "chosen": chosen, "labels": TYPED} if typed else {}
