"""Setup steps that run commands."""

from __future__ import annotations

import pytest

from envs.contract.outcomes import EpisodeFault
from envs.osworld.inside.steps import programs
from tests.envs.osworld.inside.steps.headless import Headless, run


def test_what_a_command_says_is_kept_for_the_evaluator(machine: Headless) -> None:
    run(machine, "execute", command="echo out; echo wrong >&2", shell=True, stdout="o", stderr="e")
    assert machine.outputs == {"o": "out\n", "e": "wrong\n"}


def test_a_command_is_run_again_until_it_is_as_said(machine: Headless) -> None:
    grow = "echo x >> n; wc -l < n"
    run(machine, "execute", command=grow, shell=True, until={"stdout": "3"}, stdout="n.out")
    assert machine.outputs["n.out"].strip() == "3"
    run(machine, "command", command=["/bin/sh", "-c", "rmdir d || { mkdir d; false; }"],
        until={"returncode": 0})  # fmt: skip
    assert not (machine.home / "d").exists()


def test_waiting_for_a_command_is_bounded(
    machine: Headless, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(programs, "EXECUTE_S", 0.5)
    (note,) = run(machine, "execute", command=["true"], until={"returncode": 1})
    assert "TimeoutError: true: {'returncode': 1} did not hold within 0.5 s" in note
    (note,) = run(machine, "execute", command=["sleep", "60"])
    assert "sleep: it did not end within 0.5 s" in note


@pytest.mark.parametrize("until", [{}, {"returncode": 0}])
def test_a_command_that_does_not_exist_is_noted(machine: Headless, until: dict[str, int]) -> None:
    (note,) = run(machine, "execute", command=["no-such-program"], until=until)
    assert "(execute): FileNotFoundError" in note
    with pytest.raises(EpisodeFault, match="FileNotFoundError"):
        run(machine, "execute_with_verification", command=["no-such-program"])


def test_a_verified_command_waits_for_the_other_command(machine: Headless) -> None:
    later = "(sleep 0.3; touch there) >/dev/null 2>&1 &"
    run(machine, "execute_with_verification", command=later, shell=True,
        verification={"command_success": "test -e there"}, check_interval=0.05)  # fmt: skip
    assert (machine.home / "there").exists()
    with pytest.raises(EpisodeFault, match="TimeoutError"):
        run(machine, "execute_with_verification", command=["true"], max_wait_time=0.2,
            verification={"command_success": "test -e never"}, check_interval=0.05)  # fmt: skip


def test_a_launch_that_has_no_window_waits_for_none(machine: Headless) -> None:
    run(machine, "launch", command=["socat", "tcp-listen:9222,fork", "tcp:localhost:1337"])
    run(machine, "launch", command=["pkill", "no-such-program-here"])


def test_placeholders_of_a_command_are_filled(machine: Headless) -> None:
    run(machine, "execute", command=["echo", "{SCREEN_WIDTH_HALF}"], stdout="half")
    assert machine.outputs["half"] == "640\n"
