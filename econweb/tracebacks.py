"""What Django shows and mails of an exception that nobody caught, without keys and query strings."""

from django.utils.safestring import SafeString
from django.views.debug import ExceptionReporter

from econweb.upstream.redaction import redacted


class RedactedReporter(ExceptionReporter):
    """With DEBUG it prints the variables of every frame, and in one of them a key may stand."""

    def get_traceback_html(self) -> SafeString:
        return SafeString(redacted(super().get_traceback_html()))

    def get_traceback_text(self) -> SafeString:
        return SafeString(redacted(super().get_traceback_text()))
