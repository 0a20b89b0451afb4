"""/v1/tools: the API half of the action space, as chat APIs want functions."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter

from envs.contract.task import Env
from envs.gyms.server.registry import site_tools

router = APIRouter(prefix="/tools", tags=["tools"])


@router.get("")
def tools(env: Env | None = None) -> dict[str, list[dict[str, Any]]]:
    """Name, description and JSON schema of every tool. Tools that run commands need a desktop that
    allows them; those of a gym's app (billing.*) need a task in that gym."""
    # They load libraries that only this route needs.
    from envs.apps.catalog import DESKTOP_TOOLS
    from envs.browser.tools import TOOLS as BROWSER_TOOLS

    desktop = DESKTOP_TOOLS.schemas() if env != "browser" else []
    browser = [*BROWSER_TOOLS.schemas(), *site_tools()] if env != "desktop" else []
    return {"tools": desktop + browser}
