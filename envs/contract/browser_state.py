"""Logged-in state of a browser: cookies, and what pages keep in localStorage.

The form is that of Playwright's `storage_state`, so that a state can be made with it as well.
Guarantees: sizes are bounded; no value is in a `repr` or in the message of a validation error.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Literal, Self
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from envs.contract.domains import WEB_PORTS, is_allowed

MAX_COOKIES, MAX_ORIGINS, MAX_ITEMS = 1000, 100, 1000
ProfileName = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9._-]{0,60}$")]
ORIGIN = r"^https?://[^/?#\s@]{1,260}$"


class _Model(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True, hide_input_in_errors=True)


class Cookie(_Model):
    """One cookie. `expires`: seconds since 1970, -1 for one that ends with the browser."""

    name: str = Field(max_length=4096)
    value: str = Field(max_length=8192, repr=False)
    domain: str = Field(min_length=1, max_length=260)
    path: str = Field("/", max_length=2048)
    expires: float = -1
    httpOnly: bool = False  # noqa: N815 - Playwright's and Chromium's name
    secure: bool = False
    sameSite: Literal["Strict", "Lax", "None"] | None = None  # noqa: N815

    @property
    def host(self) -> str:
        """The host, or the domain that it is sent to with those below it."""
        return self.domain.lstrip(".").lower()


class Item(_Model):
    """An entry of localStorage."""

    name: str = Field(max_length=100_000)
    value: str = Field(max_length=5 * 2**20, repr=False)


class OriginState(_Model):
    """localStorage of one origin."""

    origin: str = Field(pattern=ORIGIN)
    localStorage: tuple[Item, ...] = Field((), max_length=MAX_ITEMS)  # noqa: N815


class Reach(_Model):
    """Which sites a task is about: domains of the internet, or one host of this machine."""

    allow: tuple[str, ...] = ()
    start_url: str | None = None

    def has_host(self, host: str) -> bool:
        """Whether a cookie of this host is one of the task's."""
        if self.allow:
            ports = {int(port) for entry in self.allow if (port := entry.partition(":")[2])}
            return any(is_allowed(host, port, self.allow) for port in {*WEB_PORTS, *ports})
        return host == (urlsplit(self.start_url or "").hostname or "")

    def has_origin(self, origin: str) -> bool:
        """Whether this origin is one of the task's."""
        try:
            parts = urlsplit(origin)
            port = parts.port or (443 if parts.scheme == "https" else 80)
        except ValueError:
            return False
        if self.allow:
            return is_allowed(parts.hostname or "", port, self.allow)
        start = urlsplit(self.start_url or "")
        return (parts.scheme, parts.netloc) == (start.scheme, start.netloc)


class BrowserState(_Model):
    """Of a whole browser, or of the sites that a task is about."""

    cookies: tuple[Cookie, ...] = Field((), max_length=MAX_COOKIES)
    origins: tuple[OriginState, ...] = Field((), max_length=MAX_ORIGINS)

    def within(self, reach: Reach) -> Self:
        """What belongs to the sites of a task. A cookie for all of `shop.example` does not belong
        to a task that may reach `pay.shop.example` alone."""
        return type(self)(
            cookies=tuple(each for each in self.cookies if reach.has_host(each.host)),
            origins=tuple(each for each in self.origins if reach.has_origin(each.origin)),
        )

    def merge(self, state: BrowserState, reach: Reach) -> Self:
        """With what a task's sites have now; all others keep what they had."""
        now = state.within(reach)
        return type(self)(
            cookies=(
                *(each for each in self.cookies if not reach.has_host(each.host)),
                *now.cookies,
            ),
            origins=(
                *(each for each in self.origins if not reach.has_origin(each.origin)),
                *now.origins,
            ),
        )

    @property
    def domains(self) -> tuple[str, ...]:
        """Hosts that it holds anything of."""
        hosts: Iterable[str] = (urlsplit(each.origin).hostname or "" for each in self.origins)
        return tuple(sorted({*(cookie.host for cookie in self.cookies), *hosts}))
