"""Children that do not outlive their parent, are ended with all that they started, and inherit only
what is listed of the environment.
"""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import os
import signal
from collections.abc import Collection, Iterable

STOP_S = 8.0
_PR_SET_PDEATHSIG = 1
_LIBC = ctypes.CDLL(None)
_INHERITED = frozenset(
    """
    PATH HOME USER LOGNAME SHELL TERM COLUMNS TZ LANG LANGUAGE TMPDIR XDG_CACHE_HOME
    XDG_CONFIG_HOME XDG_DATA_HOME XDG_RUNTIME_DIR VIRTUAL_ENV PYTHONPATH PYTHONHOME PYTHONUNBUFFERED
    PYTHONDONTWRITEBYTECODE PYTHONWARNINGS LD_LIBRARY_PATH LD_PRELOAD SSL_CERT_FILE SSL_CERT_DIR
    REQUESTS_CA_BUNDLE CURL_CA_BUNDLE MALLOC_ARENA_MAX DESKHAND_APPLICATIONS DESKHAND_ASSETS
    OTEL_EXPORTER_OTLP_ENDPOINT
    DESKHAND_BROWSER_BOX DESKHAND_BROWSER_MEMORY_MB DESKHAND_CACHE DESKHAND_CHROMIUM
    DESKHAND_DEBUG DESKHAND_JUDGE DESKHAND_SITES DESKHAND_VLLM_PYTHON DESKHAND_WORLDS
    """.split()  # noqa: SIM905 - shorter than a list
)
_INHERITED_KINDS = ("LC_", "OMP_", "MKL_", "OPENBLAS_", "COVERAGE_")
"""Beginnings of names."""


def die_with_parent() -> None:
    """For `preexec_fn`: the child is ended when its parent dies, however that happens."""
    _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)


async def stop_group(process: asyncio.subprocess.Process) -> None:
    """Ends a process that was started with `start_new_session`, politely first, and what is left of
    its group."""
    for sign in (signal.SIGTERM, signal.SIGKILL):
        if process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, sign)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(process.wait(), STOP_S)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def inherited_environment(*more: str, kinds: Iterable[str] = ()) -> dict[str, str]:
    """What a child gets of this process's environment: listed variables, none of which holds a
    secret, those named `more`, and those whose names begin with one of `kinds`."""
    return listed_environment(_INHERITED.union(more), (*_INHERITED_KINDS, *kinds))


def listed_environment(names: Collection[str], kinds: Iterable[str] = ()) -> dict[str, str]:
    """The variables of this process named in `names`, and those whose names begin with one of
    `kinds`."""
    beginnings = tuple(kinds)
    return {
        name: value
        for name, value in os.environ.items()
        if name in names or name.startswith(beginnings)
    }
