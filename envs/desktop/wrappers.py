"""Programs under their own names, with the switches that a desktop here needs.

They lie in the home folder's .local/bin, first on PATH, so that panels, file managers and agents
start programs alike: LibreOffice with its UNO pipe, Chromium with accessibility and DevTools inside
the box.
"""

from __future__ import annotations

from pathlib import Path

from envs.desktop.office_bridge import PIPE

BIN = ".local/bin"
CHROMIUM_PORT = 9222
VLC_PORT = 8080

_OFFICE = f'exec /usr/bin/soffice --accept="pipe,name={PIPE};urp" --norestore --nologo "$@"'
_CHROMIUM = (
    f"exec /usr/bin/chromium --no-sandbox --disable-gpu --disable-dev-shm-usage "
    "--force-renderer-accessibility "
    "--disable-background-networking --disable-component-update --disable-sync --no-first-run "
    "--no-default-browser-check --password-store=basic --disable-features=Translate,MediaRouter "
    "--test-type "
    f'"$@" --remote-debugging-port={CHROMIUM_PORT}'
)
"""The port comes last, so that it holds whatever port a task file starts Chromium with."""
_PROGRAMS = {
    "soffice": _OFFICE,
    "libreoffice": _OFFICE,
    "localc": _OFFICE.replace('"$@"', '--calc "$@"'),
    "lowriter": _OFFICE.replace('"$@"', '--writer "$@"'),
    "loimpress": _OFFICE.replace('"$@"', '--impress "$@"'),
    "chromium": _CHROMIUM,
    "google-chrome": _CHROMIUM,
    "vlc": f'exec /usr/bin/vlc --extraintf http --http-port {VLC_PORT} "$@"',
    "gnome-terminal": 'exec /usr/bin/lxterminal "$@"',
    "gedit": 'exec /usr/bin/mousepad "$@"',
    "nautilus": 'exec /usr/bin/pcmanfm "$@"',
    "python": 'exec "$DESKHAND_PYTHON" "$@"',
}

APPLICATIONS: dict[str, tuple[str, ...]] = {
    "calc": ("localc",),
    "writer": ("lowriter",),
    "impress": ("loimpress",),
    "chromium": ("chromium",),
    "files": ("pcmanfm",),
    "terminal": ("lxterminal",),
    "editor": ("mousepad",),
    "mail": ("thunderbird",),
    "gimp": ("gimp",),
    "vlc": ("vlc",),
}
"""Names of the `launch` action, and what they start."""
OTHER_NAMES = {
    "libreoffice calc": "calc", "libreoffice writer": "writer", "libreoffice impress": "impress",
    "chrome": "chromium", "browser": "chromium", "google chrome": "chromium", "thunderbird": "mail",
    "text editor": "editor", "gedit": "editor", "mousepad": "editor", "file manager": "files",
    "nautilus": "files", "pcmanfm": "files", "xterm": "terminal", "lxterminal": "terminal",
    "vs code": "code",
}  # fmt: skip


def write(home: Path) -> None:
    """Writes the wrapper scripts into a folder."""
    folder = home / BIN
    folder.mkdir(parents=True, exist_ok=True)
    for name, command in _PROGRAMS.items():
        script = folder / name
        script.write_text(f"#!/bin/sh\n{command}\n")
        script.chmod(0o755)
