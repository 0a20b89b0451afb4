"""Mending: what held stays, what the agent did follows, values become parameters again."""

from __future__ import annotations

import pytest

from agent_server.scripts.make import CannotScript, make_script
from agent_server.scripts.mend import mend_script, script_of_episode
from agent_server.scripts.model import Named, ScriptPlay
from agent_server.scripts.play import carry
from envs.contract.actions import ElementTraits
from tests.agent_server.scripts.recorded import FOUND, LIST, PERSON, SAVED, TASK, make_step, record

SCRIPT = make_script("phone", TASK, record(), episode="e1")
CALL = ElementTraits(tag="button", form="/people/p9/call", method="post")
PANEL = "heading Eva Lind\nbox Number #1\nbutton Keep #2"


def takeover() -> list[object]:
    """Step 3 of the script, "Edit", is not there any more: an agent finds the new way."""
    search = {"type": "type", "text": "Eva Lind", "target": {"ref": 1}, "submit": True}
    click = {"type": "click", "target": {"ref": 2}}
    typed = {"type": "type", "text": "555-7", "clear": True, "target": {"ref": 1}}
    return [
        make_step(0, "/people", LIST, search, prompt="script phone v1, step 1"),
        make_step(1, "/people?q=E", FOUND, click, prompt="script phone v1, step 2"),
        make_step(2, "/people/p9", PANEL, {"type": "wait", "ms": 0},
                  prompt="script phone v1 gives up at step 3"),
        make_step(3, "/people/p9", PANEL, typed, prompt="page: ..."),
        make_step(4, "/people/p9", PANEL, click, CALL, prompt="page: ..."),
        make_step(5, "/people/p9", SAVED, {"type": "done"}, prompt="page: ..."),
    ]  # fmt: skip


def test_the_agent_s_way_follows_what_held() -> None:
    values = {"search": "Eva Lind", "phone": "555-7"}
    mended = mend_script(SCRIPT, takeover(), values, "e2")  # type: ignore[arg-type]
    assert (mended.version, mended.made_from) == (2, ("e1", "e2"))
    assert mended.steps[:2] == SCRIPT.steps[:2]
    assert mended.steps[2].action == {"type": "type", "text": "{phone}", "clear": True}
    assert mended.steps[3].target[0] == Named(role="button", name="Keep")
    assert mended.examples == SCRIPT.examples


def test_an_episode_of_a_replay_is_mended_and_any_other_makes_a_new_one() -> None:
    play = ScriptPlay(script=SCRIPT, values={"search": "Eva Lind", "phone": "555-7"})
    task = carry(TASK, play)
    mended = script_of_episode("other", task, takeover())  # type: ignore[arg-type]
    assert (mended.name, mended.version, len(mended.steps)) == ("other", 2, 4)
    assert script_of_episode("phone", TASK, record(), episode="e1") == SCRIPT


def test_a_script_that_held_has_nothing_to_mend() -> None:
    with pytest.raises(CannotScript, match="nothing to mend"):
        mend_script(SCRIPT, record(), {})
    held = make_step(0, "/people", PERSON, {"type": "done"}, prompt="script phone v1")
    with pytest.raises(CannotScript, match="nothing to mend"):
        mend_script(SCRIPT, [held], {})
