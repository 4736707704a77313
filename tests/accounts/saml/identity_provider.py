"""A SAML identity provider with one person, made of pysaml2: python identity_provider.py PORT SITE FOLDER PASSWORD."""

import html
import sys
from base64 import b64encode
from urllib.parse import parse_qs
from urllib.request import urlopen
from wsgiref.simple_server import make_server
from wsgiref.types import StartResponse, WSGIEnvironment

from saml2 import BINDING_HTTP_REDIRECT
from saml2.config import IdPConfig
from saml2.metadata import entity_descriptor
from saml2.saml import NAME_FORMAT_URI, NAMEID_FORMAT_TRANSIENT
from saml2.server import Server

port, site, folder, password = int(sys.argv[1]), sys.argv[2], sys.argv[3], sys.argv[4]
ADA = {"uid": ["ada"], "isMemberOf": ["staff", "data desk"]}
FORM = """<form method="post" action="{action}">{hidden}{seen}<button>Go on</button></form>"""
ASKED = '<input name="login" value=""><input name="password" value="">'
config = {
    "entityid": f"http://127.0.0.1:{port}/metadata",
    "key_file": f"{folder}/provider.key",
    "cert_file": f"{folder}/provider.crt",
    "service": {
        "idp": {
            "endpoints": {
                "single_sign_on_service": [(f"http://127.0.0.1:{port}/sign-in", BINDING_HTTP_REDIRECT)],
                "single_logout_service": [(f"http://127.0.0.1:{port}/sign-out", BINDING_HTTP_REDIRECT)],
            },
            "name_id_format": [NAMEID_FORMAT_TRANSIENT],
            "policy": {"default": {"lifetime": {"minutes": 5}, "name_form": NAME_FORMAT_URI}},
            "sign_assertion": True,
            "sign_response": True,
        }
    },
}


def page(action: str, fields: dict[str, str], seen: str = "") -> str:
    pairs = [(name, html.escape(value)) for name, value in fields.items()]
    hidden = "".join(f'<input type="hidden" name="{name}" value="{value}">' for name, value in pairs)
    return FORM.format(action=html.escape(action), hidden=hidden, seen=seen)


def with_site() -> Server:
    """Return the provider that knows the site, whose proxy writes its metadata itself."""
    with urlopen(f"{site}/mellon/metadata", timeout=20) as reply:  # noqa: S310  of this machine
        return Server(config=IdPConfig().load({**config, "metadata": {"inline": [reply.read().decode()]}}))


def sign_in(fields: dict[str, str]) -> str:
    if (fields.get("login"), fields.get("password")) != ("ada", password):
        return page("/sign-in", {name: fields.get(name, "") for name in ("SAMLRequest", "RelayState")}, ASKED)
    server = with_site()
    request = server.parse_authn_request(fields["SAMLRequest"], BINDING_HTTP_REDIRECT)
    known = server.response_args(request.message)
    response = server.create_authn_response(ADA, userid="ada", authn={"class_ref": "password"}, **known)
    return page(
        known["destination"],
        {"SAMLResponse": b64encode(str(response).encode()).decode(), "RelayState": fields["RelayState"]},
    )


def sign_out(fields: dict[str, str]) -> str:
    """Return the address at which the site ends its session."""
    server = with_site()
    request = server.parse_logout_request(fields["SAMLRequest"], BINDING_HTTP_REDIRECT)
    response = server.create_logout_response(request.message, [BINDING_HTTP_REDIRECT], sign=False)
    info = server.apply_binding(
        BINDING_HTTP_REDIRECT, str(response), f"{site}/mellon/logout", fields["RelayState"], response=True, sign=True
    )
    return str(dict(info["headers"])["Location"])


def respond(environ: WSGIEnvironment, start: StartResponse) -> list[bytes]:
    body = environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0)).decode()
    fields = {name: values[0] for name, values in parse_qs(environ["QUERY_STRING"] or body).items()}
    if environ["PATH_INFO"] == "/metadata":
        text = str(entity_descriptor(IdPConfig().load(config)))
    elif environ["PATH_INFO"] == "/sign-in":
        text = sign_in(fields)
    else:
        start("302 Found", [("Location", sign_out(fields))])
        return [b""]
    start("200 OK", [("Content-Type", "text/html; charset=utf-8")])
    return [text.encode()]


make_server("127.0.0.1", port, respond).serve_forever()
