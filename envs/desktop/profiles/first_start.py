"""A program's first start, without a window, which writes the files that make later ones fast."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import tempfile
from collections.abc import Mapping, Sequence

from envs.io.child_process import inherited_environment


def start_once(command: Sequence[str], environment: Mapping[str, str], timeout_s: float) -> None:
    """Until it ends by itself; nothing of it is left. Raises subprocess.TimeoutExpired."""
    with tempfile.TemporaryDirectory(prefix="deskhand-first-") as scratch:
        # LibreOffice names its socket's folder so; one that is killed leaves both behind.
        own = {"TMPDIR": scratch, "OSL_SOCKET_PATH": scratch}
        process = subprocess.Popen(
            command,
            env={**inherited_environment(), **own, **environment},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            process.wait(timeout_s)
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait(10)
