"""manage.py check_proxy URL: whether the proxy in front of this site lets a client say who it is."""

from collections import Counter
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, urlsplit

from django.conf import settings
from django.core.management.base import CommandError, CommandParser

from econweb.accounts import proxy_check
from econweb.accounts.site_address import parse_site_address
from econweb.config.file_access import describe_inaccessible
from econweb.quick_command import QuickCommand

# Attacks between two comparisons of the hosts.
EVERY = 8


class Command(QuickCommand):
    help = "Send forged headers to the proxy of your own site, in every spelling, and print what got through."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "url",
            metavar="URL",
            type=parse_site_address,
            help="of the site as people open it, such as https://portal.example.org",
        )
        parser.add_argument(
            "--headers",
            type=Path,
            metavar="FILE",
            help="a file with the headers of a person that is signed in, such as Cookie: …",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if settings.SIGN_IN != "proxy":
            raise CommandError("SIGN_IN is not proxy, so this site reads no header that names a person.")
        address, own = _parse_url(options["url"]), _read_headers(options["headers"])
        try:
            honest = proxy_check.ask(address, own)
        except (OSError, ValueError) as error:
            raise CommandError(f"{options['url']} does not answer: {error}") from None
        _refuse_failure(options["url"], honest)
        self.stdout.write(f"Without a forged header: {honest.name or 'nobody'} (status {honest.status}).")
        if honest.role == "admin" or (honest.role and not settings.ADMIN_GROUPS):
            remedy = (
                "Forged groups do not show beside that role: give --headers of a person without one (docs/sign-in.md)."
            )
            raise CommandError(f"{honest.name} is an {honest.role}. {remedy}")
        groups = ",".join([*settings.ADMIN_GROUPS, *settings.EDITOR_GROUPS]) or "econweb-check"
        headers = settings.PROXY_USER_HEADER, settings.PROXY_GROUPS_HEADER
        attacks = proxy_check.list_attacks(*headers, proxy_check.forged_name(), groups)
        found: Counter[str] = Counter()
        for number, attack in enumerate(attacks, start=1):
            found[self._try(address, honest, attack, own)] += 1
            if number % EVERY == 0:
                found[proxy_check.NO_VERDICT] += _compare(address, honest, own)
        found[proxy_check.NO_VERDICT] += _compare(address, honest, own)
        self.stdout.write("; ".join(f"{count} {result}" for result, count in sorted((+found).items())) + ".")
        if not honest.name and not options["headers"]:
            unseen = "" if honest.is_reading else " It is not seen whether the site reads these headers."
            remedy = "Give --headers as well: the proxy may then add its own headers."
            self.stdout.write(f"Nobody was signed in.{unseen} {remedy}")
        if found[proxy_check.GOT_THROUGH]:
            raise CommandError("A client can say who it is. Have the proxy replace both headers: docs/sign-in.md.")
        if options["headers"] and not honest.name:
            raise CommandError("--headers signs nobody in: is the password right, and the session not ended?")
        if found[proxy_check.NO_VERDICT]:
            raise CommandError("Some requests got status 429, or 500 and above. Start the command again later.")

    def _try(
        self, address: SplitResult, honest: proxy_check.Reply, attack: proxy_check.Attack, own: proxy_check.Lines
    ) -> str:
        try:
            reply = proxy_check.ask(address, [*own, *attack.lines])
        except OSError:
            result = "not answered"
        else:
            if reply.has_wrong_address:
                raise CommandError(f"The site refuses what the proxy sends: {proxy_check.WRONG_ADDRESS}.")
            result = proxy_check.judge(honest, reply)
        self.stdout.write(f"  {result:35} {attack.title}")
        return result


def _compare(address: SplitResult, honest: proxy_check.Reply, own: proxy_check.Lines) -> int:
    """Raise CommandError where a host answers the first request differently; return how many replies say nothing."""
    unknown = 0
    # Three in a row, because a proxy mostly takes its hosts in turn.
    for _ in range(3):
        try:
            again = proxy_check.ask(address, own)
        except OSError as error:
            raise CommandError(f"The hosts answer differently: {_describe(honest)}; {error}") from None
        if proxy_check.judge(honest, again) == proxy_check.NO_VERDICT:
            unknown += 1
        elif again != honest:
            raise CommandError(f"The hosts answer differently: {_describe(honest)}; {_describe(again)}")
    return unknown


def _describe(reply: proxy_check.Reply) -> str:
    return ", ".join(filter(None, (str(reply.status), reply.name or "nobody", reply.role)))


def _refuse_failure(url: str, honest: proxy_check.Reply) -> None:
    """Raise CommandError where the first reply shows that forged headers would test nothing."""
    if honest.status >= 500:
        raise CommandError(f"{url} fails: its status is {honest.status}.")
    if honest.has_wrong_address:
        raise CommandError(f"The site refuses what the proxy sends: {proxy_check.WRONG_ADDRESS}.")
    if honest.is_refused:
        raise CommandError("The site refuses what the proxy sends: the log of the site says why.")
    if honest.status == 400:
        raise CommandError(f"The page has status 400: {proxy_check.name_host_remedy(url)}.")
    if honest.is_reading is False:
        wrong = f"{url}/me/ (status {honest.status}) is of no econweb that reads these headers: nothing was tested"
        raise CommandError(f"{wrong}. Name the site itself, and restart it after a change of SIGN_IN.")


def _parse_url(url: str) -> SplitResult:
    # It becomes a line of the request as it is.
    if not url.isascii() or not url.isprintable():
        raise CommandError("The URL has a letter or sign beyond ASCII. Write it as browsers send it.")
    return urlsplit(url)


def _read_headers(file: Path | None) -> list[tuple[str, str]]:
    """Return the headers of a file, one a line; it may hold a session, so its text is never printed."""
    if file is None:
        return []
    try:
        pairs = [line.partition(":") for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]
    except PermissionError:
        raise CommandError(describe_inaccessible(file.absolute())) from None
    except (OSError, UnicodeDecodeError):
        raise CommandError(f"{file} is not a file of UTF-8 text that can be read.") from None
    if not all(colon and name.strip() for name, colon, _ in pairs):
        raise CommandError(f"{file} has a line that is not of the form Name: value.")
    return [(name.strip(), value.strip()) for name, _, value in pairs]
