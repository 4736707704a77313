"""Messages of assistants for tests, in both forms of the protocol."""

import json
from typing import Any

from django.test import Client

STATELESS = "2026-07-28"
META = {"io.modelcontextprotocol/protocolVersion": STATELESS, "io.modelcontextprotocol/clientCapabilities": {}}


def send(client: Client, body: object, **headers: str) -> Any:
    """Send a message as it is; the reply fits the bound, whatever it is."""
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    response = client.post("/mcp", content, content_type="application/json", headers=headers)
    assert len(response.content) <= 8000
    return response


def message(method: str, **params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": 7, "method": method, "params": params}


def ask(client: Client, method: str, **params: Any) -> Any:
    """Send a request of the version without a handshake, with the headers that belong to it."""
    headers = {"MCP-Protocol-Version": STATELESS, "Mcp-Method": method}
    if method == "tools/call":
        headers["Mcp-Name"] = params["name"]
    return send(client, message(method, **params, _meta=META), **headers)


def call(client: Client, tool: str, **arguments: Any) -> str:
    """Return the text of a tool's answer; that of an error begins with a mark."""
    result = ask(client, "tools/call", name=tool, arguments=arguments).json()["result"]
    (content,) = result["content"]
    assert content["type"] == "text"
    return f"{'ERROR ' if result['isError'] else ''}{content['text']}"
