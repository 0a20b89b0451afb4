"""Getters of settings that may be read while Chromium runs, before it has written its profile.

Guarantees: a running Chromium is asked; otherwise the profile is read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from envs.osworld.format.ending import Ending
from envs.osworld.format.getters import Parameters
from envs.osworld.inside.getters.chromium_preferences import color_scheme, starts_empty
from envs.osworld.inside.getters.chromium_profile import get_dotted, read_preferences

if TYPE_CHECKING:
    from envs.desktop.desktop import Desktop

_AT_START = "session.restore_on_startup"


async def new_startup_page(desktop: Desktop, ending: Ending, parameters: Parameters) -> str:
    """Whether Chromium starts with the empty page: "true" or "false". Raises FileNotFoundError."""
    from envs.apps.chromium.connection import running
    from envs.apps.chromium.settings import preference

    browser = await running(desktop)
    if browser is not None:
        return starts_empty(await preference(browser, _AT_START))
    return starts_empty(get_dotted(read_preferences(desktop), _AT_START))


async def chrome_appearance_mode_ui(
    desktop: Desktop, ending: Ending, parameters: Parameters
) -> str:
    """The appearance of Chromium: "light", "dark" or "system". Raises FileNotFoundError."""
    from envs.apps.chromium.connection import running
    from envs.apps.chromium.settings import appearance_mode

    if await running(desktop) is not None:
        return str(await appearance_mode(desktop))
    return color_scheme(read_preferences(desktop))
