"""The address of assistants: POST alone, no cookie, no session; anonymous, or with a token of its own."""

from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, UnreadablePostError
from django.views.decorators.csrf import csrf_exempt

from econweb.accounts.client_address import client_address
from econweb.accounts.people import visitor_named
from econweb.accounts.tokens import person_of_program
from econweb.dashboard.error_pages import problems
from econweb.dashboard.mcp import protocol
from econweb.dashboard.mcp.answers import MAX_REPLY_BYTES
from econweb.dashboard.mcp.methods import reply_to
from econweb.dashboard.mcp.protocol import RpcError
from econweb.upstream.visitor_limits import ClientSlots, visitor

MAX_MESSAGE_BYTES = 16 * 1024
# Messages that are read at the same time, of 32 requests in all, and those of one client; as for forms, the program
# cannot end a read.
MAX_BODIES, MAX_BODIES_PER_CLIENT = 8, 2
# Messages that are answered at the same time, and those of one client.
MAX_MESSAGES, MAX_MESSAGES_PER_CLIENT = 8, 4
BUSY_SECONDS = 2
FOR_PEOPLE = (
    "This site is read by people with an account, or the token is not valid. "
    "Make a token at /me/assistants/, and send the header Authorization: Bearer <token>."
)
_bodies, _slots = ClientSlots(MAX_BODIES), ClientSlots(MAX_MESSAGES)


# No cookie is read, so that another site can send nothing in the name of a person.
@csrf_exempt
def mcp(request: HttpRequest) -> HttpResponse:
    """Answer the messages of an assistant (Model Context Protocol)."""
    if not settings.MCP:
        return _close(problems.error_response(request, "not_found"))
    if request.method != "POST":
        response = problems.error_response(request, "for_assistants")
        response["Allow"] = "POST"
        return _close(response)
    if wrong := _refuse(request):
        return wrong
    if (name := _visitor(request)) is None:
        return _refusal(401, FOR_PEOPLE, **{"WWW-Authenticate": 'Bearer realm="econweb"'})
    visitor.set(name)
    return _take_turn(request)


def _take_turn(request: HttpRequest) -> HttpResponse:
    """Read and answer a message, beside few others."""
    client = client_address(request.META)
    if not _bodies.add(client, MAX_BODIES_PER_CLIENT):
        return _busy()
    try:
        body = request.body
    except UnreadablePostError:
        return _refusal(400, "The message broke off.")
    finally:
        _bodies.remove(client)
    if not _slots.add(client, MAX_MESSAGES_PER_CLIENT):
        return _busy()
    try:
        return _answer(request, body)
    finally:
        _slots.remove(client)


def _busy() -> HttpResponse:
    return _refusal(503, "Too many messages at once. Send it again in a moment.", **{"Retry-After": BUSY_SECONDS})


def _refuse(request: HttpRequest) -> HttpResponse | None:
    """Refuse a message of another site, or one that is too long, before its body is read."""
    origin = request.headers.get("Origin")
    if origin is not None and origin != f"{request.scheme}://{request.get_host()}":
        # A name that leads to this machine would let a page of another site read what only this network may.
        return _refusal(403, "This address answers no pages of other sites.")
    if int(request.META.get("CONTENT_LENGTH") or 0) > MAX_MESSAGE_BYTES:
        return _refusal(413, "A message has at most 16 KiB.")
    return None


def _visitor(request: HttpRequest) -> str | None:
    """Return who shares the rate limit with others, or None for one who may not read."""
    given = request.headers.get("Authorization")
    if given is None and settings.READ == "anyone":
        return visitor.get()
    person = person_of_program(request)
    return visitor_named(person) if person else None


def _answer(request: HttpRequest, body: bytes) -> HttpResponse:
    is_stateless = request.headers.get("MCP-Protocol-Version") == protocol.STATELESS
    message: Any = None
    try:
        message = protocol.parse(body)
        if isinstance(message, list):
            replies = _answer_batch(request, message)
            return _respond(200, protocol.encode(replies)) if replies else HttpResponse(status=202)
        call = protocol.read_call(message, request.headers)
        if call is None:
            return HttpResponse(status=202)
        is_stateless = call.is_stateless
        return _respond(200, protocol.encode(reply_to(call, request.build_absolute_uri, MAX_REPLY_BYTES)))
    except RpcError as error:
        reply = protocol.write_error(protocol.read_id(message), error)
        return _respond(protocol.status_of(error, is_stateless), protocol.encode(reply))


def _answer_batch(request: HttpRequest, messages: Sequence[Any]) -> list[object]:
    """Answer several messages, which share the bytes of one reply; only the oldest version has that."""
    if request.headers.get("MCP-Protocol-Version", protocol.WITH_BATCHES) != protocol.WITH_BATCHES:
        raise RpcError(protocol.INVALID_REQUEST, "Send one message at a time.")
    if not 1 <= len(messages) <= protocol.MAX_BATCH:
        raise RpcError(protocol.INVALID_REQUEST, f"Send at most {protocol.MAX_BATCH} messages at a time.")
    replies: list[object] = []
    for message in messages:
        try:
            if call := protocol.read_call(message, request.headers):
                replies.append(reply_to(call, request.build_absolute_uri, MAX_REPLY_BYTES // len(messages) - 10))
        except RpcError as error:
            replies.append(protocol.write_error(protocol.read_id(message), error))
    return replies


def _respond(status: int, body: bytes) -> HttpResponse:
    response = HttpResponse(body, status=status, content_type="application/json")
    response["Cache-Control"] = "no-store"
    return response


def _refusal(status: int, message: str, **headers: object) -> HttpResponse:
    reply = protocol.write_error(None, RpcError(protocol.INVALID_REQUEST, message))
    response = _close(_respond(status, protocol.encode(reply)))
    for name, value in headers.items():
        response[name] = str(value)
    return response


def _close(response: HttpResponse) -> HttpResponse:
    """End the connection: a body that was not read must not be taken for the next request."""
    response["Connection"] = "close"
    return response
