"""Typed readers of the settings of a proxy that signs people in."""

from ipaddress import IPv4Network, IPv6Network, ip_network

from econweb.config.environment import BadSetting, matching, names

Network = IPv4Network | IPv6Network


def header(name: str, default: str) -> str:
    # `A-B` and `A_B` have the same WSGI key, and the client's header would win over the proxy's.
    wrong = "has other signs than letters and digits, so a client could send a twin of the header"
    return matching(name, "[A-Za-z0-9]{1,60}", wrong, default, default)


def networks(name: str) -> list[Network]:
    """Return comma-separated addresses and networks."""
    try:
        return [ip_network(word) for word in names(name, "", r"[0-9A-Fa-f.:/]{2,50}", "127.0.0.1,192.0.2.0/24")]
    except ValueError:
        raise BadSetting(name, "has a part that is no address and no network", "127.0.0.1,192.0.2.0/24") from None


def check_local(sign_in: str, is_local: bool) -> None:
    if sign_in == "local" and not is_local:
        wrong = "is local, but others can reach this site by ALLOWED_HOSTS or BEHIND_PROXY"
        raise BadSetting("SIGN_IN", wrong, "password")


def check_proxy(sign_in: str, is_behind_proxy: bool, addresses: list[Network], *headers: str) -> None:
    """Stop the start if people cannot sign in at a proxy with these settings."""
    if len({name.lower() for name in headers}) < len(headers):
        raise BadSetting("PROXY_GROUPS_HEADER", "is the same as PROXY_USER_HEADER", "EconwebGroups")
    if sign_in == "proxy" and not addresses:
        raise BadSetting("PROXY_ADDRESSES", "is needed with SIGN_IN=proxy", "127.0.0.1,192.0.2.0/24")
    if sign_in == "proxy" and not is_behind_proxy:
        raise BadSetting("BEHIND_PROXY", "has to be true with SIGN_IN=proxy", "true")
