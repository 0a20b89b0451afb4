"""GIMP's command with its Script-Fu server on the box's loopback, and what makes it start fast.

Guarantees: GIMP's list of plug-ins is made once, so that a start in a fresh home folder takes
seconds and not half a minute; its window fills the screen, as GIMP's own place for it lies below a
small one; a second GIMP command hands its files to the one that runs.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from envs.desktop.profiles.first_start import start_once
from envs.desktop.wrappers import BIN

SCRIPT_FU_PORT = 10008
FOLDER = ".config/GIMP/2.10"
FIRST_START_S = 120
SESSION = Path("/etc/gimp/2.0/sessionrc")
"""Where windows and docks are at GIMP's first start."""
_WRAPPER = f"""#!/bin/sh
if pgrep -x gimp-2.10 >/dev/null; then
  exec /usr/bin/gimp --no-splash "$@"
fi
exec /usr/bin/gimp --no-splash -b \\
  '(plug-in-script-fu-server RUN-NONINTERACTIVE "127.0.0.1" {SCRIPT_FU_PORT} "")' "$@"
"""


def write(home: Path) -> None:
    """Raises subprocess.SubprocessError when GIMP does not end its first start. Without GIMP on
    this machine there is only its command."""
    script = home / BIN / "gimp"
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
