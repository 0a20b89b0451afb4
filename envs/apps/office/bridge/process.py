"""The process that holds the UNO connection: one JSON request a line in, one reply a line out.

    /usr/bin/python3 -m envs.apps.office.bridge PIPE    (the pipe's name as in soffice --accept)

Requests and replies are those of `messages.py`. LibreOffice itself carries them out (`inside.py`).
This process passes them on: one that does not answer is given up by ending this process.
Guarantees: every request gets exactly one reply, in order; nothing else is written to the stream.
A request that meets a lost connection connects again; it has had no effect by then. The process
ends when its input does.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from typing import Any

from envs.apps.office.bridge.messages import COMPONENT, make_failure
from envs.apps.office.documents import exception_name
from envs.apps.office.registry import OfficeError

CONNECT_TIMEOUT_S, CONNECT_RETRY_S = 15.0, 0.1
CONNECTION_LOST = ("DisposedException", "BridgeDisposedException")
MODULE = "envs.apps.office.bridge.inside"


class Bridge:
    """Passes requests on over one connection, which is made at the first."""

    def __init__(self, pipe: str) -> None:
        self._pipe = pipe
        self._job: Any = None

    def call(self, request: str) -> str:
        """The reply. Raises OfficeError(tool_failed) without an office, or whatever UNO raises."""
        import uno

        argument = uno.createUnoStruct("com.sun.star.beans.NamedValue", "request", request)
        reply: str = self._answering_job().execute((argument,))
        return reply

    def _answering_job(self) -> Any:
        """The job inside LibreOffice, over a connection that has just worked."""
        deadline = time.monotonic() + CONNECT_TIMEOUT_S
        while True:
            try:
                if self._job is None:
                    self._job = load_job(connect(self._pipe, deadline - time.monotonic()))
                self._job.execute(())
            except Exception as error:
                self._job = None
                # A LibreOffice that is ending still takes connections.
                if exception_name(error) not in CONNECTION_LOST or time.monotonic() > deadline:
                    raise
                time.sleep(CONNECT_RETRY_S)
            else:
                return self._job


def connect(pipe: str, timeout_s: float) -> Any:
    """The component context of a running soffice. Raises OfficeError(tool_failed) without one."""
    import uno

    local = uno.getComponentContext()
    resolver = local.ServiceManager.createInstanceWithContext(
        "com.sun.star.bridge.UnoUrlResolver", local
    )
    address = f"uno:pipe,name={pipe};urp;StarOffice.ComponentContext"
    deadline = time.monotonic() + timeout_s
    while True:
        try:
            return resolver.resolve(address)
        except Exception as error:
            if exception_name(error) != "NoConnectException":
                raise
            if time.monotonic() > deadline:
                raise OfficeError("tool_failed", "LibreOffice is not running") from error
            time.sleep(CONNECT_RETRY_S)


def load_job(context: Any) -> Any:
    """A `ToolsJob` inside LibreOffice, which imports it from where this process has it."""
    import uno

    root = uno.systemPathToFileUrl(str(Path(__file__).parents[4]))
    loader = context.ServiceManager.createInstanceWithContext("com.sun.star.loader.Python", context)
    module = f"vnd.openoffice.pymodule:{root}/{MODULE}"
    return loader.activate(COMPONENT, "", module, None).createInstanceWithContext(context)


def reply_to(bridge: Bridge, line: str) -> str:
    """The reply to a request; without an answer of LibreOffice a failure that says why."""
    try:
        return bridge.call(line)
    except Exception as error:
        return json.dumps(make_failure(json.loads(line), error))


def main() -> None:
    """Answers requests until the input ends."""
    # Whatever else prints (LibreOffice's libraries do) goes to stderr.
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    bridge = Bridge(sys.argv[1])
    for line in sys.stdin:
        replies.write(reply_to(bridge, line) + "\n")
        replies.flush()
