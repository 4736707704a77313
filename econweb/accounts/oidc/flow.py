"""One sign-in at the OpenID provider: the address to begin at, and the exchange of the code for a person."""

from dataclasses import dataclass
from typing import Any
from urllib.parse import quote_plus

from authlib.common.urls import add_params_to_uri
from authlib.integrations.base_client import OAuthError
from authlib.integrations.requests_client import OAuth2Session
from django.conf import settings
from django.utils import timezone
from django.utils.crypto import get_random_string, salted_hmac

from econweb.accounts.oidc.bounded_http import ProviderUnavailable, bound, get
from econweb.accounts.oidc.id_token import SignInRefused, check_id_token
from econweb.accounts.oidc.provider import decode, find_metadata

STATE_LENGTH = 32
_ADDRESS = {"email", "email_verified"}


@dataclass(frozen=True)
class Flow:
    """A sign-in that a browser has begun, the page of this site that it wanted, and when."""

    state: str
    following: str
    # Seconds since 1970.
    begun: int

    @property
    def nonce(self) -> str:
        return self._derived("nonce")

    @property
    def verifier(self) -> str:
        return self._derived("verifier")

    def _derived(self, purpose: str) -> str:
        """Derive a value from the state, which travels in addresses; only this site can do so."""
        return salted_hmac(f"econweb.accounts.oidc {purpose}", self.state, algorithm="sha256").hexdigest()


@dataclass(frozen=True)
class Claims:
    """The provider's claims about a person, and the token that had them."""

    issuer: str
    subject: str
    values: dict[str, Any]
    id_token: str

    def groups(self) -> list[str]:
        """Return those groups of the person that have a role; there may be thousands of others."""
        given = self.values.get(settings.OIDC_GROUPS_CLAIM)
        listed = given if isinstance(given, list) else [given]
        named = {group for group in listed if isinstance(group, str)}
        return sorted(named & {*settings.EDITOR_GROUPS, *settings.ADMIN_GROUPS})


def begin_flow(following: str) -> Flow:
    return Flow(get_random_string(STATE_LENGTH), following, int(timezone.now().timestamp()))


def address_to_begin(flow: Flow, redirect_uri: str) -> str:
    """Return the provider's page to which the browser is sent."""
    metadata = find_metadata()
    with _session(redirect_uri) as session:
        address, _ = session.create_authorization_url(
            metadata.authorization_endpoint, state=flow.state, nonce=flow.nonce, code_verifier=flow.verifier
        )
    return str(address)


def address_to_end(id_token: str, following: str) -> str:
    """Return the provider's page that ends its session; empty if it has none."""
    metadata = find_metadata()
    if not metadata.end_session_endpoint:
        return ""
    known = {"client_id": settings.OIDC_CLIENT_ID, "post_logout_redirect_uri": following}
    hint = {"id_token_hint": id_token} if id_token else {}
    return str(add_params_to_uri(metadata.end_session_endpoint, [*(known | hint).items()]))


def check_issuer(given: str | None) -> None:
    """Refuse the reply of another provider (RFC 9207)."""
    metadata = find_metadata()
    is_missing = given is None and metadata.authorization_response_iss_parameter_supported
    if is_missing or given not in {None, metadata.issuer}:
        raise SignInRefused("the reply of another issuer")


def finish(flow: Flow, code: str, redirect_uri: str) -> Claims:
    """Exchange the code, check the ID token, and read the claims that it lacks from the provider's userinfo."""
    metadata = find_metadata()
    token = _fetch_token(flow, code, redirect_uri)
    access_token = token.get("access_token")
    if not isinstance(access_token, str):
        raise SignInRefused("no access token")
    values = check_id_token(token.get("id_token"), flow.nonce, access_token)
    wanted = {"preferred_username", settings.OIDC_GROUPS_CLAIM, *_ADDRESS}
    if metadata.userinfo_endpoint and not wanted <= values.keys():
        more = decode(get(metadata.userinfo_endpoint, access_token), dict[str, Any])
        if more.get("sub") != values["sub"]:
            raise SignInRefused("userinfo of another person")
        # One reply must name the address and verify it: the other may mean another address.
        address = next((one for one in (values, more) if one.keys() >= _ADDRESS), {})
        values = {**more, **values} | {name: address.get(name) for name in _ADDRESS}
    return Claims(settings.OIDC_ISSUER, values["sub"], values, str(token["id_token"]))


def _fetch_token(flow: Flow, code: str, redirect_uri: str) -> dict[str, Any]:
    metadata = find_metadata()
    methods = metadata.token_endpoint_auth_methods_supported or ["client_secret_basic"]
    # In the header, both are encoded first (RFC 6749, section 2.3.1), which Authlib leaves out.
    secret = (quote_plus(settings.OIDC_CLIENT_ID), quote_plus(settings.OIDC_CLIENT_SECRET))
    with _session(redirect_uri, "client_secret_post") as session:
        try:
            found: dict[str, Any] = session.fetch_token(
                metadata.token_endpoint,
                grant_type="authorization_code",
                code=code,
                code_verifier=flow.verifier,
                redirect_uri=redirect_uri,
                auth=secret if "client_secret_basic" in methods else None,
            )
        except OAuthError as error:
            raise SignInRefused(f"the provider refused the code: {str(error.error)[:40]}") from None
        except (ValueError, TypeError, OSError, RecursionError) as error:
            # OSError: an HTTP error of requests.
            raise ProviderUnavailable(f"token endpoint: {type(error).__name__}") from None
    return found


def _session(redirect_uri: str, auth_method: str | None = None) -> OAuth2Session:
    session = OAuth2Session(
        settings.OIDC_CLIENT_ID,
        settings.OIDC_CLIENT_SECRET,
        token_endpoint_auth_method=auth_method,
        scope=" ".join(settings.OIDC_SCOPES),
        redirect_uri=redirect_uri,
        code_challenge_method="S256",
    )
    bound(session)
    return session
