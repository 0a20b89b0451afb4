"""The box in which an application's code runs: its server, and its installer.

Guarantees: user 1000 without capabilities, no network but the loopback of the box, no variable of
this process, the system's programs, this process's Python and the application's files read-only;
it writes to the data folder alone.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path

from envs.gyms.server.gym import ApplicationFailed
from envs.io import sandboxing
from envs.io.child_process import die_with_parent, stop_group

DATA = "/data"
"""The data folder inside the box."""
INSTALL_S = 120.0
_SETTINGS = ("/etc/php", "/etc/ruby", "/etc/mysql")
"""Settings of the languages and servers that applications are made with."""
_VARIABLES = {"PATH": "/usr/sbin:/usr/bin:/bin", "HOME": "/tmp", "LANG": "C.UTF-8", "TZ": "UTC"}


def box_options(data: Path, files: Mapping[str, Path], environment: Mapping[str, str]) -> list[str]:
    """bubblewrap's command line up to the command. `files`: by their paths inside. Raises
    ApplicationFailed where there are no boxes."""
    if not sandboxing.usable():
        raise ApplicationFailed("bubblewrap makes no boxes here: apt-get install bubblewrap")
    line = ["bwrap", "--unshare-all", "--uid", "1000", "--gid", "1000", "--hostname", "app"]
    line += ["--die-with-parent", "--new-session", "--clearenv"]
    line += [*sandboxing.proc_files(), "--dev", "/dev", "--tmpfs", "/tmp", "--tmpfs", "/run"]
    line += [*sandboxing.system_files(), *sandboxing.python_files()]
    for folder in _SETTINGS:
        line += ["--ro-bind-try", folder, folder]
    for inside, path in files.items():
        line += ["--ro-bind", str(path), inside]
    for name, value in {**_VARIABLES, **environment}.items():
        line += ["--setenv", name, value]
    return [*line, "--bind", str(data), DATA, "--chdir", "/tmp"]


async def run_installer(argv: Sequence[str], files: Mapping[str, Path], data: Path) -> None:
    """Runs an application's installer. Raises ApplicationFailed with the end of its output."""
    process = await asyncio.create_subprocess_exec(
        *box_options(data, files, {}),
        *argv,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        start_new_session=True,
        preexec_fn=die_with_parent,
    )
    try:
        async with asyncio.timeout(INSTALL_S):
            output, _ = await process.communicate()
    except TimeoutError:
        raise ApplicationFailed(f"{argv[0]}: not installed within {INSTALL_S:g} s") from None
    finally:
        await stop_group(process)
    if process.returncode != 0:
        raise ApplicationFailed(f"{' '.join(argv[:2])}: {output.decode(errors='replace')[-500:]}")
