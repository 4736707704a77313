"""Addresses of this site, of the service and of the provider's site that name a page here."""

import re
from dataclasses import replace
from urllib.parse import SplitResult, parse_qs, urlsplit

from django.conf import settings
from django.urls import Resolver404, resolve

from econweb.dashboard.files.negotiation import MEDIA_TYPES
from econweb.dashboard.page_links import page_link, url_path
from econweb.dashboard.search_box.destination import (
    Destination,
    add_parameters,
    list_destination,
    owner_destination,
    series_destination,
)
from econweb.dashboard.search_box.pasted_ids import parse_ids
from econweb.dashboard.sharing import citations
from econweb.dashboard.sharing.pack import PACK
from econweb.upstream.queries import (
    OWNER_NUMBER,
    SERIES_ID,
    TAG_OWNERS,
    TagQuery,
    is_owner_number,
    is_series_id,
    join_names,
)

# In characters. A list of 200 series with their period is shorter.
MAX_ADDRESS_LENGTH = 8192
_LINK = re.compile(r"(https?:)?//|/|www\.|[\w-]{1,63}\.[\w.-]{1,253}/", re.IGNORECASE)
# Suffix of a file of a view, or of the page with its request as code: both lead to the view.
VIEW_SUFFIX = re.compile(rf"(\.({'|'.join([*MEDIA_TYPES, *citations.MEDIA_TYPES, PACK])})|/code)\Z")
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
# The site that most people paste from. The settings name other providers.
_KNOWN_PROVIDER = re.compile(r"(\w{1,63}\.)?stlouisfed\.org")


def is_address(text: str) -> bool:
    return _LINK.match(text) is not None


def parse_unknown_address(text: str, own_host: str) -> tuple[str, str, str]:
    """Return the code of the problem, the host, and the last words of the path unless they are the provider's."""
    parts = split_address(text)
    if not parts:
        return "no_match", "", ""
    words = " ".join(re.findall(r"\w+", parts.path.rstrip("/").rpartition("/")[2]))
    host = parts.hostname
    if not host or parts.netloc == own_host:
        return "no_match", "", words
    return ("provider_link", host, "") if _is_of_provider(host) else ("other_site", host, words)


def split_address(text: str) -> SplitResult | None:
    """Return the parts of an address; None if it is too long or no address."""
    # urlsplit caches the last 128 addresses whole.
    if len(text) > MAX_ADDRESS_LENGTH:
        return None
    try:
        return urlsplit(text if "://" in text or text.startswith("/") else f"//{text}")
    except ValueError:
        return None


def parameters_of(parts: SplitResult) -> dict[str, str]:
    return {name: values[-1] for name, values in parse_qs(parts.query).items()}


def _is_of_provider(host: str) -> bool:
    """Return whether the host is the provider's: paths such as `/data/GDP` mean something else on other sites."""
    patterns = (settings.ECON_WEBSITE, settings.ECON_WEBSITE_CATEGORY, settings.ECON_WEBSITE_RELEASE)
    hosts = {urlsplit(address).hostname for address in (*patterns, settings.ECON_BASE_URL)}
    return host in hosts or _KNOWN_PROVIDER.fullmatch(host) is not None


def parse_address(text: str) -> Destination | None:
    """Read the path and parameters of an address; no request is sent to it."""
    parts = split_address(text)
    if not parts:
        return None
    parameters = parameters_of(parts)
    path = VIEW_SUFFIX.sub("", parts.path)
    # An archive names the series in a parameter, below a path of the same form.
    if "seid" not in parameters and (destination := _parse_series_path(path)):
        return add_parameters(destination, parameters)
    if found := re.search(rf"/(category|release)/({OWNER_NUMBER})(?:/tags)?/?\Z", path):
        return add_parameters(owner_destination(found[1], int(found[2])), parameters)
    found_here = _parse_list_or_comparison(path, parameters) or _parse_service_request(path, parameters)
    if found_here or (parts.hostname and not _is_of_provider(parts.hostname)):
        return found_here
    return _parse_provider_address(parts.path, parameters)


def _parse_series_path(path: str) -> Destination | None:
    """Parse the address of a series page; other sites use other words after `series`."""
    found = re.fullmatch(rf"/series/({SERIES_ID})(/[a-z]+)?/?", path)
    if not found:
        return None
    if not found[2]:
        return series_destination(found[1])
    try:
        page = resolve(path).view_name
    except Resolver404:
        return None
    return replace(series_destination(found[1]), link=url_path(page, found[1].upper()))


def _parse_list_or_comparison(path: str, parameters: dict[str, str]) -> Destination | None:
    """Recognise a list or a comparison by the parameters that only they have."""
    if re.search(r"/series/?\Z", path) and parameters.get("ids"):
        return add_parameters(Destination(url_path("series_list"), "A list of series"), parameters)
    if re.search(r"/compare/?\Z", path) and parameters.get("a"):
        return add_parameters(Destination(url_path("compare"), "A comparison"), parameters)
    return None


def _parse_service_request(path: str, parameters: dict[str, str]) -> Destination | None:
    """Parse the address of a request to the service."""
    if path.endswith("/series") and is_series_id(parameters.get("series_id", "")):
        return add_parameters(series_destination(parameters["series_id"]), parameters)
    for kind in TAG_OWNERS:
        number = parameters.get(f"{kind}_id", "")
        if path.endswith(f"/{kind}/tags") and is_owner_number(number):
            return add_parameters(owner_destination(kind, int(number)), parameters)
    return None


def _parse_provider_address(path: str, parameters: dict[str, str]) -> Destination | None:
    """Parse the address of a page of the public site, which has other paths and parameters."""
    if found := re.search(rf"/categories/({OWNER_NUMBER})(?:/[a-z]+)?/?\Z", path):
        return _with_tags(owner_destination("category", int(found[1])), parameters)
    if re.search(r"/releases?(/[a-z]+)?/?\Z", path) and is_owner_number(parameters.get("rid", "")):
        return _with_tags(owner_destination("release", int(parameters["rid"])), parameters)
    if re.search(r"/tags/series/?\Z", path):
        return _search_destination(parameters.get("t", "").replace(";", " "))
    if re.search(r"/searchresults/?\Z", path):
        return _search_destination(parameters.get("st", ""))
    return _parse_data_address(path, parameters)


def series_in_provider_address(text: str) -> tuple[str, ...]:
    """Return the series of a page, a file or a picture of the provider, without a look at the database."""
    parts = split_address(text)
    if not parts or not parts.hostname or not _is_of_provider(parts.hostname):
        return ()
    if found := re.search(rf"/series/({SERIES_ID})/?\Z", parts.path):
        return (found[1].upper(),)
    return _series_of_data(parts.path, parameters_of(parts))


def _series_of_data(path: str, parameters: dict[str, str]) -> tuple[str, ...]:
    """Return the series of the address of data, or of a picture of them; none if some words are no ids."""
    if re.search(r"/series(/[a-z]+)?/?\Z", path):
        text = parameters.get("seid", "")
    elif re.search(r"/graph/(\w+\.\w+)?\Z", path):
        text = parameters.get("id", "")
    else:
        found = re.search(r"/data/([A-Za-z0-9_]+)(?:\.[a-z]+)?/?\Z", path)
        text = found[1] if found else ""
    ids, refused = parse_ids(text)
    return () if refused else ids


def _parse_data_address(path: str, parameters: dict[str, str]) -> Destination | None:
    """Parse the address of the data of one or more series, or of a picture of them."""
    ids = _series_of_data(path, parameters)
    if not ids:
        return None
    destination = series_destination(ids[0]) if len(ids) == 1 else list_destination(ids)
    vintage = parameters.get("vintage_date", "") if _DAY.fullmatch(parameters.get("vintage_date", "")) else ""
    return add_parameters(
        destination, {name: parameters.get(name, vintage) for name in ("realtime_start", "realtime_end")}
    )


def _with_tags(destination: Destination, parameters: dict[str, str]) -> Destination:
    """Keep the tags of the page, which the public site names in `t`."""
    names = tuple(parameters.get("t", "").split(";"))
    return add_parameters(destination, {"tag_names": join_names(TagQuery(tag_names=names).tag_names)})


def _search_destination(text: str) -> Destination | None:
    """Search for the words of a search on the public site; an address among them would lead in a circle."""
    text = " ".join(text.split())
    if not text or is_address(text):
        return None
    return Destination(page_link("go", q=text), f"Results for “{text}”")
