"""Names of policies that an oracle leads: "led-3" where it takes three steps first."""

from __future__ import annotations

import re

_NAME = re.compile(r"led-([1-9]\d{0,3})")


def led_name(steps: int) -> str:
    """The policy's name where the oracle takes so many steps first."""
    return f"led-{steps}"


def read_lead(name: str) -> int:
    """The oracle's steps by the policy's name; 0 for all other policies."""
    match = _NAME.fullmatch(name)
    return 0 if match is None else int(match[1])
