"""A model's endpoint that answers each request with the next of some tool calls."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from aiohttp import web

Call = tuple[str, Mapping[str, object]]
"""A tool's name and its arguments."""


def next_call(prompt: str, calls: Sequence[Call]) -> web.Response:
    """The chat completion after the turns that the prompt, a request's body, already has; the last
    call again where there are no more."""
    turns = sum(message["role"] == "assistant" for message in json.loads(prompt)["messages"])
    name, arguments = calls[min(turns, len(calls) - 1)]
    function = {"name": name, "arguments": json.dumps(arguments)}
    call = {"id": f"c{turns}", "type": "function", "function": function}
    message = {"role": "assistant", "content": None, "tool_calls": [call]}
    choice = {"index": 0, "message": message, "finish_reason": "tool_calls"}
    return web.json_response({"id": "c", "object": "chat.completion", "choices": [choice]})
