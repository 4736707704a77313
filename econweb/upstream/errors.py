"""What can go wrong when the service is asked; the text of each is written for a reader.

UpstreamError
├── NotFound      the service has no such thing
├── Refused       the service does not accept the request; says why in its own words, if it has any
├── Busy          the service, or our allowance of it, is used up for a while
├── Unavailable   no answer, or an answer that says that the service is down
└── BadReply      an answer that is not what the contract says

What lies below prints whole addresses, and an address holds the key. So each of these is raised `from None`,
or outside of the `except` that caught the lower one.
"""

NOT_IN_TIME = "The service did not answer in time."
NOT_ASKED = "The service cannot be asked."
TOO_LONG = "The service's reply is longer than 8 MiB."
TOO_DEEP = "The service's reply is nested too deep."


class UpstreamError(Exception):
    """The words for the reader are the exception's text."""


class NotFound(UpstreamError):
    """The service has no such thing; `told` where it says so itself, and not something before it."""

    def __init__(self, words: str, told: bool = False) -> None:
        super().__init__(words)
        self.told = told


class Refused(UpstreamError):
    """The service does not accept the request; the text is the service's own where it gave one."""


class Busy(UpstreamError):
    """The service has no room for the request; there may be some in so many seconds."""

    def __init__(self, words: str, seconds: float) -> None:
        super().__init__(words)
        self.seconds = seconds


class Unavailable(UpstreamError):
    """The service gave no answer that could be used; `passing` where asking again at once may help."""

    def __init__(self, words: str, passing: bool = False) -> None:
        super().__init__(words)
        self.passing = passing


class BadReply(UpstreamError):
    """The service answered something that is not in the contract."""
