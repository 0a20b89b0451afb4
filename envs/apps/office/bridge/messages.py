"""Requests and replies, each one line of JSON; standard library only.

Request:
    {"id": 1, "name": "calc.set_cell", "arguments": {"cell": "B2", "value": 3}, "deadline": 52.5}
`deadline`: when the call ends if it has not yet, by the monotonic clock of the machine.
Reply:
    {"id": 1, "ok": true, "value": null}
    {"id": 1, "ok": false, "reason": "not_found", "message": "there is no sheet 'Q5'; ..."}
"""

from __future__ import annotations

from typing import Any

from envs.apps.office.documents import exception_name
from envs.apps.office.registry import OfficeError

COMPONENT = "deskhand.OfficeTools"
"""The name of the UNO component that answers them."""
MAX_MESSAGE = 400
Message = dict[str, Any]


def make_value_reply(request: Message, value: Any) -> Message:
    """The reply to a request that was carried out."""
    return {"id": request["id"], "ok": True, "value": value}


def make_failure(request: Message, error: Exception) -> Message:
    """The reply to one that was not; of an exception of UNO its name and first line."""
    if isinstance(error, OfficeError):
        reason, message = str(error.reason), str(error)
    else:
        first_line = str(getattr(error, "Message", "") or error).split("\n")[0]
        message = f"{request['name']}: {exception_name(error)}: {first_line}"[:MAX_MESSAGE]
        reason = "tool_failed"
    return {"id": request["id"], "ok": False, "reason": reason, "message": message}
