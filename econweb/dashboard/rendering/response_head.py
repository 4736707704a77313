"""The head of a response: its addresses together stay short enough for the buffers of a proxy."""

from collections.abc import Iterable

from django.http import HttpResponseBase
from django.utils.encoding import iri_to_uri

# A proxy takes 4 KiB of head by default, and all other headers together are about 1,200 bytes.
MAX_ADDRESS_BYTES = 2600
# The media type of a feed.
ATOM = "application/atom+xml"
# The body of the page repeats these. They are removed in this order.
_OPTIONAL = ("Link", "HX-Push-Url", "HX-Replace-Url")


def is_short_enough(address: str) -> bool:
    """Return whether a response may name this address in its head."""
    return len(iri_to_uri(address) or "") <= MAX_ADDRESS_BYTES


def set_links(response: HttpResponseBase, links: Iterable[str]) -> None:
    """Set the Link header (RFC 8288) to as many of the values as fit; those that matter most come first."""
    left = MAX_ADDRESS_BYTES - sum(len(response.get(name, "")) for name in _OPTIONAL if name != "Link")
    fitting: list[str] = []
    for link in links:
        if len(link) <= left:
            fitting.append(link)
            left -= len(link) + len(", ")
    response["Link"] = ", ".join(fitting)


def add_links(response: HttpResponseBase, links: Iterable[str]) -> None:
    """Name more links behind those that the response has, as far as they fit."""
    set_links(response, [*filter(None, [response.get("Link", "")]), *links])


def other_form(link: str, media_type: str) -> str:
    """Return the value that names another form of the same content: a file or feed of a page, or the page of a file."""
    return f'<{link}>; rel="alternate"; type="{media_type}"'


def drop_long_addresses(response: HttpResponseBase) -> bool:
    """Remove optional headers until the addresses fit; return False for a redirect that does not fit."""
    for name in _OPTIONAL:
        if sum(len(response.get(each, "")) for each in _OPTIONAL) <= MAX_ADDRESS_BYTES:
            break
        if name in response:
            del response[name]
    # htmx follows the second one, also from a fragment.
    return all(len(response.get(name, "")) <= MAX_ADDRESS_BYTES for name in ("Location", "HX-Redirect"))
