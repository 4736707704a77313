"""Every error of a library becomes one of five, with a message without a URL."""

import http.client
import inspect
import pickle
from collections.abc import Iterator
from types import ModuleType

import pytest
import requests
import urllib3

from econweb.upstream import errors
from econweb.upstream.cache import recent_failures
from econweb.upstream.clock import Deadline
from econweb.upstream.errors import Busy, Unavailable, UpstreamError
from econweb.upstream.transport import exchange
from tests.upstream.client_calls import KEY, a_client, fails

SECRET = f"https://data.example.org/econ/series?api_key={KEY}"


def of(module: ModuleType) -> Iterator[type[Exception]]:
    for _, kind in inspect.getmembers(module, inspect.isclass):
        ours = kind.__module__ == module.__name__
        if ours and issubclass(kind, Exception) and not issubclass(kind, Warning):
            yield kind


LOWER = sorted(
    {*of(requests.exceptions), *of(urllib3.exceptions), *of(http.client), OSError, TimeoutError, ValueError},
    key=lambda kind: f"{kind.__module__}.{kind.__name__}",
)
# One is an AssertionError about proxies, of which there are none here.
LIBRARIES = {*of(requests.exceptions), *of(urllib3.exceptions)} - {urllib3.exceptions.ProxySchemeUnsupported}
OURS = sorted(set(of(errors)) - {UpstreamError}, key=lambda kind: kind.__name__)


class Raises(requests.Session):
    """A session in which everything goes wrong."""

    def __init__(self, kind: type[Exception]) -> None:
        super().__init__()
        # Some want arguments of their own; what they hold is the same for us.
        self.error = kind.__new__(kind, SECRET)
        self.error.args = (SECRET,)
        self.calls = 0

    def get(self, *args: object, **kwargs: object) -> requests.Response:
        self.calls += 1
        raise self.error


@pytest.mark.parametrize("kind", LOWER, ids=lambda kind: f"{kind.__module__}.{kind.__name__}")
def test_error_map_covers_every_lower_error(kind: type[Exception]) -> None:
    outcome = exchange.exchange(Raises(kind), "https://data.example.org/econ/series", {}, Deadline(1))

    assert isinstance(outcome, Unavailable)
    assert KEY not in str(outcome)
    assert outcome.__context__ is None


@pytest.mark.parametrize(
    "kind", [requests.exceptions.ReadTimeout, urllib3.exceptions.ReadTimeoutError, TimeoutError], ids=str
)
def test_request_that_got_no_answer_in_time_is_not_sent_again(kind: type[Exception]) -> None:
    session = Raises(kind)
    client = a_client("https://data.example.org", session=session)

    fails(client, Unavailable, "The data provider did not answer in time.")

    assert session.calls == 1


@pytest.mark.parametrize("kind", sorted(LIBRARIES, key=str))
def test_error_map_covers_all_library_errors(kind: type[Exception]) -> None:
    assert any(issubclass(kind, lower) for lower, _, _ in exchange.ERROR_MAP)


def test_error_map_rows_are_all_reachable() -> None:
    rows = [lower for lower, _, _ in exchange.ERROR_MAP]

    for number, row in enumerate(rows):
        assert not any(issubclass(row, earlier) for earlier in rows[:number])


def test_error_tree_in_docstring_is_complete() -> None:
    drawn = [line.split()[1] for line in (errors.__doc__ or "").splitlines() if line.startswith(("├", "└"))]

    assert sorted(drawn) == [kind.__name__ for kind in OURS]


@pytest.mark.parametrize("kind", OURS)
def test_errors_can_be_stored(kind: type[UpstreamError]) -> None:
    assert kind in recent_failures._SECONDS


def test_errors_survive_pickling() -> None:
    error = Busy("full", 9.0)
    twin = pickle.loads(pickle.dumps(Unavailable("down", is_retryable=True)))  # noqa: S301  our own

    assert (str(error), error.retry_after) == ("full", 9.0)
    assert (str(twin), twin.is_retryable) == ("down", True)
