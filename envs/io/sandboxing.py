"""What boxes of bubblewrap see of this machine: its programs, read-only, and nothing personal."""

from __future__ import annotations

import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

SYSTEM = ("/usr", "/opt")
LINKS = ("bin", "sbin", "lib", "lib32", "lib64", "libx32")
SETTINGS = (
    "alternatives", "chromium", "chromium.d", "dbus-1", "debian_version", "fonts", "gimp",
    "gtk-2.0", "gtk-3.0", "host.conf", "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "libreoffice",
    "localtime", "mime.types", "mailcap", "magic", "openal", "pulse", "ssl", "ca-certificates",
    "ca-certificates.conf", "thunderbird", "timezone", "vlc", "X11", "xdg", "vdpau_wrapper.cfg",
)  # fmt: skip
_PROBE_S = 10.0
_PROC = Path("/proc")
_PROC_FIXED = (
    "sys",
    "sysrq-trigger",
    "irq",
    "bus",
    "fs",
    "acpi",
    "scsi",
    "mtrr",
    "asound",
    "driver",
    "pressure",
)
_PROC_MASKED = (
    "kcore", "kmsg", "keys", "key-users", "latency_stats", "timer_list", "timer_stats",
    "sched_debug", "slabinfo", "vmallocinfo", "pagetypeinfo", "kpagecount", "kpageflags",
)  # fmt: skip


def proc_files() -> list[str]:
    """Options that show the processes of the box. The kernel's settings are not writable, and its
    memory and log not readable, whoever starts the box: for root's processes the kernel looks at
    the owner of these files and at no capability, and a core_pattern of one's own runs as root."""
    shown = ["--proc", "/proc"]
    for name in _PROC_FIXED:
        if (_PROC / name).exists():
            shown += ["--ro-bind", f"/proc/{name}", f"/proc/{name}"]
    for name in _PROC_MASKED:
        if (_PROC / name).exists():
            shown += ["--ro-bind", "/dev/null", f"/proc/{name}"]
    return shown


def system_files() -> list[str]:
    """Options that show the system's programs and settings."""
    shown = []
    for folder in SYSTEM:
        shown += ["--ro-bind-try", folder, folder]
    for name in LINKS:
        link = Path("/") / name
        if link.is_symlink():
            shown += ["--symlink", str(link.readlink()), str(link)]
        elif link.exists():
            shown += ["--ro-bind", str(link), str(link)]
    for name in SETTINGS:
        shown += ["--ro-bind-try", f"/etc/{name}", f"/etc/{name}"]
    return shown


def python_files(*sources: Path) -> list[str]:
    """Options that show this process's Python with its libraries, and these files or folders."""
    shown = []
    for needed in dict.fromkeys((Path(sys.prefix), Path(sys.base_prefix), *sources)):
        if not any(needed.is_relative_to(folder) for folder in SYSTEM):
            shown += ["--ro-bind", str(needed), str(needed)]
    return shown


@cache
def usable() -> bool:
    """Whether boxes can be made here; a container may forbid them."""
    if shutil.which("bwrap") is None:
        return False
    probe = ["bwrap", "--unshare-all", "--ro-bind", "/", "/", "true"]
    return subprocess.run(probe, capture_output=True, timeout=_PROBE_S, check=False).returncode == 0
