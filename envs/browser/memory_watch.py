"""The memory of a browser in its box: what its pages may take of the machine.

Guarantees: over the limit the renderer that takes most is killed, which is a crash of its pages and
the result of whoever opened them; the browser and other sessions go on. A control group that allows
some more stands behind it, where one can be made: it stops what is faster than the watch.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from pathlib import Path

import psutil

from envs.contract.outcomes import InvalidReason
from envs.io.control_groups import control_groups
from envs.io.process_memory import proportional_share
from envs.io.settings import EnvSettings

log = logging.getLogger(__name__)
GROUP_SHARE = 1.25
"""What the control group allows, as a share of the limit."""
PROCESSES = 4096
"""And how many processes and threads: a renderer has about 20."""
EVERY_S = 0.5
MB = 1024 * 1024
_RENDERER = "--type=renderer"


def memory_limit() -> int:
    """Bytes that one browser may take, as DESKHAND_BROWSER_MEMORY_MB says; 0: any. Raises
    EpisodeFault."""
    return EnvSettings.from_env_or_fault(InvalidReason.HOST_START).browser_memory_mb * MB


def groups_of_browser(limit: int) -> contextlib.AbstractContextManager[list[Path]]:
    """New control groups for a browser with this limit; see `control_groups`."""
    return control_groups(int(limit * GROUP_SHARE), PROCESSES if limit else 0)


async def watch_memory(pid: int, limit: int) -> None:
    """Keeps the processes below `pid` within the limit until it is cancelled or they are gone."""
    while await asyncio.to_thread(_keep_within, pid, limit):
        await asyncio.sleep(EVERY_S)


def _keep_within(pid: int, limit: int) -> bool:
    """Kills the largest renderer where the limit is passed; whether the browser is still there."""
    try:
        processes = psutil.Process(pid).children(recursive=True)
    except psutil.NoSuchProcess:
        return False
    resident = {process: _resident(process) for process in processes}
    if sum(resident.values()) <= limit:
        return True
    # What processes share counts for each of them above: a closer look.
    shares = {process: proportional_share(process.pid) for process in processes}
    if sum(shares.values()) > limit:
        renderers = {process: size for process, size in shares.items() if _is_renderer(process)}
        largest = max(renderers, key=lambda process: renderers[process], default=None)
        if largest is not None:
            log.warning("a page took %d MB and was ended", renderers[largest] // MB)
            with contextlib.suppress(psutil.NoSuchProcess):
                largest.kill()
    return True


def _resident(process: psutil.Process) -> int:
    with contextlib.suppress(psutil.Error):
        return int(process.memory_info().rss)
    return 0


def _is_renderer(process: psutil.Process) -> bool:
    with contextlib.suppress(psutil.Error):
        return _RENDERER in process.cmdline()
    return False
