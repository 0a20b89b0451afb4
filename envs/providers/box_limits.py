"""The kernel's limits on a bubblewrap box: a control group of its own, where one can be made.

Guarantees: all processes of the box are in it from the first; it is removed with the box. It allows
some more than the host inside does (`envs.desktop.limits`), which ends a task's programs by itself
and says why: the group is what stops a bomb that is faster than a watching thread. Without the
right to make one the limits of the watching thread and RLIMIT_NPROC remain.
"""

from __future__ import annotations

import contextlib
from pathlib import Path

from envs.desktop.limits import MB, BoxLimits
from envs.io.control_groups import control_groups

DEFAULT = BoxLimits(memory_mb=3072, processes=1024, disk_mb=2048)
"""Of the programs of a task; several times what LibreOffice, GIMP and Chromium use together."""
SPARE_MB, SPARE_PROCESSES = 1024, 256
"""What the group allows beyond: for the host and the desktop, and so that the watch is first."""


def groups_of_box(limits: BoxLimits) -> contextlib.AbstractContextManager[list[Path]]:
    """New control groups for a box with these limits; see `control_groups`."""
    memory = (limits.memory_mb + SPARE_MB) * MB if limits.memory_mb else 0
    processes = limits.processes + SPARE_PROCESSES if limits.processes else 0
    return control_groups(memory, processes)
