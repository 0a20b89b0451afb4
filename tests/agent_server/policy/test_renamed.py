"""The policy behind made-up names: what it sees, what is done, and that it knows no name."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent_server.episodes.agent import Sampling, Turn
from agent_server.episodes.compact import build_prompt, parse
from agent_server.episodes.trajectory import Completion
from agent_server.policy.renamed import (
    NAMING_FILE,
    Naming,
    RenamedPolicy,
    read_naming,
    write_naming,
)
from agent_server.policy.renaming import Pieces
from envs.contract.observations import Observation, Tree, parse_tree
from envs.contract.outcomes import EpisodeFault, InvalidReason
from tasksets.registry import get_gym

TASK = get_gym("shop").make_task("checkout", 7).model_copy(update={"instruction": "Send to Lodge"})
NAMING = Naming(
    interface=frozenset({"Add", "Address", "Cart", "Coupon", "Pay", "Send"}),
    pieces=Pieces(("Lo", "Add"), ("orm", "ess")),
)
FIRST = "link Cart #1\nradio Dormitory #2\nradio Lodge #3\nbox Coupon = SAVE20 #4"
SECOND = "link Carts #1\ntext Dormitory or Lodge\nlink Lodges #2"


class ScriptedPolicy:
    """Clicks the line of this number by its name, as it is shown."""

    def __init__(self, *numbers: int) -> None:
        self.numbers = list(numbers)
        self.prompts: list[str] = []

    async def act(self, turn: Turn) -> Completion:
        self.prompts.append(turn.prompt)
        number = self.numbers.pop(0)
        name = next(line.name for line in parse_tree(turn.prompt) if line.ref == number)
        return Completion(text=f"{name} it is\nclick {name}", token_ids=(1, 2))


class KnowingPolicy:
    """Clicks a name that it knows by heart."""

    async def act(self, turn: Turn) -> Completion:
        return Completion(text="click Lodge")


def make_turn(tree: str) -> Turn:
    observation = Observation(hash="", tree=Tree(id=1, text=tree))
    prompt = build_prompt(TASK.instruction, [], observation)
    return Turn(TASK, observation, prompt, Sampling())


async def test_names_are_made_up_alike_on_all_pages_and_the_answer_is_the_pages_own() -> None:
    inner = ScriptedPolicy(3, 2)
    policy = RenamedPolicy(inner, TASK.id, NAMING)
    answers = [(await policy.act(make_turn(tree))).text for tree in (FIRST, SECOND)]
    assert answers == ["Lodge it is\nclick Lodge", "Lodges it is\nclick Lodges"]
    first, second = inner.prompts
    assert "link Cart #1" in first
    assert "link Carts #1" in second, "a plural of the interface"
    assert not any(name in first + second for name in ("Lodge", "Dormitory", "SAVE"))
    name = next(line.name for line in parse_tree(first) if line.ref == 3)
    assert f"Send to {name}" in first
    assert f"link {name}s #2" in second
    coupon = next(line for line in parse_tree(first) if line.ref == 4)
    assert coupon.name == "Coupon"
    assert coupon.value is not None
    assert coupon.value.endswith("20")


async def test_a_name_known_by_heart_does_nothing() -> None:
    policy = RenamedPolicy(KnowingPolicy(), TASK.id, NAMING)
    answer = await policy.act(make_turn(FIRST))
    parsed = parse(answer.text, parse_tree(FIRST))
    assert parsed.error is not None
    assert "nothing here to click" in parsed.error.message


async def test_episodes_of_one_task_see_the_same_names_in_whatever_order() -> None:
    seen = []
    for trees in ((FIRST, SECOND), (SECOND, FIRST)):
        inner = ScriptedPolicy(1, 1)
        policy = RenamedPolicy(inner, TASK.id, NAMING)
        for tree in trees:
            await policy.act(make_turn(tree))
        seen.append(inner.prompts)
    assert seen[0][0] == seen[1][1]
    other = ScriptedPolicy(1)
    await RenamedPolicy(other, "another task", NAMING).act(make_turn(FIRST))
    assert other.prompts[0] != seen[0][0]


def test_what_a_run_says_of_names_is_read_by_its_workers(tmp_path: Path) -> None:
    write_naming(tmp_path, NAMING)
    assert read_naming(tmp_path) == NAMING


@pytest.mark.parametrize("content", [None, "nonsense", '{"interface": 3}'])
def test_a_run_that_says_nothing_of_names_is_told(tmp_path: Path, content: str | None) -> None:
    if content is not None:
        (tmp_path / NAMING_FILE).write_text(content)
    with pytest.raises(EpisodeFault, match=r"naming\.json must say") as error:
        read_naming(tmp_path)
    assert error.value.reason is InvalidReason.UNRUNNABLE
