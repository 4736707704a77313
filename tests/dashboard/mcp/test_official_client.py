"""The official client of the protocol lists and calls every tool of a real server, in each of its modes."""

import asyncio
import re
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest
import requests

from tests.server import served
from tests.startup.prepared import prepare

if TYPE_CHECKING:
    from mcp import Client
    from mcp_types import CallToolResult

pytestmark = pytest.mark.slow
MODES = {"auto": "2026-07-28", "2026-07-28": "2026-07-28", "legacy": "2025-11-25"}
CALLS: dict[str, dict[str, Any]] = {
    "describe_series": {"series_id": "GNPCA"},
    "list_tags": {"source": "category:125", "tag_group_id": "freq"},
    "compare": {"a": "category:125", "b": "release:53"},
    "search_series": {"q": "gdp", "frequency": "Quarterly"},
}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with served(prepare(tmp_path_factory.mktemp("data"))) as (address, _):
        yield address


@pytest.fixture(scope="module")
def site_of_readers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with served(prepare(tmp_path_factory.mktemp("data")), READ="signed-in") as (address, _):
        yield address


def use(site: str, mode: str, ask: "Callable[[Client], Awaitable[None]]", token: str = "") -> list[int]:
    """Connect the client, and return the sizes of all replies."""
    # A process that runs none of these tests would load them for a second.
    import httpx2
    from mcp import Client
    from mcp.client.streamable_http import streamable_http_client

    sizes = []

    async def measure(response: httpx2.Response) -> None:
        sizes.append(len(await response.aread()))

    async def run() -> None:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        async with httpx2.AsyncClient(headers=headers, timeout=20, event_hooks={"response": [measure]}) as http:
            transport = streamable_http_client(f"{site}/mcp", http_client=http)
            async with Client(transport, mode=mode) as client:
                await ask(client)

    # The thread of the test may have the event loop of the browser tests.
    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, run()).result()
    return sizes


async def call_every_tool(client: "Client") -> None:
    listed = (await client.list_tools()).tools
    assert [tool.name for tool in listed] == list(CALLS)
    for name, arguments in CALLS.items():
        result = await client.call_tool(name, arguments)
        assert not result.is_error
        link = re.search(r"^Page: (http\S+)$", text_of(result), re.MULTILINE)
        assert link
        assert requests.get(link[1], timeout=20, allow_redirects=False).status_code in {200, 302}


def text_of(result: "CallToolResult") -> str:
    (content,) = result.content
    assert content.type == "text"
    return content.text


@pytest.mark.parametrize("mode", MODES)
def test_client_calls_every_tool(site: str, mode: str) -> None:
    async def ask(client: "Client") -> None:
        assert client.protocol_version == MODES[mode]
        await call_every_tool(client)

    sizes = use(site, mode, ask)

    assert len(sizes) > len(CALLS)
    assert max(sizes) <= 8000


@pytest.mark.parametrize("mode", MODES)
def test_client_hears_what_is_wrong(site: str, mode: str) -> None:
    from mcp import MCPError

    async def ask(client: "Client") -> None:
        result = await client.call_tool("describe_series", {"series_id": "GNPCB"})
        assert result.is_error
        assert "Near: GNPCA" in text_of(result)
        with pytest.raises(MCPError, match="There is no tool of this name"):
            await client.call_tool("nothing", {})

    use(site, mode, ask)


@pytest.mark.parametrize("mode", MODES)
def test_client_reads_a_closed_site_with_a_token_alone(site_of_readers: str, mode: str) -> None:
    from mcp import MCPError

    async def list_tools(client: "Client") -> None:
        await client.list_tools()

    for token in ("", "wrong"):
        with pytest.raises((MCPError, ExceptionGroup)) as error:
            use(site_of_readers, mode, list_tools, token)
        assert "Make a token at /me/assistants/" in str(leaf_of(error.value))
    use(site_of_readers, mode, call_every_tool, make_token(site_of_readers))


def leaf_of(error: BaseException) -> BaseException:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


def make_token(site: str) -> str:
    """Make a token on the page, as a person does."""
    page, session = f"{site}/me/assistants/", requests.Session()
    csrf = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', session.get(page, timeout=20).text)
    assert csrf
    made = session.post(page, {"new": "1", "csrfmiddlewaretoken": csrf[1]}, headers={"Referer": page}, timeout=20)
    token = re.search(r"Bearer (\w{40})", made.text)
    assert token
    return token[1]
