"""The page that says how an assistant reads this site, and makes the token of a person for it."""

import json

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from econweb.accounts.people import Person, Role
from econweb.accounts.tokens import end_token, renew_token, valid_until
from econweb.dashboard.error_pages import problems
from econweb.dashboard.parameter_checks import GET_OR_POST
from econweb.dashboard.rendering.pages import render_page
from econweb.dashboard.rights import requires


@require_http_methods(GET_OR_POST)
@requires(Role.READER)
def assistants(request: HttpRequest, person: Person) -> HttpResponse:
    if not settings.MCP:
        return problems.error_response(request, "not_found")
    token = ""
    if "new" in request.POST:
        # Shown in this response alone: the token is stored nowhere, so a redirect could not show it.
        token = renew_token(person.name)
    elif request.method == "POST":
        end_token(person.name)
        return redirect("assistants")
    address, needs_token = request.build_absolute_uri(reverse("mcp")), settings.READ == "signed-in"
    header = {"headers": {"Authorization": f"Bearer {token or '<token>'}"}} if needs_token else {}
    # In the form that many assistants take.
    example = {"mcpServers": {"econweb": {"type": "http", "url": address, **header}}}
    context = {
        "address": address,
        "token": token,
        "valid_until": valid_until(person.name),
        "needs_token": needs_token,
        "example": json.dumps(example, indent=2),
    }
    return render_page(request, "account/assistants", context)
