"""The OpenID provider, as `manage.py doctor` reads it."""

import socket

from pytest_django import Settings

from econweb.doctor.findings import Level
from econweb.doctor.service_checks import check_provider


def test_doctor_says_why_the_provider_cannot_be_read(settings: Settings) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        settings.SIGN_IN, settings.OIDC_ISSUER = "oidc", f"http://127.0.0.1:{closed.getsockname()[1]}"
        (finding,) = check_provider()

    assert (finding.level, finding.text) == (
        Level.ERROR,
        "the OpenID provider cannot be read: nothing listens at its port. Check OIDC_ISSUER",
    )
