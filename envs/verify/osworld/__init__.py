"""OSWorld's metrics, one module a format or program. Importing this package registers all."""

from __future__ import annotations

from envs.verify.osworld import archives as _archives  # noqa: F401
from envs.verify.osworld import basic_os as _basic_os  # noqa: F401
from envs.verify.osworld import chrome as _chrome  # noqa: F401
from envs.verify.osworld import gimp as _gimp  # noqa: F401
from envs.verify.osworld import gimp_places as _gimp_places  # noqa: F401
from envs.verify.osworld import python_files as _python_files  # noqa: F401
from envs.verify.osworld import text_files as _text_files  # noqa: F401
from envs.verify.osworld import vlc as _vlc  # noqa: F401
from envs.verify.osworld import vlc_media as _vlc_media  # noqa: F401
from envs.verify.osworld import vscode as _vscode  # noqa: F401
