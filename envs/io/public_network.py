"""Connections to public addresses only, for addresses that a task names.

Guarantees: the check is of the very address that is connected to, after the name was resolved and
after every redirection; loopback, private, link-local (the metadata of clouds), shared and reserved
addresses are refused, also where IPv6 carries an IPv4 address.
"""

from __future__ import annotations

import errno
import ipaddress
import socket
from typing import Any

import aiohttp

AddressInfo = tuple[int | socket.AddressFamily, int | socket.SocketKind, int, str, tuple[Any, ...]]
"""As `socket.getaddrinfo` returns it."""
_NAT64 = ipaddress.ip_network("64:ff9b::/96")
_UNICAST = ipaddress.ip_network("2000::/3")
"""All of IPv6 that is given to networks of the internet; what lies outside leads into a network of
ours or carries an IPv4 address in a way of its own."""
_EXAMPLES = ipaddress.ip_network("3fff::/20")


NOT_PUBLIC = "is not an address of the internet"


class NotPublic(OSError):
    """An address within a network that no task may reach; the message names it."""


def public_connector() -> aiohttp.TCPConnector:
    """A connector for an aiohttp session, which raises ClientConnectorError for other addresses."""
    return aiohttp.TCPConnector(socket_factory=_make_socket)


def is_public(address: str) -> bool:
    """Whether anybody on the internet could reach this address."""
    ip = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(ip, ipaddress.IPv6Address):
        carried = ip.ipv4_mapped or ip.sixtofour
        if ip in _NAT64:
            carried = ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF)
        if carried is None:
            return ip.is_global and ip in _UNICAST and ip not in _EXAMPLES
        ip = carried
    return ip.is_global and not ip.is_multicast


def _make_socket(address_info: AddressInfo) -> socket.socket:
    """The socket of one connection attempt. Raises NotPublic."""
    family, kind, protocol, _, address = address_info
    if family not in (socket.AF_INET, socket.AF_INET6) or not is_public(str(address[0])):
        raise NotPublic(errno.ENETUNREACH, f"{address[0]} {NOT_PUBLIC}")
    return socket.socket(family, kind, protocol)
