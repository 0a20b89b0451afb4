"""The environment of commands that decide on a task: what the agent did to its own does not count.

Guarantees: programs are found in the pristine home and in the system, never in the agent's home; no
variable is the agent's but time zone and language, which are settings that tasks ask for; Python
takes no module from the home folder, bash reads no start-up file, git runs no program that its
settings name as hook, pager or watcher. The home folder itself is the agent's: what a command reads
there is what the task asks about.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from envs.desktop import wrappers

SYSTEM_PATH = "/usr/local/bin:/usr/bin:/bin:/usr/games"
_SETTINGS = ("TZ", "LANG", "LANGUAGE")
_SETTING_KINDS = "LC_"
_GIT = {"core.fsmonitor": "false", "core.hooksPath": "/dev/null", "core.pager": "cat"}
_PROGRAMS = {
    "PYTHONNOUSERSITE": "1",
    "PYTHONSAFEPATH": "1",
    # A shell below another one reads no start-up file, whatever its input is.
    "SHLVL": "2",
    "GIT_CONFIG_COUNT": str(len(_GIT)),
    **{f"GIT_CONFIG_KEY_{number}": key for number, key in enumerate(_GIT)},
    **{f"GIT_CONFIG_VALUE_{number}": value for number, value in enumerate(_GIT.values())},
}


def verdict_environment(
    desktop: Mapping[str, str], current: Mapping[str, str], pristine: Path
) -> dict[str, str]:
    """`desktop`: variables that the desktop started with; `current`: those of programs that start
    now, with what was set since; `pristine`: the home folder before any task."""
    settings = {
        name: value
        for name, value in current.items()
        if name in _SETTINGS or name.startswith(_SETTING_KINDS)
    }
    path = f"{pristine / wrappers.BIN}:{SYSTEM_PATH}"
    return {**desktop, **settings, **_PROGRAMS, "PATH": path}
