"""A Chromium of one session for sites of the internet, and the proxy that is its only way out.

Guarantees: the box around it has no network but the proxy's port; each task begins in a context of
its own, with no connection, cookie or cache of the one before; both end with `close`.
"""

from __future__ import annotations

from typing import Self

from envs.browser.chromium import FLAGS, Chromium
from envs.browser.egress import EgressProxy
from envs.browser.process import Site
from envs.contract.task import Task

WEB_FLAGS = (
    "--proxy-bypass-list=<-loopback>",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
)
"""Chromium leaves proxies out for loopback unless told otherwise, and WebRTC does for all."""


class WebBrowser:
    """Create with `open`."""

    def __init__(self, proxy: EgressProxy, binary: str | None, flags: tuple[str, ...]) -> None:
        self.proxy = proxy
        route = f"--proxy-server={proxy.url}"
        sites = [Site.parse(proxy.url)]
        self.chromium = Chromium(binary, sites, flags=(*FLAGS, *WEB_FLAGS, *flags, route))

    @classmethod
    async def open(
        cls,
        binary: str | None = None,
        proxy: EgressProxy | None = None,
        flags: tuple[str, ...] = (),
    ) -> Self:
        """Listens; the browser itself starts when it is first needed."""
        proxy = proxy or EgressProxy()
        await proxy.open()
        return cls(proxy, binary, flags)

    def begin(self, task: Task) -> None:
        """Lets the task's domains through, and no others."""
        self.proxy.begin(task.allow)

    async def close(self) -> None:
        """Ends both."""
        await self.chromium.close()
        await self.proxy.close()
