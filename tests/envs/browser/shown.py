"""A page made for one test, and what it noted."""

from __future__ import annotations

from typing import Any

import pytest

from envs.contract.observations import Observe
from tests.envs.browser.site import PAGES, Visitor

LOG = """<!doctype html><meta charset=utf-8><title>Shown</title><p id=log></p><script>
  const note = (text) => { document.getElementById('log').textContent += text + ';'; };
</script>"""


async def show(
    visitor: Visitor, patch: pytest.MonkeyPatch, html: str, observe: Observe | None = None
) -> str:
    """Resets to a page with this body; its scripts may `note`. Gives the reset_level."""
    patch.setitem(PAGES, "/shown", LOG + html)
    return await visitor.open("/shown", observe)


async def noted(visitor: Visitor) -> list[str]:
    """What the page noted so far."""
    text: Any = await visitor.run("document.getElementById('log').textContent")
    return [line for line in str(text).split(";") if line]
