"""The box around a browser: a network of its own, no files of this machine, no secrets.

Guarantees: what runs inside is user 1000 without capabilities, sees the system's programs read-only
and an empty home, gets no variable of this process but language and time zone, and reaches no
address but the ports that `box_entry` listens on. DESKHAND_BROWSER_BOX=landlock is for containers,
where no namespaces are to be had: what runs there reads the system's programs and writes its own
home, sees nothing of other processes but their names, has no sockets but TCP's to the ports of its
sites, and no system calls that programs do without. Where neither can be had, the browser does not
start, unless DESKHAND_BROWSER_BOX=none says that something else is the box.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Literal

from envs.contract.outcomes import EpisodeFault, InvalidReason
from envs.io import landlock, sandboxing, seccomp
from envs.io.child_process import listed_environment
from envs.io.settings import EnvSettings

SETTING = "DESKHAND_BROWSER_BOX"
ENTRY = Path(__file__).with_name("box_entry.py")
HOME, TMP = "/home/user", "/tmp"
_ENTRY_INSIDE = "/run/box_entry.py"
_PASSED = ("LANG", "LANGUAGE", "LC_ALL", "TZ")
_TMP_BYTES = 1 << 30
_PROBE_S = 10.0
_DEVICES = ("/dev/random", "/dev/urandom")
Kind = Literal["bubblewrap", "landlock", "none"]
"""Of what keeps a browser from this machine."""


def chosen_box() -> Kind:
    """Where browsers run, as DESKHAND_BROWSER_BOX says. Raises EpisodeFault."""
    return EnvSettings.from_env_or_fault(InvalidReason.HOST_START).browser_box


def check_box(kind: Kind) -> None:
    """Raises EpisodeFault(HOST_START) with the remedy where boxes of that kind cannot be made."""
    if kind == "landlock" and not (landlock.version() and seccomp.make_filter()):
        raise EpisodeFault(
            InvalidReason.HOST_START,
            "this kernel has no Landlock (Linux 5.13 has), so no browser starts: set "
            f"{SETTING}=none if the container alone is to be the box",
        )
    if kind == "bubblewrap" and not sandboxing.usable():
        raise EpisodeFault(
            InvalidReason.HOST_START,
            "bubblewrap makes no boxes here, so no browser starts: apt-get install bubblewrap and "
            f"allow user namespaces, or set {SETTING}=landlock in a container, or {SETTING}=none "
            "if something else is the box already",
        )


def environment(home: str) -> dict[str, str]:
    """All variables that a browser gets."""
    system = {"HOME": home, "PATH": "/usr/local/bin:/usr/bin:/bin"}
    return {"LANG": "C.UTF-8", **listed_environment(_PASSED), **system}


def entry_command(
    control: int, pipe: int, ports: Sequence[int], folder: str, entry: str
) -> list[str]:
    """Runs `entry`, which takes the command of the browser as its further arguments."""
    python = str(Path(sys.executable).resolve())
    listed = ",".join(map(str, ports))
    return [python, "-I", "-S", entry, str(control), str(pipe), listed, folder]


def box_command(binary: str, command: Sequence[str]) -> list[str]:
    """bubblewrap's command line: the command in a box that shows the files of this Chromium."""
    line = [
        "bwrap",
        "--unshare-user",
        "--unshare-pid",
        "--unshare-net",
        "--unshare-ipc",
        "--unshare-uts",
        "--unshare-cgroup-try",
        "--hostname",
        "browser",
        "--uid",
        "1000",
        "--gid",
        "1000",
        "--die-with-parent",
        "--new-session",
        "--clearenv",
        *sandboxing.proc_files(),
        "--dev",
        "/dev",
        "--size",
        str(_TMP_BYTES),
        "--tmpfs",
        TMP,
        "--tmpfs",
        "/run",
        "--tmpfs",
        "/var",
    ]
    line += sandboxing.system_files()
    line += ["--ro-bind-try", "/var/cache/fontconfig", "/var/cache/fontconfig"]
    for folder in (Path(sys.base_prefix), Path(binary).resolve().parent):
        if not any(folder.is_relative_to(system) for system in sandboxing.SYSTEM):
            line += ["--ro-bind", str(folder), str(folder)]
    line += ["--ro-bind", str(ENTRY), _ENTRY_INSIDE, "--dir", HOME, "--chdir", HOME]
    for name, value in environment(HOME).items():
        line += ["--setenv", name, value]
    return [*line, *command]


def boxed_entry_command(binary: str, control: int, pipe: int, ports: Sequence[int]) -> list[str]:
    """`entry_command` in a box."""
    return box_command(binary, entry_command(control, pipe, ports, TMP, _ENTRY_INSIDE))


def readable_files(binary: str) -> list[Path]:
    """What a browser under Landlock reads beside its home: what one in a box sees."""
    names = ["/usr", "/proc", "/sys", *_DEVICES, "/var/cache/fontconfig"]
    names += [f"/{name}" for name in sandboxing.LINKS]
    names += [f"/etc/{name}" for name in sandboxing.SETTINGS]
    paths = [Path(sys.base_prefix), Path(binary).resolve().parent, ENTRY, *map(Path, names)]
    return [path for path in paths if path.exists()]


def enter_landlock(home: str, readable: Sequence[Path], ports: Sequence[int]) -> None:
    """Confines this process and what it starts, for good. Raises OSError."""
    landlock.confine([Path(home)], readable, ports)
    seccomp.enter_filter(network=True, datagrams=False)


@cache
def can_nest() -> bool:
    """Whether Chromium's own sandbox works inside a box: it needs namespaces within them."""
    probe = box_command("/usr/bin/true", ["unshare", "--user", "--pid", "--net", "--fork", "true"])
    done = subprocess.run(probe, capture_output=True, timeout=_PROBE_S, check=False)
    return done.returncode == 0


@cache
def can_sandbox() -> bool:
    """Whether Chromium's own sandbox works without a box: root has none, nor have containers that
    forbid namespaces."""
    if os.geteuid() == 0:
        return False
    probe = ["unshare", "--user", "--pid", "--net", "--fork", "true"]
    try:
        done = subprocess.run(probe, capture_output=True, timeout=_PROBE_S, check=False)
    except FileNotFoundError:
        return False
    return done.returncode == 0
