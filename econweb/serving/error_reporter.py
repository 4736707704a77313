"""Django's report of an unhandled exception, without API keys and query strings."""

from django.utils.safestring import SafeString
from django.views.debug import ExceptionReporter

from econweb.redaction import redact


class RedactedReporter(ExceptionReporter):
    """Redact the report: with DEBUG it prints the variables of every frame, and one may hold a key."""

    def get_traceback_html(self) -> SafeString:
        return SafeString(redact(super().get_traceback_html()))

    def get_traceback_text(self) -> SafeString:
        return SafeString(redact(super().get_traceback_text()))
