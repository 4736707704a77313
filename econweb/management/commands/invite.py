"""manage.py invite NAME: an account, and a link with which its person chooses a password."""

import smtplib
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.auth.tokens import default_token_generator
from django.core.exceptions import ValidationError
from django.core.mail import EmailMessage, get_connection
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.core.validators import validate_email
from django.urls import reverse
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

from econweb.accounts.people import Role, has_passwords, may_sign_in
from econweb.accounts.site_address import parse_site_address, site_address
from econweb.config.mail_config import MailServer
from econweb.library.rights import count_owned
from econweb.management.commands.role import new_account, set_role


class Command(BaseCommand):
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
            "--same-person", action="store_true", help="give them what an ended account of this name owns"
        )
        parser.add_argument(
            "--url",
            type=parse_site_address,
            default=site_address(),
            help="of the site, such as https://portal.example.org",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if not has_passwords():
            raise CommandError(f"People sign in elsewhere (SIGN_IN={settings.SIGN_IN}), and have no passwords here.")
        if options["mail"]:
            _check_address(options["mail"])
        user = User.objects.filter(username=options["name"]).first() or self._create(**options)
        if not may_sign_in(user):
            raise CommandError(
                f"{user.username} needs no account here (SIGN_IN={settings.SIGN_IN}); only admins have one."
            )
        if options["mail"]:
            user.email = options["mail"]
            user.save(update_fields=["email"])
        # Made last: it depends on the address.
        account, token = urlsafe_base64_encode(force_bytes(user.pk)), default_token_generator.make_token(user)
        link = f"{options['url']}{reverse('invitation', args=[account, token])}"
        if settings.MAIL_SERVER and user.email and self._send(settings.MAIL_SERVER, user, link):
            self.stdout.write(f"The link was mailed to {user.email}.")
            return
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
        except (OSError, smtplib.SMTPException) as error:
            # The text of the error may repeat what was sent.
            self.stderr.write(f"The mail server did not take the mail ({type(error).__name__}).")
            return False

    def _create(self, name: str, role: str | None, same_person: bool, **_: Any) -> User:
        user = new_account(name)
        owned = 0 if same_person else count_owned(user.username)
        if owned:
            raise CommandError(
                f"An earlier account {name} has saved {owned} views or frozen copies, and the new one would own them, "
                "also those that are private. Add --same-person if it is, or choose another name."
            )
        set_role(user, Role[(role or "reader").upper()])
        return user


def _check_address(address: str) -> None:
    try:
        validate_email(address)
    except ValidationError:
        raise CommandError(f"{address!r} is not a mail address.") from None
