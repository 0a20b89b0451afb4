"""What a desktop consists of may end under the agent's hands: it comes back, and is judged."""

from __future__ import annotations

from typing import Any

import pytest

from envs.contract.actions import Launch, Tool
from envs.contract.observations import Observe
from envs.contract.session import StepReply
from envs.contract.task import Task
from tests.envs.desktop_box import DesktopUser

pytestmark = pytest.mark.desktop

RESULT = "/home/user/Documents/result.txt"
SEEN = Observe(tree_chars=20_000)
TASK = Task(
    id="t",
    instruction="write yes",
    env="desktop",
    config=[
        {"type": "text_file", "parameters": {"path": "/home/user/Documents/a.txt", "text": "a"}},
        {"type": "open", "parameters": {"path": "/home/user/Documents/a.txt"}},
    ],
    evaluator={
        "func": "text_is",
        "result": {"type": "vm_file", "path": RESULT},
        "expected": {"type": "rule", "rules": "yes"},
        # The agent may have closed it.
        "postconfig": [
            {"type": "activate_window", "parameters": {"window_name": "Mousepad"}},
            {"type": "execute", "parameters": {"command": "true", "shell": True}},
        ],
    },
)


async def shell(user: DesktopUser, command: str) -> StepReply:
    action = Tool(name="shell.run", arguments={"command": command})
    return await user.session.step([action], SEEN)


async def works(user: DesktopUser) -> bool:
    """Whether programs start, and are seen."""
    reply = await user.session.step([Launch(app="editor")], SEEN)
    assert reply.observation.tree is not None
    return reply.results[-1].ok and "Mousepad" in reply.observation.tree.text


@pytest.mark.parametrize("program", ["Xvfb", "dbus-daemon", "openbox", "tint2"])
async def test_an_agent_that_ends_the_desktop_has_it_back_and_is_judged(
    user: DesktopUser, program: str
) -> None:
    await user.reset(TASK)
    await shell(user, f"echo -n yes > {RESULT}")
    reply = await shell(user, f"pkill -KILL -x {program}; sleep 0.5")
    assert reply.exceeded is None
    assert await works(user)
    assert (await user.session.evaluate()).score == 1


async def test_an_agent_that_stops_the_display_has_it_back(user: DesktopUser) -> None:
    await user.reset(TASK)
    reply = await shell(user, "(sleep 0.5; pkill -STOP -x Xvfb) & sleep 2; echo -n no > " + RESULT)
    assert not reply.results[0].ok
    assert "started again" in reply.results[0].message
    assert await works(user)
    assert (await user.session.evaluate()).score == 0, "a losing episode stays lost"


async def test_a_display_that_ends_after_the_last_step_voids_nothing(user: DesktopUser) -> None:
    await user.reset(TASK)
    await shell(user, f"echo -n no > {RESULT}; (setsid sh -c 'sleep 1; pkill -x Xvfb') &")
    await shell(user, "sleep 2")
    assert (await user.session.evaluate()).score == 0


async def test_programs_that_the_agent_has_closed_cost_no_verdict(user: DesktopUser) -> None:
    await user.reset(TASK)
    await shell(user, f"pkill -KILL mousepad; echo -n yes > {RESULT}")
    assert (await user.session.evaluate()).score == 1


async def test_what_a_revived_desktop_leaves_does_not_outlive_the_episode(
    user: DesktopUser,
) -> None:
    await user.reset(TASK)
    await shell(user, "touch /tmp/left; pkill -KILL -x Xvfb; sleep 0.5")
    await user.reset(TASK)
    reply = await user.session.step(
        [Tool(name="shell.run", arguments={"command": "ls /tmp"})], SEEN
    )
    value: Any = reply.results[0].value
    assert "left" not in value["output"], value
