"""The check of an ID token: signature, issuer, audience, times and nonce."""

import re
from typing import Any

from authlib.oidc.core import CodeIDToken
from django.conf import settings
from joserfc import jwt
from joserfc.errors import InvalidKeyIdError, JoseError
from joserfc.jwk import KeySet

from econweb.accounts.oidc.provider import SECONDS_BETWEEN_KEYS, find_keys, find_metadata

# Signed with a private key of the provider: never `none`, and never with the client's secret.
ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "Ed25519", "EdDSA"]
# Seconds by which the clocks of the provider and of this machine may differ.
CLOCK_SKEW = 60
MAX_TOKEN = 16 * 1024
# The limits that OpenID Connect sets for `sub`.
SUBJECT = "[ -~]{1,255}"


class SignInRefused(Exception):
    """The provider did not sign the person in, or its reply is not valid; the text is for the log."""

    # Of the error page.
    code = "sign_in_refused"


def check_id_token(token: object, nonce: str, access_token: str) -> dict[str, Any]:
    """Return the claims of a token that the provider issued for this sign-in."""
    if not isinstance(token, str) or len(token) > MAX_TOKEN:
        raise SignInRefused("no ID token")
    try:
        decoded = _decode(token)
        claims = CodeIDToken(
            decoded.claims,
            decoded.header,
            {
                "iss": {"essential": True, "value": find_metadata().issuer},
                "aud": {"essential": True, "value": settings.OIDC_CLIENT_ID},
            },
            {"nonce": nonce, "client_id": settings.OIDC_CLIENT_ID, "access_token": access_token},
        )
        claims.validate(leeway=CLOCK_SKEW)
    except JoseError as error:
        raise SignInRefused(f"ID token: {type(error).__name__} {getattr(error, 'claim', '')}".strip()) from None
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise SignInRefused(f"ID token: {type(error).__name__}") from None
    subject = claims["sub"]
    if not isinstance(subject, str) or not re.fullmatch(SUBJECT, subject):
        raise SignInRefused("ID token: sub")
    return dict(claims)


def _decode(token: str) -> jwt.Token:
    try:
        return _verify(token, find_keys())
    except InvalidKeyIdError:
        # The provider may have a new key.
        return _verify(token, find_keys(max_age=SECONDS_BETWEEN_KEYS))


def _verify(token: str, keys: KeySet) -> jwt.Token:
    return jwt.decode(token, keys, algorithms=ALGORITHMS)
