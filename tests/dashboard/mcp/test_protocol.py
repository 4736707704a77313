"""Messages of assistants in every version: requests, notifications, batches, and errors in words."""

import json
from base64 import b64encode
from typing import Any

import pytest
from django.test import Client

from tests.dashboard.mcp.asking import META, STATELESS, ask, message, send

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("stand_in")]
OLDER = ["2025-11-25", "2025-06-18", "2025-03-26"]
LIST = message("tools/list")


def begin(client: Client, version: object) -> dict[str, Any]:
    given = {"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    result: dict[str, Any] = send(client, message("initialize", **given)).json()["result"]
    return result


def error_of(response: Any) -> tuple[int, int, str]:
    reply = response.json()
    assert reply["jsonrpc"] == "2.0"
    assert "result" not in reply
    return response.status_code, reply["error"]["code"], reply["error"]["message"]


def test_newest_version_needs_no_handshake(client: Client) -> None:
    response = ask(client, "server/discover")
    result = response.json()["result"]

    assert (response.status_code, response["Content-Type"], response["Cache-Control"]) == (
        200,
        "application/json",
        "no-store",
    )
    assert result["supportedVersions"] == [STATELESS, *OLDER]
    assert result["capabilities"] == {"tools": {}}
    assert result["resultType"] == "complete"
    assert result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"] == "econweb"
    assert (result["ttlMs"], result["cacheScope"]) == (3_600_000, "public")


def test_every_result_of_the_newest_version_is_marked_complete(client: Client) -> None:
    results = [ask(client, "tools/list"), ask(client, "tools/call", name="search_series", arguments={"q": "gdp"})]

    assert [response.json()["result"]["resultType"] for response in results] == ["complete", "complete"]


@pytest.mark.parametrize(
    ("asked", "agreed"), [*zip(OLDER, OLDER, strict=True), ("2024-11-05", OLDER[0]), (7, OLDER[0])]
)
def test_older_client_begins_with_a_handshake(client: Client, asked: object, agreed: str) -> None:
    begun = begin(client, asked)
    ready = send(client, {"jsonrpc": "2.0", "method": "notifications/initialized"}, **{"MCP-Protocol-Version": agreed})
    listed = send(client, LIST, **{"MCP-Protocol-Version": agreed})

    assert (begun["protocolVersion"], begun["serverInfo"]["name"]) == (agreed, "econweb")
    assert (ready.status_code, ready.content) == (202, b"")
    assert len(listed.json()["result"]["tools"]) == 4
    assert "resultType" not in listed.json()["result"]


def test_server_gives_no_session(client: Client) -> None:
    response = send(client, message("initialize", protocolVersion=OLDER[0]))

    assert "Mcp-Session-Id" not in response
    assert not response.cookies
    assert send(client, LIST, **{"Mcp-Session-Id": "made-up", "Last-Event-ID": "9"}).status_code == 200


def test_ping_is_of_the_older_versions(client: Client) -> None:
    assert send(client, message("ping")).json() == {"jsonrpc": "2.0", "id": 7, "result": {}}
    assert error_of(ask(client, "ping"))[:2] == (404, -32601)


@pytest.mark.parametrize("call_id", [0, -5, 2**62, "a", "ü" * 50])
def test_reply_has_the_id_of_its_request(client: Client, call_id: object) -> None:
    assert send(client, {**LIST, "id": call_id}).json()["id"] == call_id


@pytest.mark.parametrize(
    ("body", "code", "words"),
    [
        (b"{", -32700, "The body is not JSON."),
        (b"", -32700, "The body is not JSON."),
        (b"\xff", -32700, "The body is not JSON."),
        (b"[" * 16000, -32700, "The body is not JSON."),
        (b'{"a":' * 3000, -32700, "The body is not JSON."),
        (b"7", -32600, "A message is an object"),
        ({**LIST, "jsonrpc": "1.0"}, -32600, "A message is an object"),
        ({"jsonrpc": "2.0"}, -32600, "A message has a method."),
        ({"jsonrpc": "2.0", "id": 7}, -32600, "A message has a method."),
        ({"jsonrpc": "2.0", "method": 7}, -32600, "A message has a method."),
        ({**LIST, "method": 7}, -32600, "method is a text."),
        ({**LIST, "id": None}, -32600, "id is a whole number"),
        ({**LIST, "id": 1.5}, -32600, "id is a whole number"),
        ({**LIST, "id": True}, -32600, "id is a whole number"),
        ({**LIST, "id": [1]}, -32600, "id is a whole number"),
        ({**LIST, "id": "x" * 101}, -32600, "at most 100 characters"),
        ({**LIST, "id": int("9" * 300)}, -32600, "id is a whole number"),
    ],
)
def test_message_that_is_none_is_refused(client: Client, body: object, code: int, words: str) -> None:
    status, found, said = error_of(send(client, body))

    assert (status, found) == (400, code)
    assert words in said


@pytest.mark.parametrize(
    ("changes", "status", "code", "words"),
    [
        ({"method": "resources/list"}, 200, -32601, "There is no method resources/list here."),
        ({"method": "server/discover"}, 200, -32601, "There is no method server/discover here."),
        ({"method": "x" * 5000}, 200, -32601, "There is no method"),
        ({"params": [1]}, 200, -32602, "params is an object."),
        ({"method": "tools/call", "params": {"name": "drop"}}, 200, -32602, "There are describe_series, list_tags"),
        ({"method": "tools/call", "params": {"name": {}}}, 200, -32602, "There is no tool of this name."),
    ],
)
def test_wrong_request_of_an_older_version_is_explained(
    client: Client, changes: dict[str, Any], status: int, code: int, words: str
) -> None:
    found = error_of(send(client, LIST | changes))

    assert found[:2] == (status, code)
    assert words in found[2]


def test_arguments_that_are_no_object_are_explained(client: Client) -> None:
    result = send(client, message("tools/call", name="compare", arguments=[1])).json()["result"]

    assert result == {"content": [{"type": "text", "text": "arguments is an object, such as {}."}], "isError": True}


@pytest.mark.parametrize(
    ("meta", "headers", "code"),
    [
        ({}, {}, -32602),
        ({"io.modelcontextprotocol/protocolVersion": STATELESS}, {}, -32602),
        (META, {"MCP-Protocol-Version": "2025-11-25"}, -32020),
        (META, {"MCP-Protocol-Version": ""}, -32020),
        (META | {"io.modelcontextprotocol/protocolVersion": OLDER[0]}, {}, -32020),
        (META, {"Mcp-Method": "tools/call"}, -32020),
        (META, {"Mcp-Method": ""}, -32020),
    ],
)
def test_headers_and_body_say_the_same(client: Client, meta: object, headers: dict[str, str], code: int) -> None:
    given = {"MCP-Protocol-Version": STATELESS, "Mcp-Method": "tools/list"} | headers
    response = send(client, message("tools/list", _meta=meta), **{name: one for name, one in given.items() if one})

    assert error_of(response)[:2] == (400, code)


@pytest.mark.parametrize("name", ["compare", f"=?base64?{b64encode(b'list_tags').decode()}?=", "=?base64?!?=", ""])
def test_header_names_the_tool(client: Client, name: str) -> None:
    headers = {"MCP-Protocol-Version": STATELESS, "Mcp-Method": "tools/call"} | ({"Mcp-Name": name} if name else {})
    body = message("tools/call", name="list_tags", arguments={"source": "x"}, _meta=META)
    response = send(client, body, **headers)

    assert response.status_code == (200 if name.endswith("Mg==?=") or "bGlzdF90YWdz" in name else 400)


@pytest.mark.parametrize("version", ["2099-01-01", "draft", "x" * 5000])
def test_error_about_a_version_names_the_known_ones(client: Client, version: str) -> None:
    meta = META | {"io.modelcontextprotocol/protocolVersion": version}
    for body in (message("tools/list", _meta=meta), LIST):
        response = send(client, body, **{"MCP-Protocol-Version": version, "Mcp-Method": "tools/list"})
        assert error_of(response)[:2] == (400, -32022)
        assert response.json()["error"]["data"] == {"supported": [STATELESS, *OLDER], "requested": version[:60]}


@pytest.mark.parametrize(
    "body",
    [
        {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 7}},
        {"jsonrpc": "2.0", "id": 7, "result": {}},
        {"jsonrpc": "2.0", "id": 7, "error": {"code": 1, "message": "no"}},
    ],
)
def test_notification_and_reply_are_accepted_without_a_reply(client: Client, body: object) -> None:
    response = send(client, body)

    assert (response.status_code, response.content) == (202, b"")


def test_oldest_version_sends_several_messages_at_once(client: Client) -> None:
    ready = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    replies = send(client, [ready, {**message("ping"), "id": 1}, {**LIST, "method": "no", "id": 2}, 7]).json()

    assert [(reply["id"], reply.get("result"), reply.get("error", {}).get("code")) for reply in replies] == [
        (1, {}, None),
        (2, None, -32601),
        (None, None, -32600),
    ]
    assert send(client, [ready]).status_code == 202
    calls = [message("tools/call", name="search_series", arguments={"q": "語" * 300})] * 4
    assert json.dumps(send(client, calls).json()).count("isError") == 4


@pytest.mark.parametrize("headers", [{}, {"MCP-Protocol-Version": "2025-06-18"}, {"MCP-Protocol-Version": STATELESS}])
def test_batches_are_refused_where_they_are_too_long_or_unknown(client: Client, headers: dict[str, str]) -> None:
    assert error_of(send(client, [LIST] * 5 if not headers else [LIST], **headers))[:2] == (400, -32600)
    assert error_of(send(client, [], **headers))[:2] == (400, -32600)
    assert error_of(send(client, [LIST] * 3))[:2] == (400, -32600)
