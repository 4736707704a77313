"""A command that does not wait for checks of the code."""

from django.core.management.base import BaseCommand


class QuickCommand(BaseCommand):
    """Django's checks load every page, which takes as long as all the rest; `serve` and `check` make them."""

    requires_system_checks: tuple[str, ...] = ()
