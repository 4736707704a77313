"""manage.py connect: the subjects that it takes, and what an account keeps when its subject changes."""

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from econweb.accounts import tokens
from econweb.accounts.models import Change, Identity
from econweb.watching import subscriptions
from tests.accounts.oidc.browser import is_signed_in, sign_in
from tests.accounts.oidc.stand_in import StandIn
from tests.document_commands import ROOT, run, write_stand_ins

pytestmark = pytest.mark.django_db
DOCUMENT = (ROOT / "docs" / "sign-in.md").read_text(encoding="utf-8")


def test_list_of_people_is_connected_to_its_last_line(tmp_path: Path) -> None:
    (loop,) = (line for line in DOCUMENT.splitlines() if line.startswith("while read -r name subject"))
    (tmp_path / "people.txt").write_text("ada 1001\ngrace\nlinus 1003")
    write_stand_ins(tmp_path, {"manage.py": 'echo "$1|$2|$3"'})

    assert run(tmp_path, loop).split() == ["connect|ada|1001", "connect|grace|", "connect|linus|1003"]


@pytest.mark.parametrize("subject", ["", "a\nb", "1001\r", "é", "x" * 256])
def test_command_refuses_what_no_provider_sends_as_a_subject(client: Client, provider: StandIn, subject: str) -> None:
    sign_in(client, provider)
    with pytest.raises(CommandError, match=r"^The subject of ada has to be 1 to 255 printable characters"):
        call_command("connect", "ada", subject)

    assert is_signed_in(client)
    assert Identity.objects.get().subject == "1001"
    assert not Change.objects.filter(kind="identity").exists()


def test_new_subject_ends_the_sessions_and_leaves_feed_and_token(client: Client, provider: StandIn) -> None:
    """The command is for the same person; `sign_out` ends both."""
    sign_in(client, provider)
    token, feed = tokens.renew_token("ada"), subscriptions.renew_feed("ada")
    call_command("connect", "ada", "1002", stdout=StringIO())

    assert not is_signed_in(client)
    assert sign_in(Client(), provider)[0] == 403
    assert (tokens.person_of_token(token), bool(subscriptions.subscription_of_token(feed))) == ("ada", True)
    call_command("sign_out", "ada", stdout=StringIO())
    assert (tokens.person_of_token(token), subscriptions.subscription_of_token(feed)) == (None, None)
