"""Calls of the tools, inside LibreOffice: every request becomes exactly one reply.

Guarantees: one call at a time; a call that waited too long for an earlier one has no effect.
"""

from __future__ import annotations

import threading
from typing import Any

from envs.apps.office.bridge.catalog import TOOLS
from envs.apps.office.bridge.messages import Message, make_failure, make_value_reply
from envs.apps.office.documents import Office
from envs.apps.office.registry import OfficeError, OfficeTool

BUSY = "LibreOffice is still busy with an earlier call"
_one_at_a_time = threading.Lock()


def reply_to(office: Office, request: Message) -> Message:
    """Calls a tool. The request's arguments may change."""
    try:
        return make_value_reply(request, _call(office, request["name"], request["arguments"]))
    except Exception as error:
        return make_failure(request, error)


def _call(office: Office, name: str, arguments: dict[str, Any]) -> Any:
    tool = TOOLS.get(name)
    if tool is None:
        raise OfficeError("not_found", f"the office has no tool {name!r}")
    # Whoever waits for this call gives up at the same time: it must have no effect later.
    if not _one_at_a_time.acquire(timeout=tool.timeout_s):
        raise OfficeError("tool_failed", BUSY)
    try:
        target = _find_target(office, tool, arguments.pop("document", None))
        return tool.function(target, **arguments)
    finally:
        _one_at_a_time.release()


def _find_target(office: Office, tool: OfficeTool, document_name: str | None) -> Any:
    """The tool's first argument: the office or a document."""
    return office if tool.kind == "office" else office.document(tool.kind, document_name)
