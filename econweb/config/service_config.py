"""The settings of the service: its address, the way to it, and the provider's own pages."""

import re
import ssl
from pathlib import Path

from econweb.accounts.client_address import is_loopback
from econweb.config.environment import A_PORT, HOST, PORT, BadSetting, matching, text
from econweb.config.file_access import describe_inaccessible

# A list of series is loaded over several requests of a page, with all answers so far from the cache.
MIN_CACHED_SECONDS = 60
_HOST = rf"(\[[0-9a-fA-F:.]+\]|{HOST})"


def base_url(
    name: str, owner: str = "a service", shown: str = "the key", example: str = "https://data.example.org"
) -> str:
    """Return an https URL, an http URL to this machine, or an empty text where none is set."""
    value = text(name).rstrip("/")
    if not value:
        return ""
    parts = re.fullmatch(rf"(https?)://{_HOST}{PORT}(/[\w.~/-]*)?", value, re.ASCII)
    if not parts or parts[2].startswith("-"):
        raise BadSetting(name, f"is not the URL of {owner}", example)
    if parts[1] == "http" and not is_loopback(parts[2]):
        raise BadSetting(name, f"is plain http to another machine, which would show {shown}", example)
    return value


def api_key(name: str) -> str:
    return matching(name, r"[0-9a-z]{32}", "is not 32 lowercase letters and digits", "<API_KEY>")


def check_times(fresh: float, stale: float) -> None:
    if max(fresh, stale) < MIN_CACHED_SECONDS:
        wrong = f"is below {MIN_CACHED_SECONDS}, as ECON_FRESH_SECONDS is: no long list would end, so raise one of them"
        raise BadSetting("ECON_STALE_SECONDS", wrong, str(MIN_CACHED_SECONDS))


def website(name: str, placeholder: str) -> str:
    """Return the pattern of the provider's pages, with the placeholder for an id; empty when there are none."""
    value = text(name)
    address = rf"https?://{HOST}{PORT}/[\w.~/?=&%#+-]*"
    if value and (value.count(placeholder) != 1 or not re.fullmatch(address, value.replace(placeholder, ""), re.ASCII)):
        raise BadSetting(name, f"is not an address with {placeholder} in it", f"https://data.example.org/{placeholder}")
    return value


def proxy(name: str, base_url: str) -> str:
    """Return the URL of the proxy on the way to the service; empty for none."""
    value = text(name)
    if value and not base_url.startswith("https://"):
        wrong = "needs a service with https, or the proxy would read the key"
        raise BadSetting(name, wrong, "https://data.example.org", "ECON_BASE_URL")
    if value and not re.fullmatch(rf"https?://([^\s@/?#]+@)?{_HOST}{A_PORT}/?", value, re.ASCII):
        raise BadSetting(name, "is not the URL of a proxy with its port", "http://proxy.example.org:3128")
    return value


def certificates(name: str) -> str:
    """Return the path of a file of certificates in PEM; empty for none."""
    path = text(name)
    try:
        if path:
            ssl.create_default_context().load_verify_locations(path)
    except PermissionError:
        raise SystemExit(f"{name}: {describe_inaccessible(Path(path))}") from None
    except OSError:
        wrong = "is not a file of certificates in PEM that can be read"
        raise BadSetting(name, wrong, "/etc/ssl/institute.pem") from None
    return path
