"""/v1/tools: the API half of the action space, as chat APIs want functions."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter

from envs.gyms.registry import site_tools
from envs.tasks import Env
from envs.tools.registry import list_tools

router = APIRouter(prefix="/tools", tags=["tools"])


@router.get("")
def tools(env: Env | None = None) -> dict[str, list[dict[str, Any]]]:
    """Name, description and JSON schema of every tool; those that run commands need a desktop that
    allows them, those of a gym's app (billing.*) a task in that gym."""
    # They load libraries that only this route needs; importing them registers the tools.
    from envs.browser import session as _browser  # noqa: F401
    from envs.tools import desktop_tools as _desktop  # noqa: F401

    return {"tools": list_tools(env) + (site_tools() if env != "desktop" else [])}
