"""Getters of settings that task files read while Chromium runs, sooner than it writes them.

Guarantees: a Chromium that runs is asked itself; of one that does not, the profile is read.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from envs.verify.getters.chromium_profile import at, preferences, scheme, starts_empty
from envs.verify.registry import Ending, getter

if TYPE_CHECKING:
    from envs.desktop.desktop import Desktop

_AT_START = "session.restore_on_startup"


@getter("new_startup_page")
async def new_startup_page(desktop: Desktop, ending: Ending, given: Mapping[str, Any]) -> str:
    """Whether Chromium starts with the empty page: "true" or "false". Raises FileNotFoundError."""
    from envs.tools.chromium_cdp import running
    from envs.tools.chromium_settings import preference

    browser = await running(desktop)
    if browser is not None:
        return starts_empty(await preference(browser, _AT_START))
    return starts_empty(at(preferences(desktop), _AT_START))


@getter("chrome_appearance_mode_ui")
async def chrome_appearance_mode_ui(
    desktop: Desktop, ending: Ending, given: Mapping[str, Any]
) -> str:
    """How Chromium looks: "light", "dark" or "system". Raises FileNotFoundError."""
    from envs.tools.chromium_cdp import running
    from envs.tools.chromium_settings import appearance_mode

    if await running(desktop) is not None:
        return str(await appearance_mode(desktop))
    return scheme(preferences(desktop))
