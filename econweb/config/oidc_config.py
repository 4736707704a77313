"""Settings of OpenID Connect: the provider, the scopes, and the check that all settings belong together."""

from econweb.config import environment
from econweb.config.environment import BadSetting
from econweb.config.service_config import base_url

DISCOVERY = "/.well-known/openid-configuration"
EXAMPLES = {
    "OIDC_ISSUER": "https://sso.example.org",
    "OIDC_CLIENT_ID": "econweb",
    "OIDC_CLIENT_SECRET": "/run/secrets/oidc",
}


def issuer(name: str) -> str:
    if environment.text(name).rstrip("/").endswith(DISCOVERY):
        raise BadSetting(name, f"is the address of a document: leave {DISCOVERY} out", EXAMPLES[name])
    return base_url(name, "a provider", "OIDC_CLIENT_SECRET", EXAMPLES[name])


def scopes(name: str) -> list[str]:
    default = "openid,profile,email"
    read = environment.names(name, default, "[!#-~]{1,100}", f"{default},groups")
    if "openid" not in read:
        raise BadSetting(name, "lacks openid", default)
    return read


def check_oidc(sign_in: str, *given: str) -> None:
    """Stop the start when one of them is missing, or when they would have no effect."""
    for name, value in zip(EXAMPLES, given, strict=True):
        shown = f"{name}_FILE" if "SECRET" in name else name
        if sign_in == "oidc" and not value:
            raise BadSetting(name, "is needed with SIGN_IN=oidc", EXAMPLES[name], shown)
        if sign_in != "oidc" and value:
            raise BadSetting(name, "is set, but SIGN_IN is not oidc", "oidc", "SIGN_IN")
