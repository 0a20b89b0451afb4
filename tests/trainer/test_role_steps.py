"""Answers of planner and grounder as steps that a learner can weigh apart."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent_server.episodes.trajectory import Planned, Step
from agent_server.store.tables import Episode
from envs.contract.actions import ActionError, ActionResult
from envs.dialects.roles import Role, Roles
from tests.trainer.tiny_run import make_step, open_context, record_episode
from trainer.collector import FinishedGroup
from trainer.context import Context
from trainer.phases.batch import make_batch, read_groups
from trainer.phases.pulse import read_successes
from trainer.reinforce_config import ReinforceConfig
from trainer.role_steps import demonstrate, split_roles

BOTH = Roles(apart=True)
PROMPT = "page: Shop\nlink Cart #1\ntask: Buy"


def only(role: Role) -> Roles:
    return Roles(apart=True, train=(role,))


def planned_step(plan: str = "buy", action: str = "click Cart", version: int = 3) -> Step:
    step = make_step(action, "link Cart #1\nlook", version)
    spoken = make_step(plan, "link Cart #1", version).completion
    completion = step.completion.model_copy(
        update={"plan": Planned(prompt="link Cart #1", completion=spoken)}
    )
    return step.model_copy(update={"completion": completion})


def test_each_answer_is_a_step_and_only_trained_roles_have_one() -> None:
    step = planned_step()
    planner, grounder = split_roles([step], BOTH)
    assert step.completion.plan is not None
    assert planner.completion == step.completion.plan.completion
    assert grounder.completion == step.completion.model_copy(update={"plan": None})
    assert planner.tree != grounder.tree, "an algorithm by pages does not compare the two"
    assert list(split_roles([step], only("planner"))) == [planner]
    assert list(split_roles([step], only("grounder"))) == [grounder]
    plain = make_step()
    assert list(split_roles([plain], Roles())) == [plain]


def test_a_plan_that_ended_the_task_has_no_grounder() -> None:
    step = planned_step("done")
    alone = step.completion.model_copy(update={"token_ids": (), "logprobs": (), "prompt_ids": ()})
    (planner,) = split_roles([step.model_copy(update={"completion": alone})], BOTH)
    assert planner.completion.text == "done"


def test_a_malformed_action_is_the_grounders_fault() -> None:
    failed = ActionResult.failure(ActionError.MALFORMED, "cannot read")
    step = planned_step().model_copy(update={"result": failed})
    planner, grounder = split_roles([step], BOTH)
    assert (planner.result.ok, grounder.result.ok) == (True, False)


def make_group(context: Context) -> FinishedGroup:
    rows = []
    for index, plan in enumerate(("buy", "look")):
        row = Episode(run_id="run", task={}, score=1.0 - index, success=index == 0)
        row.id, row.version_min, row.version_max = f"e{index}", 3, 3
        record_episode(context, row.id, [planned_step(plan)])
        rows.append(row)
    return FinishedGroup(id="g", task=context.make_task("shop/price", 1), episodes=tuple(rows))


@pytest.mark.parametrize(
    ("roles", "advantages"),
    [(BOTH, [1.0, 1.0, -1.0, -1.0]), (only("grounder"), [1.0, -1.0])],
)
def test_the_learner_gets_samples_of_the_trained_roles(
    tmp_path: Path, roles: Roles, advantages: list[float]
) -> None:
    with open_context(tmp_path / "run", roles=roles.model_dump()) as context:
        context.version = 3
        config = ReinforceConfig()
        groups = read_groups(context, [make_group(context)], config)
        samples = make_batch(context, groups, config, []).samples
        assert [sample.advantage for sample in samples] == advantages
        step = planned_step()
        assert step.completion.plan is not None
        of_planner = step.completion.plan.completion.prompt_ids
        prompts = {sample.prompt_ids for sample in samples}
        assert prompts == {step.completion.prompt_ids} | (
            {of_planner} if "planner" in roles.learners else set()
        )
        assert len(read_successes(context, ["e0"])) == len(roles.learners)


def test_a_demonstration_teaches_words_and_the_action() -> None:
    assert demonstrate(PROMPT, "I go.\nclick Cart", BOTH) == [
        (f"{PROMPT}\nrole: planner", "click the link Cart"),
        ("page: Shop\nlink Cart #1\ndo: click the link Cart\nrole: grounder", "click Cart"),
    ]
    assert demonstrate(PROMPT, "It is done.\ndone = $4", BOTH) == [
        (f"{PROMPT}\nrole: planner", "done = $4")
    ]
    (pair,) = demonstrate(PROMPT, "click Cart", only("grounder"))
    assert pair[1] == "click Cart"
    assert demonstrate(PROMPT, "click Cart", Roles()) == [(PROMPT, "click Cart")]
