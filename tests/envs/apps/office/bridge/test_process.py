from __future__ import annotations

import concurrent.futures
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import docx
import pytest

from tests.envs.apps.office.real_office import BridgeProcess, Refused, running_office

ROOT = Path(__file__).parents[5]


def test_every_request_gets_one_reply_in_order_until_the_input_ends() -> None:
    """Here from a Python without `uno`."""
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


def test_a_bridge_connects_again_to_an_office_that_was_started_anew(tmp_path: Path) -> None:
    with running_office(tmp_path, "deskhand-test-again") as pipe:
        bridge = BridgeProcess(pipe)
        assert bridge.call("office.list_documents") == []
    with running_office(tmp_path, "deskhand-test-again"):
        assert bridge.call("office.list_documents") == []
        bridge.close()


def test_a_bridge_connects_again_to_an_office_that_ends_and_is_started_anew(tmp_path: Path) -> None:
    """One that ends takes connections and closes them."""
    name = "deskhand-test-ending"
    path = Path(f"/tmp/OSL_PIPE_{os.getuid()}_{name}")
    path.unlink(missing_ok=True)
    ending = socket.socket(socket.AF_UNIX)
    ending.bind(str(path))
    ending.settimeout(20)
    ending.listen()
    bridge = BridgeProcess(name)
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        listed = pool.submit(bridge.call, "office.list_documents")
        for _ in range(3):
            ending.accept()[0].close()
        path.unlink()
        ending.close()
        with running_office(tmp_path, name):
            assert listed.result() == []
            bridge.close()


def test_an_exception_is_a_failure_with_its_name(book: Path, call: Callable[..., Any]) -> None:
    with pytest.raises(Refused, match=r"^calc\.set_cell: TypeError: .*argument") as refused:
        call("calc.set_cell", place="A1")
    assert refused.value.reason == "tool_failed"
    call("calc.set_cell", cell="A1", value=1)


def test_a_call_that_is_stopped_changes_nothing_later(letter: Path, office_pipe: str) -> None:
    bridge = BridgeProcess(office_pipe)
    bridge.call("writer.insert_text", text="word " * 8000)
    with pytest.raises(Refused, match="took too long and was stopped"):
        bridge.call_until(time.monotonic() + 1, "writer.format", pattern="word", bold=True)

    def count_bold_runs() -> int:
        bridge.call("writer.save")
        runs = (
            run for paragraph in docx.Document(str(letter)).paragraphs for run in paragraph.runs
        )
        return sum(bool(run.bold) for run in runs)

    first = count_bold_runs()
    time.sleep(0.5)
    assert count_bold_runs() == first < 8000
    bridge.close()
