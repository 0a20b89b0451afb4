"""Calls of the tools, inside LibreOffice: every request becomes exactly one reply.

Guarantees: a call begins nothing after its deadline. What LibreOffice has begun by then it ends.
"""

from __future__ import annotations

from typing import Any

from envs.apps.office.bridge.catalog import TOOLS
from envs.apps.office.bridge.deadline import DeadlinePassed, call_until
from envs.apps.office.bridge.messages import Message, make_failure, make_value_reply
from envs.apps.office.documents import Office
from envs.apps.office.registry import OfficeError, OfficeTool

STOPPED = "it took too long and was stopped; what it had changed by then remains"


def reply_to(office: Office, request: Message) -> Message:
    """Calls a tool. The request's arguments may change."""
    name, arguments = request["name"], request["arguments"]
    try:
        value = call_until(request["deadline"], lambda: _call(office, name, arguments))
    except DeadlinePassed:
        return make_failure(request, OfficeError("tool_failed", f"{name}: {STOPPED}"))
    except Exception as error:
        return make_failure(request, error)
    return make_value_reply(request, value)


def _call(office: Office, name: str, arguments: dict[str, Any]) -> Any:
    tool = TOOLS.get(name)
    if tool is None:
        raise OfficeError("not_found", f"the office has no tool {name!r}")
    target = _find_target(office, tool, arguments.pop("document", None))
    return tool.function(target, **arguments)


def _find_target(office: Office, tool: OfficeTool, document_name: str | None) -> Any:
    """The tool's first argument: the office or a document."""
    return office if tool.kind == "office" else office.document(tool.kind, document_name)
