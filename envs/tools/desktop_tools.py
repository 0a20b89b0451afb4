"""Registers every tool of a desktop; import it for that."""

from __future__ import annotations

from envs.tools import archives as _archives  # noqa: F401
from envs.tools import chromium as _chromium  # noqa: F401
from envs.tools import code as _code  # noqa: F401
from envs.tools import editor as _editor  # noqa: F401
from envs.tools import environment as _environment  # noqa: F401
from envs.tools import files as _files  # noqa: F401
from envs.tools import find as _find  # noqa: F401
from envs.tools import gimp as _gimp  # noqa: F401
from envs.tools import office as _office  # noqa: F401
from envs.tools import processes as _processes  # noqa: F401
from envs.tools import settings as _settings  # noqa: F401
from envs.tools import shell as _shell  # noqa: F401
from envs.tools import thunderbird as _thunderbird  # noqa: F401
from envs.tools import trash as _trash  # noqa: F401
from envs.tools import vlc as _vlc  # noqa: F401
from envs.tools import windows as _windows  # noqa: F401
