"""The steps of a browser at sign-in."""

from django.contrib.auth.models import User
from django.test import Client

from tests.accounts.oidc.stand_in import StandIn


def begin(client: Client, provider: StandIn, following: str = "/me/") -> str:
    """Return the callback to which the provider sends the browser."""
    return provider.visit(client.get("/sign-in/", {"next": following})["Location"])


def sign_in(client: Client, provider: StandIn, following: str = "/me/") -> tuple[int, str]:
    """Return the status of the callback, and the page that it leads to or shows."""
    answer = client.get(begin(client, provider, following))
    return answer.status_code, answer.get("Location") or answer.text


def is_signed_in(client: Client) -> bool:
    return client.get("/me/").status_code == 200


def is_stranger(client: Client) -> bool:
    """Return whether nobody was signed in, and no account was made."""
    return not is_signed_in(client) and not User.objects.exists()
