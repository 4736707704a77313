"""The client address under which a request is counted."""

import pytest
from pytest_django.fixtures import Settings

from econweb.accounts.client_address import client_address


@pytest.mark.parametrize(
    ("forwarded", "address"),
    [
        ("203.0.113.7", "203.0.113.7"),
        ("10.0.0.1, 203.0.113.7", "203.0.113.7"),
        ("2001:db8::1", "2001:db8::/64"),
        ("2001:db8:0:0:ffff::1", "2001:db8::/64"),
        ("::ffff:203.0.113.7", "203.0.113.7"),
        ("203.0.113.7:80", "192.0.2.1"),
        ("2001:db8::1%" + 60 * "e", "192.0.2.1"),
        ("", "192.0.2.1"),
    ],
)
def test_client_address_is_the_last_forwarded_one_behind_a_proxy(
    settings: Settings, forwarded: str, address: str
) -> None:
    settings.BEHIND_PROXY = True

    assert client_address({"HTTP_X_FORWARDED_FOR": forwarded, "REMOTE_ADDR": "192.0.2.1"}) == address


def test_client_address_ignores_forwarded_header_without_a_proxy(settings: Settings) -> None:
    settings.BEHIND_PROXY = False

    assert client_address({"HTTP_X_FORWARDED_FOR": "203.0.113.7", "REMOTE_ADDR": "192.0.2.1"}) == "192.0.2.1"


def test_client_address_is_unknown_if_missing() -> None:
    assert client_address({}) == "unknown"
