"""GIMP's command with its Script-Fu server on the box's loopback, and what makes it start fast.

Guarantees: GIMP's list of plug-ins is made once, so that a start in a fresh home folder takes
seconds and not half a minute; its window fills the screen, as GIMP's own place for it lies below a
small one; a second GIMP command hands its files to the one that runs, and a GIMP that was started
by another name gets the server with the next command.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from envs.desktop.profiles.first_start import start_once
from envs.desktop.wrappers import BIN

SCRIPT_FU_PORT = 10008
SERVER = "plug-in-script-fu-server"
FOLDER = ".config/GIMP/2.10"
FIRST_START_S = 120
SESSION = Path("/etc/gimp/2.0/sessionrc")
"""Where windows and docks are at GIMP's first start."""
COMMAND = f"{BIN}/gimp"
_WRAPPER = f"""#!/bin/sh
if pgrep -f 'gimp.*{SERVER}' >/dev/null ||
  grep -q ':{SCRIPT_FU_PORT:04X} [0-9A-F]*:0000 0A' /proc/net/tcp; then
  exec /usr/bin/gimp --no-splash "$@"
fi
exec /usr/bin/gimp --no-splash -b \\
  '({SERVER} RUN-NONINTERACTIVE "127.0.0.1" {SCRIPT_FU_PORT} "")' "$@"
"""
"""A second server finds its port taken, and GIMP shows a message about it that stands in the way
of everything else. 0A: a port that is listened on."""


def write(home: Path) -> None:
    """Raises subprocess.SubprocessError when GIMP does not end its first start. Without GIMP on
    this machine there is only its command."""
    script = home / COMMAND
    script.parent.mkdir(parents=True, exist_ok=True)
    script.write_text(_WRAPPER)
    script.chmod(0o755)
    if shutil.which("gimp") is None:
        return
    start_once(
        ["gimp", "--no-interface", "--no-splash", "-b", "(gimp-quit 0)"],
        {"HOME": str(home), "XDG_CONFIG_HOME": str(home / ".config")},
        FIRST_START_S,
    )
    (home / FOLDER / "sessionrc").write_text(_filling_the_screen(SESSION.read_text()))
    for name in (".cache", f"{FOLDER}/CrashLog", f"{FOLDER}/backups", ".gtkrc-2.0.lock"):
        shutil.rmtree(home / name, ignore_errors=True)


def _filling_the_screen(session: str) -> str:
    placed = re.sub(r"\(position \d+ \d+\)", "(position 0 0)", session)
    return placed.replace('(maximized "no")', '(maximized "yes")')
