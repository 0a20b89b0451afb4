from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from envs.apps.office.bridge.process import Bridge, reply_to
from tests.envs.apps.office.real_office import Refused

ROOT = Path(__file__).parents[5]


def test_an_unknown_tool_is_refused_without_a_connection() -> None:
    request = {"id": 4, "name": "calc.nope", "arguments": {}}
    assert reply_to(Bridge("no-such-pipe"), request) == {
        "id": 4,
        "ok": False,
        "reason": "not_found",
        "message": "the office has no tool 'calc.nope'",
    }


def test_every_request_gets_one_reply_in_order_until_the_input_ends() -> None:
    names = ["calc.nope", "writer.nope", "impress.nope"]
    requests = [{"id": n, "name": name, "arguments": {}} for n, name in enumerate(names)]
    process = subprocess.run(
        [sys.executable, "-m", "envs.apps.office.bridge", "no-such-pipe"],
        cwd=ROOT,
        input="".join(json.dumps(request) + "\n" for request in requests),
        capture_output=True,
        text=True,
        timeout=30,
    )
    replies = [json.loads(line) for line in process.stdout.splitlines()]
    assert process.returncode == 0
    assert [reply["id"] for reply in replies] == [0, 1, 2]
    assert all(name in reply["message"] for name, reply in zip(names, replies, strict=True))


def test_an_exception_is_a_failure_with_its_name(book: Path, call: Callable[..., Any]) -> None:
    with pytest.raises(Refused, match=r"^calc\.set_cell: TypeError: .*argument") as refused:
        call("calc.set_cell", place="A1")
    assert refused.value.reason == "tool_failed"
    call("calc.set_cell", cell="A1", value=1)
