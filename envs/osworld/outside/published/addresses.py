"""Whether two addresses of the web are the same page, as OSWorld sees it.

`http` is implied; "www." and a country's or other ending of a site's name do not matter (many sites
lead to another by where one is), nor does the slash of an otherwise empty path.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING
from urllib.parse import SplitResult, urlparse, urlsplit

if TYPE_CHECKING:
    from tldextract import TLDExtract

SCHEME = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*://")


def same_address(first: str | None, second: str | None) -> bool:
    """What cannot be parsed is only itself."""
    if first is None or second is None:
        return first is second
    try:
        return normal(first) == normal(second)
    except ValueError:
        return first == second


def same_address_compat(first: str | None, second: str | None) -> bool:
    """Leaves out ports. Raises ValueError for what cannot be parsed."""
    if first is None or second is None:
        return first is second
    return normal_compat(first) == normal_compat(second)


def normal(address: str) -> tuple[str, ...]:
    """Parts that are equal for the same address. Raises ValueError."""
    parts = urlsplit(_with_scheme(address))
    port = "" if parts.port is None else str(parts.port)
    return (parts.scheme, site(parts.netloc), port, *_rest(parts))


def normal_compat(address: str) -> tuple[str, ...]:
    """An address as OSWorld normalises it."""
    parts = urlparse(_with_scheme(address))
    path = "" if parts.path == "/" else parts.path
    return (parts.scheme, site(parts.netloc), path, parts.params, parts.query, parts.fragment)


def site(host: str) -> str:
    """A host's name without "www." and without its ending: "mail.example" of mail.example.co.uk."""
    parts = _endings()(host.lower())
    below = "" if parts.subdomain == "www" else parts.subdomain
    return f"{below}.{parts.domain}" if below else parts.domain


def _rest(parts: SplitResult) -> tuple[str, ...]:
    return ("" if parts.path == "/" else parts.path, parts.query, parts.fragment)


def _with_scheme(address: str) -> str:
    return address if SCHEME.match(address) else f"http://{address}"


@cache
def _endings() -> TLDExtract:
    """With the list of endings that the package brings: nothing is fetched, nothing stored."""
    from tldextract import TLDExtract

    return TLDExtract(suffix_list_urls=(), cache_dir=None)
