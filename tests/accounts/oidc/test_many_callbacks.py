"""A thousand forged callbacks sign nobody in, store nothing and reach no provider."""

import random
import string

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.core import signing
from django.test import Client

from econweb.accounts.models import Session, SignInTries, UsedSignIn
from econweb.dashboard.account.flow_cookie import SALT
from tests.accounts.oidc.browser import begin
from tests.accounts.oidc.stand_in import StandIn

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
NAMES = ["state", "code", "iss", "error", "error_description", "session_state", "next", "id_token", "api_key"]
ODD = ["", "/", "//evil.example", "\x00", "\r\nSet-Cookie: x=y", "é\u202e", "%", "{{7*7}}", "' OR 1=1", "x" * 3000]


def forged(choose: random.Random, known: str) -> dict[str, list[str]]:
    """Return parameters, some of them those of a sign-in that another browser has begun."""
    values = [*ODD, known, "".join(choose.choices(string.printable, k=choose.randrange(1, 60)))]
    return {
        name: choose.choices(values, k=choose.randrange(1, 3)) for name in choose.sample(NAMES, choose.randrange(6))
    }


def cookie(choose: random.Random, held: str) -> str:
    cut = choose.randrange(len(held))
    of_others = signing.dumps([[choose.choice(ODD), "/"]], salt=SALT, key="another key of 32 characters or more")
    return choose.choice(["", held[:cut], held[:cut] + "x" + held[cut + 1 :], held[::-1], of_others, of_others + "x"])


def test_forged_callbacks_sign_nobody_in(client: Client, provider: StandIn) -> None:
    state = begin(client, provider).partition("state=")[2].partition("&")[0]
    held = client.cookies[settings.FLOW_COOKIE_NAME].value
    choose, statuses = random.Random(18), set()  # noqa: S311  the same ones each time
    for _ in range(1_000):
        attacker = Client(headers={"Accept": choose.choice(["*/*", "text/html", "application/json"])})
        attacker.cookies[settings.FLOW_COOKIE_NAME] = cookie(choose, held).replace(held, "")
        answer = attacker.get("/sign-in/callback/", forged(choose, state))
        statuses.add(answer.status_code)
        # The site redirects to the address without an API key.
        assert answer.get("Location", "/sign-in/callback/").startswith("/sign-in/callback/")
        assert not answer.cookies

    assert statuses <= {302, 400, 414}
    assert provider.pages == ["/.well-known/openid-configuration"]
    assert not any(table.objects.exists() for table in (User, Session, SignInTries, UsedSignIn))
