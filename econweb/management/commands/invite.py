"""manage.py invite NAME: an account, and a link with which its person chooses a password."""

from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.auth.tokens import default_token_generator
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.urls import reverse
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

from econweb.accounts.people import Role
from econweb.management.commands.role import set_role


class Command(BaseCommand):
    help = "Print a link that is valid once, for a week: the person chooses a password there. Also for a forgotten one."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name")
        parser.add_argument("--role", choices=[role.name.lower() for role in Role], help="for a new account; a reader")
        parser.add_argument("--address", default=_default_address(), help="of this site, such as https://x.example.org")

    def handle(self, *args: Any, **options: Any) -> None:
        user = User.objects.filter(username=options["name"]).first() or self._create(options["name"], options["role"])
        account, token = urlsafe_base64_encode(force_bytes(user.pk)), default_token_generator.make_token(user)
        self.stderr.write(f"Send {user.username} this link, which is valid once, for a week:")
        self.stdout.write(f"{options['address'].rstrip('/')}{reverse('invitation', args=[account, token])}")

    def _create(self, name: str, role: str | None) -> User:
        user = User(username=name)
        user.set_unusable_password()
        try:
            user.full_clean(exclude=["password"])
        except ValidationError as error:
            raise CommandError(" ".join(error.messages)) from None
        set_role(user, Role[(role or "reader").upper()])
        return user


def _default_address() -> str:
    host = next((host for host in settings.ALLOWED_HOSTS if not host.startswith(".")), "localhost")
    return f"https://{host}" if settings.SESSION_COOKIE_SECURE else f"http://{host}:8000"
