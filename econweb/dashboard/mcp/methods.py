"""The methods of the protocol that this site has: what it is, its tools, and a call of one."""

from django.core.exceptions import ValidationError

from econweb.dashboard.error_pages.problems import NotShown
from econweb.dashboard.error_texts.table import ERRORS
from econweb.dashboard.lookup.known_series import find_near
from econweb.dashboard.mcp import protocol
from econweb.dashboard.mcp.answers import Answer, refuse
from econweb.dashboard.mcp.definitions import TOOLS, Tool
from econweb.dashboard.mcp.protocol import Call, RpcError
from econweb.dashboard.mcp.tools import Absolute, Refusal
from econweb.library.copies import BrokenBody
from econweb.upstream.errors import Busy, NotFound, UpstreamError, message_of

# Milliseconds for which a client may keep the list of tools.
LIST_MS = 3_600_000
CAPABILITIES: dict[str, object] = {"tools": {}}
INSTRUCTIONS = (
    "Metadata of economic time series: what a series measures, and which tags the series of a category or release "
    "have. There are no observations. Search first where an id is not known, and show users the link of an answer."
)


def reply_to(call: Call, absolute: Absolute, most: int) -> dict[str, object]:
    """Return the reply, of at most `most` bytes where it is that of a tool."""
    if call.method == "tools/call":
        return _call_tool(call, absolute, most)
    if call.method == "tools/list":
        lasting = {"ttlMs": LIST_MS, "cacheScope": "public"} if call.is_stateless else {}
        return protocol.write_result(call, {"tools": [tool.describe() for tool in TOOLS], **lasting})
    if call.method == "server/discover" and call.is_stateless:
        found = {"supportedVersions": protocol.VERSIONS, "capabilities": CAPABILITIES, "instructions": INSTRUCTIONS}
        return protocol.write_result(call, {**found, "ttlMs": LIST_MS, "cacheScope": "public"})
    if call.method == "initialize" and not call.is_stateless:
        asked = call.params.get("protocolVersion")
        version = asked if asked in protocol.BY_HANDSHAKE else protocol.BY_HANDSHAKE[0]
        begun = {"protocolVersion": version, "capabilities": CAPABILITIES, "serverInfo": protocol.SERVER}
        return protocol.write_result(call, {**begun, "instructions": INSTRUCTIONS})
    if call.method == "ping" and not call.is_stateless:
        return protocol.write_result(call, {})
    raise RpcError(protocol.NO_METHOD, f"There is no method {call.method[: protocol.MAX_REPEATED]} here.")


def _call_tool(call: Call, absolute: Absolute, most: int) -> dict[str, object]:
    """Run a tool. What is wrong with its arguments is part of the answer, so that the assistant can correct it."""
    name = call.params.get("name")
    tool = next((tool for tool in TOOLS if tool.name == name), None)
    if tool is None:
        raise RpcError(
            protocol.INVALID_PARAMS,
            f"There is no tool of this name. There are {', '.join(tool.name for tool in TOOLS)}.",
        )
    answer = _run(tool, call.params.get("arguments", {}), absolute)
    content = {"type": "text", "text": ""}
    reply = protocol.write_result(call, {"content": [content], "isError": answer.is_error})
    content["text"] = answer.write(most - len(protocol.encode(reply)))
    return reply


def _run(tool: Tool, given: object, absolute: Absolute) -> Answer:
    try:
        return tool.run(tool.read(given), absolute)
    except (Refusal, ValidationError, NotShown, BrokenBody, UpstreamError) as error:
        return refuse(_explain(error, given))


def _explain(error: Exception, given: object) -> str:
    if isinstance(error, NotShown):
        return f"{error.problem.title}. {error.problem.message}"
    if isinstance(error, BrokenBody):
        return "This frozen copy is damaged, so it is not shown."
    if isinstance(error, UpstreamError):
        text, wait = ERRORS[type(error).__name__], ""
        if isinstance(error, Busy):
            wait = f" Ask again in {max(1, round(error.retry_after))} seconds."
        return f"{text.title}. {message_of(error)}{wait}{_name_near(error, given)}"
    return str(error.message) if isinstance(error, ValidationError) else str(error)


def _name_near(error: UpstreamError, given: object) -> str:
    """Name series with nearly the same id as the one that does not exist."""
    series_id = given.get("series_id") if isinstance(error, NotFound) and isinstance(given, dict) else None
    near = find_near([series_id])[series_id] if isinstance(series_id, str) else []
    return f" Near: {', '.join(f'{one.id} ({one.title})' for one in near)}." if near else ""
