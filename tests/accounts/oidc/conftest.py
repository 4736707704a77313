"""A site whose people sign in at a provider that the test controls."""

from collections.abc import Iterator

import pytest
from pytest_django import Settings

from econweb.accounts.oidc import provider as provider_module
from tests.accounts.oidc.stand_in import CLIENT, SECRET, StandIn, serve


@pytest.fixture
def at_a_provider(settings: Settings) -> Settings:
    settings.SIGN_IN = "oidc"
    settings.AUTHENTICATION_BACKENDS = ["econweb.accounts.oidc.person.ProviderBackend"]
    settings.OIDC_CLIENT_ID, settings.OIDC_CLIENT_SECRET = CLIENT, SECRET
    return settings


@pytest.fixture
def provider(at_a_provider: Settings) -> Iterator[StandIn]:
    stand_in = StandIn()
    with serve(stand_in):
        # The port may be that of a provider before it, whose documents the site has kept.
        for kept in (provider_module._kept_metadata, provider_module._kept_keys):
            kept.cache_clear()
        at_a_provider.OIDC_ISSUER = stand_in.issuer
        yield stand_in
