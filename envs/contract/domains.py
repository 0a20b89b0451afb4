"""Which domains of the internet a task may reach, and where it may start.

An entry is a domain, which stands for itself and everything below it, on the ports of the web, or
with a port for that port alone: `shop.example`, `shop.example:8443`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from urllib.parse import urlsplit

WEB_PORT_OF = {"http": 80, "https": 443}
WEB_PORTS = frozenset(WEB_PORT_OF.values())
_LABEL = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
DOMAIN = rf"^(?:{_LABEL}\.)+[a-z](?:[a-z0-9-]{{0,61}}[a-z0-9])?(?::[1-9][0-9]{{0,4}})?$"
"""In lower case, as browsers write it (punycode for other scripts). No address has this form: the
last label of a domain does not begin with a digit."""
MAX_LENGTH = 260
MAX_ENTRIES = 100
LOOPBACK = frozenset({"127.0.0.1", "localhost"})
"""Hosts of sites of this machine, as they are written: no other spelling of loopback is one."""
_HOST = re.compile(DOMAIN.replace(r"(?::[1-9][0-9]{0,4})?", ""))


def is_allowed(host: str, port: int, allow: Iterable[str]) -> bool:
    """Whether an entry of `allow` stands for this host and port."""
    host = host.lower()
    if _HOST.fullmatch(host) is None or len(host) > 253:
        return False
    return any(_covers(entry, host, port) for entry in allow)


def is_url_allowed(url: str, allow: Iterable[str]) -> bool:
    """Whether an entry of `allow` stands for the site of this http or https URL."""
    try:
        parts = urlsplit(url)
        port = parts.port or (443 if parts.scheme == "https" else 80)
    except ValueError:
        return False
    return is_allowed(parts.hostname or "", port, allow)


def is_address(url: str) -> bool:
    """Whether the URL names its host by an IP address, or this machine."""
    try:
        host = urlsplit(url).hostname or ""
    except ValueError:
        return False
    return host == "localhost" or ":" in host or _HOST.fullmatch(host) is None


def check_start(url: str, allow: Collection[str], own_port: int | None = None) -> None:
    """Raises ValueError where a browser's task may not start at this http or https URL: without
    domains it starts on a site of this machine, other addresses are never opened, as the proxy of
    tasks with domains opens none. `own_port`: of the API, whose pages are no site for agents."""
    try:
        parts = urlsplit(url)
        host, port = (parts.hostname or "").lower(), parts.port or WEB_PORT_OF[parts.scheme]
    except (ValueError, KeyError) as error:
        raise ValueError(f"start_url: {url[:80]!r} is no address of a site") from error
    if allow:
        if not is_url_allowed(url, allow):
            raise ValueError(f"start_url is on no domain of allow ({', '.join(allow)})")
    elif not is_address(url):
        raise ValueError("start_url is on the internet: name its domain in allow")
    elif host not in LOOPBACK:
        raise ValueError(
            f"start_url: {host[:80]} is not opened: addresses of networks never are; a site of "
            "this machine is http://127.0.0.1:PORT (DESKHAND_SITES), one of the internet a domain "
            "in allow"
        )
    elif port == own_port:
        raise ValueError(f"start_url: port {own_port} is Deskhand's own API and console")


def _covers(entry: str, host: str, port: int) -> bool:
    domain, _, named_port = entry.partition(":")
    if port != int(named_port) if named_port else port not in WEB_PORTS:
        return False
    return host == domain or host.endswith(f".{domain}")
