"""manage.py doctor: one page of findings about this installation."""

import logging
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import structlog
from django.core import checks
from django.core.management.base import CommandParser

from econweb.accounts.site_address import parse_site_address
from econweb.config.file_access import describe_inaccessible
from econweb.doctor.certificate_checks import check_certificates
from econweb.doctor.database_checks import check_cache, check_looks, check_tables, check_upgrade, read_clocks
from econweb.doctor.findings import Finding, Level, error, good, warning
from econweb.doctor.machine_checks import check_clock, check_disk, check_files, check_open_files
from econweb.doctor.proxy_checks import check_front
from econweb.doctor.service_checks import check_key, check_mail, check_provider, read_service_clock
from econweb.doctor.setting_checks import check_address, check_settings, check_terms
from econweb.quick_command import QuickCommand
from econweb.redaction import redact


class Command(QuickCommand):
    help = "Look at settings, files, database, cache, service and proxy, and say what is wrong. Repairs nothing."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--url", type=parse_site_address, help="of the site as people open it, to look at its proxy as well"
        )
        parser.add_argument("--strict", action="store_true", help="end with 1 also for warnings")

    def handle(self, *args: Any, **options: Any) -> None:
        # Findings say the same as the log lines.
        structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
        with warnings.catch_warnings(action="ignore"):
            found = [finding for check in _checks(options["url"] or "") for finding in _run(check)]
        for level, topic, text in found:
            # The text of a foreign error may repeat a password.
            self.stdout.write(redact(f"{level:8} {topic:10}  {text}"))
        counts = Counter(finding.level for finding in found)
        self.stdout.write(f"{_count(counts[Level.ERROR], 'error')}, {_count(counts[Level.WARNING], 'warning')}.")
        if counts[Level.ERROR] or (options["strict"] and counts[Level.WARNING]):
            raise SystemExit(1)


def _checks(url: str) -> list[Callable[[], Iterable[Finding]]]:
    return [
        check_settings,
        check_address,
        _check_django,
        check_terms,
        check_files,
        check_disk,
        check_open_files,
        _check_clocks,
        check_tables,
        check_upgrade,
        check_looks,
        check_cache,
        check_key,
        check_provider,
        check_mail,
        partial(check_certificates, url),
        partial(check_front, url),
    ]


def _run(check: Callable[[], Iterable[Finding]]) -> list[Finding]:
    """Return what it found; a check that fails itself is a finding, and the others go on."""
    try:
        return list(check())
    except Exception as failure:  # one broken thing must not hide the others
        name = getattr(check, "__name__", "a check").removeprefix("_").removeprefix("check_")
        if isinstance(failure, PermissionError) and failure.filename:
            return [error(name, describe_inaccessible(Path(failure.filename)))]
        return [error(name, f"this check failed itself ({type(failure).__name__}: {failure})")]


def _count(number: int, name: str) -> str:
    return f"{number} {name}{'' if number == 1 else 's'}"


def _check_clocks() -> Iterator[Finding]:
    return check_clock(read_clocks() | read_service_clock())


def _check_django() -> Iterator[Finding]:
    found = [message for message in checks.run_checks(include_deployment_checks=True) if not message.is_silenced()]
    for message in found:
        is_error = message.level >= checks.ERROR
        yield (error if is_error else warning)("settings", f"{message.id}: {message.msg}")
    if not found:
        yield good("settings", "Django's checks for deployment find nothing")
