"""Children that do not outlive their parent."""

from __future__ import annotations

import ctypes
import signal

_PR_SET_PDEATHSIG = 1
_LIBC = ctypes.CDLL(None)


def die_with_parent() -> None:
    """For `preexec_fn`: the child is ended when its parent dies, however that happens."""
    _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
