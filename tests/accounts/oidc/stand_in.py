"""An OpenID provider that a test controls: it checks what it gets, and lies where a test says so."""

import base64
import hashlib
import hmac
import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, unquote, urlencode, urlsplit

from joserfc import jwt
from joserfc.jwk import ECKey, RSAKey

from tests.http_server import running

CLIENT, SECRET = "econweb", "a secret of / + the = client".replace(" ", "-")
KEY = ECKey.generate_key("P-256", {"kid": "one", "use": "sig"}, private=True)
OTHER_KEY = ECKey.generate_key("P-256", {"kid": "one", "use": "sig"}, private=True)
NEW_KEY = RSAKey.generate_key(2048, {"kid": "two", "use": "sig"}, private=True)
Reply = tuple[int, dict[str, str], bytes]
Claims = dict[str, Any]


def as_json(content: object, status: int = 200) -> Reply:
    return status, {"Content-Type": "application/json"}, json.dumps(content).encode()


def signed(claims: Claims, key: Any = KEY, alg: str = "ES256", **header: Any) -> str:
    kid = {"kid": key.kid} if key.kid else {}
    token: str = jwt.encode({"alg": alg, **kid, **header}, claims, key, algorithms=[alg])
    return token


def unsigned(claims: Claims) -> str:
    return _compact({"alg": "none", "kid": "one"}, claims) + "."


def signed_with_the_secret(claims: Claims) -> str:
    return _with_hmac(claims, SECRET.encode())


def signed_with_the_public_key(claims: Claims) -> str:
    return _with_hmac(claims, KEY.as_pem(private=False))


def _with_hmac(claims: Claims, key: bytes) -> str:
    text = _compact({"alg": "HS256", "kid": "one"}, claims)
    return f"{text}.{_base64(hmac.digest(key, text.encode(), 'sha256'))}"


def _compact(*parts: Claims) -> str:
    return ".".join(_base64(json.dumps(part).encode()) for part in parts)


def _base64(part: bytes) -> str:
    return base64.urlsafe_b64encode(part).rstrip(b"=").decode()


@dataclass
class StandIn:
    """The state of one provider; `replies` has a function in place of a whole reply."""

    issuer: str = ""
    person: Claims = field(default_factory=lambda: {"sub": "1001", "preferred_username": "ada", "groups": []})
    change: Callable[[Claims], object] = lambda claims: None
    sign: Callable[[Claims], str] = signed
    replies: dict[str, Callable[[], Reply]] = field(default_factory=dict)
    metadata: Claims = field(default_factory=dict)
    keys: list[Claims] = field(default_factory=lambda: [KEY.as_dict(private=False)])
    blanks_after: dict[str, int] = field(default_factory=dict)
    accepts_codes_again: bool = False
    token_status: int = 200
    pages: list[str] = field(default_factory=list)
    _codes: dict[str, dict[str, str]] = field(default_factory=dict)

    def visit(self, address: str) -> str:
        """Sign the person in, and return the address to which the browser is sent back."""
        assert address.startswith(f"{self.issuer}/authorize?")
        asked = {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}
        assert (asked["response_type"], asked["client_id"]) == ("code", CLIENT)
        assert asked["code_challenge_method"] == "S256"
        assert "openid" in asked["scope"].split()
        code = f"code-{len(self._codes)}"
        self._codes[code] = asked
        return f"{asked['redirect_uri']}?{urlencode({'code': code, 'state': asked['state'], 'iss': self.issuer})}"

    def answer(self, path: str, headers: Any, form: dict[str, str]) -> Reply:
        self.pages.append(path)
        status, sent, body = self.replies[path]() if path in self.replies else self._truth(path, headers, form)
        return status, sent, body + b" " * self.blanks_after.get(path, 0)

    def _truth(self, path: str, headers: Any, form: dict[str, str]) -> Reply:
        if path == "/.well-known/openid-configuration":
            return as_json(self.discovery())
        if path == "/keys":
            return as_json({"keys": self.keys})
        if path == "/userinfo":
            is_known = headers["Authorization"] == "Bearer token-1"
            return as_json(self.person) if is_known else as_json({}, 401)
        return self._token(headers, form)

    def discovery(self) -> Claims:
        names = {"authorization_endpoint": "authorize", "token_endpoint": "token", "jwks_uri": "keys"}
        found = {name: f"{self.issuer}/{path}" for name, path in names.items()}
        return {"issuer": self.issuer, **found, **self.metadata}

    def _token(self, headers: Any, form: dict[str, str]) -> Reply:
        name, _, secret = base64.b64decode(headers["Authorization"].removeprefix("Basic ")).decode().partition(":")
        assert (unquote(name), unquote(secret)) == (CLIENT, SECRET)
        asked = self._codes.get(form["code"]) if self.accepts_codes_again else self._codes.pop(form["code"], None)
        if asked is None:
            return as_json({"error": "invalid_grant"}, 400)
        digest = hashlib.sha256(form["code_verifier"].encode()).digest()
        assert _base64(digest) == asked["code_challenge"]
        assert form["redirect_uri"] == asked["redirect_uri"]
        now = int(time.time())
        claims = {
            "iss": self.issuer,
            "aud": CLIENT,
            "iat": now,
            "exp": now + 300,
            "nonce": asked["nonce"],
            **self.person,
        }
        self.change(claims)
        token = {"access_token": "token-1", "token_type": "Bearer", "id_token": self.sign(claims)}
        return as_json(token, self.token_status)


@contextmanager
def serve(stand_in: StandIn) -> Iterator[None]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if self.path.startswith("/authorize?"):
                self._send((302, {"Location": stand_in.visit(stand_in.issuer + self.path)}, b""))
                return
            self._send(stand_in.answer(urlsplit(self.path).path, self.headers, {}))

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            form = {name: values[0] for name, values in parse_qs(body).items()}
            self._send(stand_in.answer(urlsplit(self.path).path, self.headers, form))

        def _send(self, reply: Reply) -> None:
            status, headers, body = reply
            self.send_response(status)
            for name, value in {"Content-Length": str(len(body)), **headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Write nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    stand_in.issuer = f"http://127.0.0.1:{server.server_port}"
    with running(server):
        yield
