"""The check that settings of OpenID Connect belong together."""

from econweb.config.environment import BadSetting

EXAMPLES = {
    "OIDC_ISSUER": "https://sso.example.org",
    "OIDC_CLIENT_ID": "econweb",
    "OIDC_CLIENT_SECRET": "/run/secrets/oidc",
}


def check_oidc(sign_in: str, **given: str) -> None:
    """Stop the start when one of them is missing, or when they would have no effect."""
    for name, value in given.items():
        shown = f"{name}_FILE" if "SECRET" in name else name
        if sign_in == "oidc" and not value:
            raise BadSetting(name, "is needed with SIGN_IN=oidc", EXAMPLES[name], shown)
        if sign_in != "oidc" and value:
            raise BadSetting(name, "is set, but SIGN_IN is not oidc", "oidc", "SIGN_IN")
