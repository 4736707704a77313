"""The errors of requests to the service; the text of each is a message for users.

UpstreamError
├── NotFound      the service has no such record
├── NotInPeriod   the same, for the requested real-time period; a NotFound
├── Refused       the service does not accept the request; has the service's own message, if there is one
├── WrongValue    the same, for a value that the user gave; a Refused
├── Busy          the service is busy, or our rate limit is used up
├── Unavailable   no reply, or one that says that the service is down
└── BadReply      a reply that does not follow the contract

The exceptions of requests and urllib3 print whole URLs, and a URL holds the key. So each of these errors is
raised `from None`, or outside of the `except` that caught the other one.
"""

import re
from collections.abc import Mapping

NOT_IN_TIME = "The data provider did not answer in time."
NOT_ASKED = "The data provider cannot be asked."
TOO_LONG = "The data provider's reply is longer than 8 MiB."
NOT_IN_PERIOD = "The data provider has no record of it in that real-time period."
TOO_DEEP = "The data provider's reply is nested too deep."
NO_MESSAGE = "The data provider does not know it."
TOO_MANY_OPEN = "This site has too many open requests to the data provider."
_NAME_OF_STATUS = re.compile(r"\A(Bad Request|Not Found)(\.\s*|\Z)")


def is_not_found(message: str) -> bool:
    """Return whether this is the service's own word on a missing record."""
    return message.endswith("does not exist.")


class UpstreamError(Exception):
    """The base class; the text is the message that users see.

    `is_about_key`: the reason is this site's API key. Users have none, so only the administrator can help.
    """

    is_about_key = False


class NotFound(UpstreamError):
    """The service has no such record; `is_explicit` if the service says so itself, not a proxy in front of it."""

    def __init__(self, message: str, is_explicit: bool = False) -> None:
        super().__init__(message)
        self.is_explicit = is_explicit


class NotInPeriod(NotFound):
    """The service has no record in the requested period; without a period it may have one."""


class Refused(UpstreamError):
    """The service does not accept the request; the text is the service's own if it sent one."""

    def __init__(self, message: str, is_about_key: bool = False) -> None:
        super().__init__(message)
        self.is_about_key = is_about_key


class WrongValue(Refused):
    """The service does not accept the value that the user gave for `parameter`, if it names one."""

    def __init__(self, message: str, parameter: str = "") -> None:
        super().__init__(message)
        self.parameter = parameter


class Busy(UpstreamError):
    """The service cannot take the request now; it may in `retry_after` seconds."""

    def __init__(self, message: str, retry_after: float) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class Unavailable(UpstreamError):
    """The service sent no usable reply; `is_retryable` if an immediate retry may help."""

    def __init__(self, message: str, is_retryable: bool = False) -> None:
        super().__init__(message)
        self.is_retryable = is_retryable


class BadReply(UpstreamError):
    """The service's reply does not follow the contract."""


def is_failure_of_service(error: UpstreamError) -> bool:
    """Return whether a request for anything else would fail as well."""
    return isinstance(error, Unavailable) or error.is_about_key


def is_lasting(error: UpstreamError) -> bool:
    """Return whether it is the service's word on this request, which it would repeat. No other error says anything."""
    if isinstance(error, NotFound):
        return error.is_explicit
    return isinstance(error, Refused) and not error.is_about_key


def message_of(error: UpstreamError) -> str:
    """Return the error's message without the name of the status, which tells users nothing."""
    return _NAME_OF_STATUS.sub("", str(error), count=1).strip() or NO_MESSAGE


def make_error(kind: type[UpstreamError], message: str, attributes: Mapping[str, object]) -> UpstreamError:
    """Return the same error as another object, since raising changes the traceback of one."""
    error = kind.__new__(kind, message)
    vars(error).update(attributes)
    return error
