from __future__ import annotations

import subprocess
from collections.abc import Callable

TOY_WORKER = "tests.agent_server.toy_worker"
REAL_WORKER = "agent_server.worker"
StartWorker = Callable[..., "subprocess.Popen[bytes]"]
"""Takes the settings, and the module to run if not TOY_WORKER."""
