"""The process that holds the UNO connection: one JSON request a line in, one reply a line out.

    /usr/bin/python3 -m envs.apps.office.bridge PIPE    (the pipe's name as in soffice --accept)

    -> {"id": 1, "name": "calc.set_cell", "arguments": {"cell": "B2", "value": 3}}
    <- {"id": 1, "ok": true, "value": null}
    <- {"id": 1, "ok": false, "reason": "not_found", "message": "there is no sheet 'Q5'; ..."}

Guarantees: every request gets exactly one reply, in order; nothing else is written to the stream.
A request that notices a lost connection connects once more; it has had no effect by then, because
the document is looked up first. The process ends when its input does.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

from envs.apps.office.bridge.catalog import TOOLS
from envs.apps.office.documents import Office, exception_name
from envs.apps.office.registry import OfficeError, OfficeTool

CONNECT_TIMEOUT_S = 15.0
CONNECTION_LOST = ("DisposedException", "BridgeDisposedException")


class Bridge:
    """Calls tools over one connection, which is made at the first call."""

    def __init__(self, pipe: str) -> None:
        self._pipe = pipe
        self._office: Office | None = None

    def call(self, name: str, arguments: dict[str, Any]) -> Any:
        """The tool's value. Raises OfficeError, or whatever UNO raises."""
        tool = TOOLS.get(name)
        if tool is None:
            raise OfficeError("not_found", f"the office has no tool {name!r}")
        document_name = arguments.pop("document", None)
        target = self._find_target(tool, document_name)
        return tool.function(target, **arguments)

    def _find_target(self, tool: OfficeTool, document_name: str | None) -> Any:
        """The tool's first argument: the office or a document, over a connection that works."""
        for attempt in (1, 2):
            if self._office is None:
                self._office = Office(self._pipe, CONNECT_TIMEOUT_S)
            try:
                if tool.kind == "office":
                    self._office.desktop.getComponents()
                    return self._office
                return self._office.document(tool.kind, document_name)
            except Exception as error:
                if exception_name(error) not in CONNECTION_LOST or attempt == 2:
                    raise
                self._office = None
        raise AssertionError("unreachable")


def reply_to(bridge: Bridge, request: dict[str, Any]) -> dict[str, Any]:
    """Calls a tool; an exception of UNO becomes a failure with its name and message only."""
    try:
        value = bridge.call(request["name"], dict(request["arguments"]))
        return {"id": request["id"], "ok": True, "value": value}
    except OfficeError as error:
        return {
            "id": request["id"],
            "ok": False,
            "reason": error.reason,
            "message": str(error),
        }
    except Exception as error:
        message = str(getattr(error, "Message", "") or error).split("\n")[0]
        return {
            "id": request["id"],
            "ok": False,
            "reason": "tool_failed",
            "message": f"{request['name']}: {exception_name(error)}: {message}"[:400],
        }


def main() -> None:
    """Answers requests until the input ends."""
    # Whatever else prints (LibreOffice's libraries do) goes to stderr.
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    bridge = Bridge(sys.argv[1])
    for line in sys.stdin:
        reply = reply_to(bridge, json.loads(line))
        replies.write(json.dumps(reply) + "\n")
        replies.flush()
