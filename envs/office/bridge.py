"""The process that holds the UNO connection: one JSON request a line in, one reply a line out.

    /usr/bin/python3 -m envs.office.bridge PIPE    (the pipe's name, as soffice --accept has it)

    -> {"id": 1, "name": "calc.set_cell", "arguments": {"cell": "B2", "value": 3}}
    <- {"id": 1, "ok": true, "value": null}
    <- {"id": 1, "ok": false, "reason": "not_found", "message": "there is no sheet 'Q5'; ..."}

Guarantees: every request gets exactly one reply, in order; nothing else is written to the stream;
a lost connection is made anew once for the request that found it lost before it had any effect
(documents are looked up first). It ends when its input does.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

from envs.office import load_tools
from envs.office.documents import Office, exception_name
from envs.office.registry import TOOLS, OfficeError, OfficeTool

CONNECT_TIMEOUT_S = 15.0
LOST = ("DisposedException", "BridgeDisposedException")


class Bridge:
    def __init__(self, pipe: str) -> None:
        self._pipe = pipe
        self._office: Office | None = None

    def call(self, name: str, arguments: dict[str, Any]) -> Any:
        tool = TOOLS.get(name)
        if tool is None:
            raise OfficeError("not_found", f"the office has no tool {name!r}")
        named = arguments.pop("document", None)
        subject = self._subject(tool, named)
        return tool.function(subject, **arguments)

    def _subject(self, tool: OfficeTool, named: str | None) -> Any:
        for attempt in (1, 2):
            if self._office is None:
                self._office = Office(self._pipe, CONNECT_TIMEOUT_S)
            try:
                if tool.kind == "office":
                    self._office.desktop.getComponents()
                    return self._office
                return self._office.document(tool.kind, named)
            except Exception as error:
                if exception_name(error) not in LOST or attempt == 2:
                    raise
                self._office = None
        raise AssertionError("unreachable")


def reply_to(bridge: Bridge, request: dict[str, Any]) -> dict[str, Any]:
    """Whatever UNO raises is the caller's to read: its name and message, without the C++ trace."""
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
        words = str(getattr(error, "Message", "") or error).split("\n")[0]
        return {
            "id": request["id"],
            "ok": False,
            "reason": "tool_failed",
            "message": f"{request['name']}: {exception_name(error)}: {words}"[:400],
        }


def main() -> None:
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    load_tools()
    bridge = Bridge(sys.argv[1])
    for line in sys.stdin:
        reply = reply_to(bridge, json.loads(line))
        replies.write(json.dumps(reply) + "\n")
        replies.flush()


if __name__ == "__main__":
    main()
