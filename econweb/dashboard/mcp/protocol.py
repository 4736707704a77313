"""The Model Context Protocol: its versions, what a message asks for, and the form of a reply.

Since 2026-07-28 each request names its version in `_meta` and in headers, and there is no handshake. Older clients
begin with `initialize`. Nothing is kept between two requests of either kind.
"""

import binascii
from base64 import b64decode
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from econweb.dashboard.mcp.answers import MAX_REPLY_BYTES

STATELESS = "2026-07-28"
# With a handshake, newest first. The last one has no header for its version, and sends several messages at once.
BY_HANDSHAKE = ("2025-11-25", "2025-06-18", "2025-03-26")
WITH_BATCHES = BY_HANDSHAKE[-1]
VERSIONS = (STATELESS, *BY_HANDSHAKE)
SERVER = {"name": "econweb", "title": "econweb", "version": "1"}
# Messages sent at once, and characters of an id, which the reply repeats.
MAX_BATCH, MAX_ID = 4, 100
# Characters of a wrong value that an error repeats.
MAX_REPEATED = 60
_META = "io.modelcontextprotocol/"
PARSE_ERROR, INVALID_REQUEST, NO_METHOD, INVALID_PARAMS = -32700, -32600, -32601, -32602
HEADER_MISMATCH, UNSUPPORTED_VERSION = -32020, -32022
# Of HTTP, where the version has one for the error.
_STATUS = {NO_METHOD: 404}


class RpcError(Exception):
    """An error of JSON-RPC; the text is for the people who write or set up the client."""

    def __init__(self, code: int, message: str, **data: object) -> None:
        super().__init__(message)
        self.code, self.data = code, data


@dataclass(frozen=True)
class Call:
    """One request, or a notification, which has no id."""

    id: str | int | None
    method: str
    params: Mapping[str, Any]
    version: str

    @property
    def is_stateless(self) -> bool:
        return self.version == STATELESS


def parse(body: bytes) -> Any:
    try:
        return msgspec.json.decode(body)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        raise RpcError(PARSE_ERROR, "The body is not JSON.") from None


def read_id(message: Any) -> str | int | None:
    """Return the id of a message, or None where it has none that a reply can repeat."""
    given = message.get("id") if isinstance(message, dict) else None
    if isinstance(given, bool) or not isinstance(given, str | int) or len(str(given)) > MAX_ID:
        return None
    return given


def read_call(message: Any, headers: Mapping[str, str]) -> Call | None:
    """Return what a message asks for; None for one that wants no reply."""
    if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
        raise RpcError(INVALID_REQUEST, 'A message is an object with "jsonrpc": "2.0".')
    header, params = headers.get("MCP-Protocol-Version", ""), message.get("params", {})
    meta = params.get("_meta", {}) if isinstance(params, dict) else {}
    named = meta.get(f"{_META}protocolVersion") if isinstance(meta, dict) else None
    if "id" not in message or "method" not in message:
        _check_ignored(message)
        return None
    call_id, method = read_id(message), message["method"]
    if call_id is None:
        raise RpcError(INVALID_REQUEST, f"id is a whole number, or a text of at most {MAX_ID} characters.")
    if not isinstance(method, str):
        raise RpcError(INVALID_REQUEST, "method is a text.")
    if not isinstance(params, dict):
        raise RpcError(INVALID_PARAMS, "params is an object.")
    if named is None and header != STATELESS:
        return Call(call_id, method, params, _version_of(header))
    call = Call(call_id, method, params, STATELESS)
    _check_stateless(call, header, named, meta, headers)
    return call


def _check_ignored(message: Mapping[str, Any]) -> None:
    """Accept a notification, or a reply to a request that this site never sends."""
    if not isinstance(message.get("method", ""), str) or not {"method", "result", "error"} & message.keys():
        raise RpcError(INVALID_REQUEST, "A message has a method.")


def _version_of(header: str) -> str:
    """Return the version of a client that began with a handshake; the oldest one sends no header."""
    if not header:
        return WITH_BATCHES
    if header not in BY_HANDSHAKE:
        raise unsupported(header)
    return header


def unsupported(version: object) -> RpcError:
    shown = str(version)[:MAX_REPEATED]
    message = f"Protocol version {shown} is not supported. Use {', '.join(VERSIONS)}."
    return RpcError(UNSUPPORTED_VERSION, message, supported=VERSIONS, requested=shown)


def _check_stateless(
    call: Call, header: str, named: object, meta: Mapping[str, Any], headers: Mapping[str, str]
) -> None:
    """Check that the version is known, and that the headers say what the body does."""
    if named is None:
        raise RpcError(INVALID_PARAMS, f"params._meta has no {_META}protocolVersion.")
    if header != named:
        raise RpcError(HEADER_MISMATCH, "The header MCP-Protocol-Version and the version in params._meta differ.")
    if named != STATELESS:
        raise unsupported(named)
    if not isinstance(meta.get(f"{_META}clientCapabilities"), dict):
        raise RpcError(INVALID_PARAMS, f"params._meta has no {_META}clientCapabilities.")
    if headers.get("Mcp-Method") != call.method:
        raise RpcError(HEADER_MISMATCH, "The header Mcp-Method and the method of the body differ.")
    if call.method == "tools/call" and _decode(headers.get("Mcp-Name", "")) != call.params.get("name"):
        raise RpcError(HEADER_MISMATCH, "The header Mcp-Name and params.name differ.")


def _decode(header: str) -> str:
    """Decode a header value that clients write in Base64, where it has other signs than ASCII."""
    if not (header.startswith("=?base64?") and header.endswith("?=")):
        return header
    try:
        return b64decode(header[9:-2], validate=True).decode()
    except (binascii.Error, UnicodeDecodeError):
        raise RpcError(HEADER_MISMATCH, "The header Mcp-Name is not valid Base64.") from None


def write_result(call: Call, result: Mapping[str, object]) -> dict[str, object]:
    if call.is_stateless:
        result = {"resultType": "complete", **result, "_meta": {f"{_META}serverInfo": SERVER}}
    return {"jsonrpc": "2.0", "id": call.id, "result": result}


def write_error(call_id: str | int | None, error: RpcError) -> dict[str, object]:
    described = {"code": error.code, "message": str(error), **({"data": error.data} if error.data else {})}
    return {"jsonrpc": "2.0", "id": call_id, "error": described}


def status_of(error: RpcError, is_stateless: bool) -> int:
    """Return the status of a reply with an error; older versions answer each well-formed request with 200."""
    if is_stateless or error.code not in {NO_METHOD, INVALID_PARAMS}:
        return _STATUS.get(error.code, 400)
    return 200


def encode(reply: object) -> bytes:
    """Return the bytes of a reply. One that is too long is an error: only a batch can have it."""
    body = msgspec.json.encode(reply)
    if len(body) > MAX_REPLY_BYTES:
        raise RpcError(INVALID_REQUEST, "The replies together are longer than 8 kB. Send each request alone.")
    return body
