"""The page that teaches the system runs, learns by verified swaps, and stays one page."""

from __future__ import annotations

import re
import signal

import psutil
import pytest

from tests.examples.example_process import MARK, ROOT, marked_processes, run_example, start_example

SMALL = {"demonstrations": 16, "updates": 20, "iterations": 2, "groups": 2, "size": 3}


def small_options() -> list[str]:
    options = {**SMALL, "evaluation": 3}
    return [part for name, value in options.items() for part in (f"--{name}", str(value))]


def test_it_is_one_page() -> None:
    lines = (ROOT / "examples" / "rl_loop.py").read_text().splitlines()
    assert len(lines) <= 250


@pytest.mark.browser
@pytest.mark.policy
@pytest.mark.timeout(900)
def test_every_iteration_scores_its_episodes_and_swaps_verified_weights() -> None:
    output = run_example("rl_loop", *small_options(), timeout_s=840)
    assert int(re.findall(r"imitates their (\d+) steps", output)[0]) >= SMALL["demonstrations"]
    assert re.findall(r"held-out tasks: \d of (\d) solved", output) == ["3", "3"]
    iterations = re.findall(r"(\d): \d of (\d) solved, \d+ steps .* version (\d) (\w+)", output)
    episodes = str(SMALL["groups"] * SMALL["size"])
    assert iterations == [("1", episodes, "2", "accepted"), ("2", episodes, "3", "accepted")]


@pytest.mark.browser
@pytest.mark.timeout(200)
def test_ctrl_c_stops_everything() -> None:
    with start_example("rl_loop", "--demonstrations", "8") as process:
        assert process.stdout is not None
        for line in process.stdout:
            if line.startswith("2. "):
                break
        mark = psutil.Process(process.pid).environ()[MARK]
        assert len(marked_processes(mark)) >= 3, "the example, its gym server and its host"
        process.send_signal(signal.SIGINT)
        rest, _ = process.communicate(timeout=100)
    assert "stopped; everything is shut down" in rest
    assert "Traceback" not in rest
