"""What a person reads of a script, and the warnings about what belongs to one day."""

from __future__ import annotations

from agent_server.scripts.make import make_script
from agent_server.scripts.report import describe_script, list_fixed
from tests.agent_server.scripts.recorded import FOUND, TASK, make_step, record


def test_a_script_in_lines() -> None:
    lines = list(describe_script(make_script("phone", TASK, record())))
    assert lines[:4] == [
        "phone, version 1, 5 steps",
        "task: Set the phone of {search} to {phone}.",
        "begins: http://127.0.0.1:8000/people",
        "parameter search = 'Hugo Blanc'  (Search)",
    ]
    assert "      then /people/*, '✓ Saved'" in lines
    assert lines[-1] == "end: done"


def test_what_no_parameter_gives_is_noted() -> None:
    typed = {"type": "type", "text": "from:Ada", "target": {"ref": 1}}
    row = {"type": "click", "target": {"ref": 1}}
    steps = [
        make_step(0, "/people", FOUND, typed),
        make_step(1, "/people", "check 7 June #1", row),
        make_step(2, "/people", "text 3 people", {"type": "done", "answer": "five"}),
    ]
    assert list_fixed(make_script("x", TASK, steps)) == [
        "step 1 types 'from:Ada', which is no parameter",
        "step 2 acts on '7 June', which has a number",
        "the answer is that of the recorded run: no page shows it as it is",
    ]
    assert list_fixed(make_script("phone", TASK, record())) == []
