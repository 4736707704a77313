"""The provider Canaille with one person and one client: python canaille_site.py PORT CLIENT, where it is installed."""

import json
import sys
from wsgiref.simple_server import make_server

from canaille import create_app
from canaille.app import models
from canaille.backends import Backend
from joserfc.jwk import RSAKey

port, client = int(sys.argv[1]), json.loads(sys.argv[2])
key = RSAKey.generate_key(2048, {"use": "sig", "alg": "RS256"}, private=True)
app = create_app(
    {
        "SECRET_KEY": "of a provider that lives for one test",
        "SERVER_NAME": f"127.0.0.1:{port}",
        "PREFERRED_URL_SCHEME": "http",
        "CANAILLE": {"DATABASE": "memory"},
        "CANAILLE_OIDC": {"ACTIVE_JWKS": [key.as_dict(private=True)]},
    }
)
with app.app_context():
    ada = models.User(user_name="ada", family_name="Lovelace", emails=["ada@example.org"], password=sys.argv[3])
    Backend.instance.save(ada)
    for name in ("staff", "data desk"):
        Backend.instance.save(models.Group(display_name=name, members=[ada]))
    more = {"client_name": "econweb", "client_uri": "http://127.0.0.1", "response_types": ["code"]}
    scopes = {"scope": ["openid", "profile", "email", "groups"], "grant_types": ["authorization_code"]}
    econweb = models.Client(**client, **more, **scopes, token_endpoint_auth_method="client_secret_basic")
    Backend.instance.save(econweb)
    econweb.audience = [econweb]
    Backend.instance.save(econweb)
make_server("127.0.0.1", port, app).serve_forever()
