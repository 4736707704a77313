"""The text of one error page."""

from typing import NamedTuple


class ErrorText(NamedTuple):
    """One kind of error. An empty message is filled in by the exception; `{names}` are filled in by the caller."""

    status: int
    title: str
    message: str = ""
    advice: str = ""
    # In seconds, for the header and the countdown.
    retry_after: int = 0
    # False where the service can only refuse the same request again.
    is_retryable: bool = True
    # The advice in plain text, where there is no form to correct.
    plain_advice: str = ""
