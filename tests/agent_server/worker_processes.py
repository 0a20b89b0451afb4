from __future__ import annotations

import subprocess
from collections.abc import Callable

from agent_server.settings import Settings

StartWorker = Callable[[Settings], "subprocess.Popen[bytes]"]
