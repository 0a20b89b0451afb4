"""The tools of Chromium: tabs, pages, what it remembers, settings. Importing it registers them."""

from __future__ import annotations

from envs.tools import chromium_dom as _dom  # noqa: F401
from envs.tools import chromium_library as _library  # noqa: F401
from envs.tools import chromium_settings as _settings  # noqa: F401
from envs.tools import chromium_tabs as _tabs  # noqa: F401
