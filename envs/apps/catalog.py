"""Every tool of a desktop, in the order in which agents are shown them."""

from __future__ import annotations

from envs.apps import office_tools, vlc
from envs.apps.chromium import dom, library, tabs
from envs.apps.chromium import settings as chromium_settings
from envs.apps.files import archives, file_tools, search, trash
from envs.apps.gimp import image, layers
from envs.apps.system import code, editor, environment, processes, settings, shell, windows
from envs.apps.thunderbird import mail
from envs.apps.thunderbird import settings as thunderbird_settings
from envs.contract.tools import Toolset

DESKTOP_TOOLS = Toolset(
    "desktop",
    office_tools.TOOLS,
    vlc.TOOLS,
    tabs.TOOLS,
    dom.TOOLS,
    library.TOOLS,
    chromium_settings.TOOLS,
    file_tools.TOOLS,
    archives.TOOLS,
    search.TOOLS,
    trash.TOOLS,
    image.TOOLS,
    layers.TOOLS,
    code.TOOLS,
    editor.TOOLS,
    environment.TOOLS,
    processes.TOOLS,
    settings.TOOLS,
    shell.TOOLS,
    windows.TOOLS,
    mail.TOOLS,
    thunderbird_settings.TOOLS,
)
