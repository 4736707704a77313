"""The page with a user's own sessions."""

from datetime import UTC, datetime
from typing import Any

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone

from econweb.accounts.models import Session
from econweb.accounts.sessions import SessionStore, public_id


def own_sessions(request: HttpRequest) -> HttpResponse:
    """List the sessions of the user; end one of them, or all but this one."""
    sessions = Session.objects.filter(user_id=request.user.pk or 0, expire_date__gt=timezone.now())
    others = sessions.exclude(session_key=request.session.session_key)
    if request.method == "POST":
        if "others" in request.POST:
            others.delete()
        for session in others:
            if public_id(session) == request.POST.get("session"):
                session.delete()
        return redirect("own_sessions")
    rows = [_row(session, session.session_key == request.session.session_key) for session in sessions]
    rows.sort(key=lambda row: row["began"], reverse=True)
    context = {**admin.site.each_context(request), "title": "Your sessions", "rows": rows}
    return render(request, "admin/own_sessions.html", context)


def _row(session: Session, is_this: bool) -> dict[str, Any]:
    data = SessionStore().decode(session.session_data)
    return {
        "id": public_id(session),
        "is_this": is_this,
        "began": datetime.fromtimestamp(data.get("began", 0), UTC),
        "saved": datetime.fromtimestamp(data.get("saved", 0), UTC),
        "client": data.get("client", ""),
        "browser": data.get("browser", ""),
    }
