"""Accounts of tests have passwords that are checked fast."""

import pytest
from pytest_django import Settings


@pytest.fixture(autouse=True)
def fast_passwords(settings: Settings) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
