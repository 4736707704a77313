"""manage.py invite NAME: an account, and a link with which its person chooses a password."""

import shlex
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.auth.tokens import default_token_generator
from django.core.exceptions import ValidationError
from django.core.mail import EmailMessage, get_connection
from django.core.management.base import CommandError, CommandParser
from django.core.validators import validate_email
from django.db import transaction
from django.urls import reverse
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

from econweb.accounts.changes import Edit, State, at_command_line, record_changes
from econweb.accounts.names import OF_BEFORE
from econweb.accounts.people import Role, has_passwords, may_sign_in, role_of
from econweb.accounts.site_address import is_guessed, parse_site_address, site_address
from econweb.config.mail_config import MailServer
from econweb.management.commands.role import lock_account, new_account, refuse_ended, set_role
from econweb.ownership import hand_over, problem_with_account, problem_with_new_name
from econweb.quick_command import QuickCommand

REMEDY = "Add --same-person if it is, or choose another name."


class Command(QuickCommand):
    help = "Print or mail a link that is valid once, for a week, with which a person chooses a password."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", metavar="NAME")
        parser.add_argument(
            "--role", choices=[role.name.lower() for role in Role], help="of a new account; reader by default"
        )
        parser.add_argument(
            "--mail", metavar="ADDRESS", help="of the person; EMAIL_URL names the server that sends the link"
        )
        parser.add_argument(
            "--same-person", action="store_true", help="give them what an earlier person of this name left"
        )
        parser.add_argument(
            "--url",
            type=parse_site_address,
            help=f"of the site, such as https://portal.example.org; without it {site_address()}",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if not has_passwords():
            raise CommandError(f"People sign in elsewhere (SIGN_IN={settings.SIGN_IN}), and have no passwords here.")
        if options["mail"]:
            _check_address(options["mail"])
        with transaction.atomic():
            account = lock_account(options["name"])
            user = _prepare(account, **options)
            if not may_sign_in(user):
                raise CommandError(
                    f"{user.username} needs no account here (SIGN_IN={settings.SIGN_IN}); only admins have one."
                )
            if account and options["role"]:
                _refuse_other_role(account, options["role"])
            if options["mail"]:
                _change_address(user, options["mail"])
        state = "exists" if account else "is new"
        self.stderr.write(f"The account {user.username} {state}, with the role {_name_role(user)}.")
        # Made last: it depends on the address.
        key, token = urlsafe_base64_encode(force_bytes(user.pk)), default_token_generator.make_token(user)
        link = f"{options['url'] or site_address()}{reverse('invitation', args=[key, token])}"
        if not options["url"] and is_guessed():
            self.stderr.write(
                f"The address {site_address()} is a guess: add --url where the site has another host or port."
            )
        if settings.MAIL_SERVER and user.email and self._send(settings.MAIL_SERVER, user, link):
            self.stdout.write(f"The link was mailed to {user.email}.")
            return
        if options["mail"] and not settings.MAIL_SERVER:
            self.stderr.write("No mail was sent, because EMAIL_URL is not set.")
        self.stderr.write(f"Send {user.username} this link, which is valid once, for a week:")
        self.stdout.write(link)

    def _send(self, server: MailServer, user: User, link: str) -> bool:
        words = (
            f"{user.username}, you are invited to {link.partition('/sign-in/')[0]}\n\n"
            f"Choose a password here. The link is valid once, for a week:\n{link}\n"
        )
        try:
            mail = EmailMessage("Your invitation", words, server.sender, [user.email])
            mail.connection = get_connection(**server.connection)
            return mail.send() == 1
        except OSError as error:
            # The text of the error may repeat what was sent.
            self.stderr.write(f"The mail server did not take the mail ({type(error).__name__}).")
            return False


def _prepare(account: User | None, name: str, role: str | None, same_person: bool, **_: Any) -> User:
    """Return the account that exists, or a new one with the role."""
    user = account or new_account(name)
    refuse_ended(user)
    # The sign-in of a provider and Django's admin refuse such a name as well.
    if not account and (other := User.objects.filter(username__iexact=name).first()):
        raise CommandError(
            f"{name} differs only in capitals from the account {other}. Enter that name, or choose another one."
        )
    problem = problem_with_account(name) if account else problem_with_new_name(name)
    if problem and not (same_person and problem.code == OF_BEFORE):
        raise CommandError(f"{problem.sentence} {REMEDY}")
    if not account:
        set_role(user, Role[(role or "reader").upper()])
    if same_person:
        hand_over(user)
    return user


def _refuse_other_role(account: User, role: str) -> None:
    if role != (found := _name_role(account)):
        remedy = shlex.join(["manage.py", "role", account.username, role])
        raise CommandError(f"The account {account} has the role {found}, which this command changes: {remedy}")


def _change_address(user: User, address: str) -> None:
    """Store the mail address, and record it with the role, which the settings may give to an address."""
    before = _state_of(user)
    user.email = address
    user.save(update_fields=["email"])
    edit = Edit("account", user.username, user.username, before, _state_of(user))
    record_changes(at_command_line(), "changed", [edit])


def _state_of(user: User) -> State:
    return {"mail": user.email, "role": _name_role(user)}


def _name_role(user: User) -> str:
    return role_of(user).name.lower()


def _check_address(address: str) -> None:
    try:
        validate_email(address)
    except ValidationError:
        raise CommandError(f"{address!r} is not a mail address.") from None
