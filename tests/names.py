"""Names of services whose addresses a test decides."""

from __future__ import annotations

import socket
from collections.abc import Mapping, Sequence

import pytest


def resolve_names(monkeypatch: pytest.MonkeyPatch, names: Mapping[str, Sequence[str]]) -> None:
    """Names of services that have these addresses now: no name server can be told on a machine that
    others use."""
    look_up = socket.getaddrinfo

    def getaddrinfo(host: object, port: object, *args: object, **more: object) -> list[object]:
        known = names.get(str(host))
        if known is None:
            return list(look_up(host, port, *args, **more))  # type: ignore[arg-type]
        if not known:
            raise socket.gaierror(socket.EAI_AGAIN, "the name server does not answer")
        return [
            (socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, int(str(port))))
            for address in known
        ]

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
