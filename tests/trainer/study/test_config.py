"""A study is refused before anything runs where one of its runs could not."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.trainer.study.tiny_study import ARMS, write_study
from trainer.config import ConfigError
from trainer.study.config import TRUNK, load_study

ENTROPULSE = Path("configs/study/entropulse.toml")


def test_the_bundled_study_has_its_four_arms_and_shares_what_they_share() -> None:
    study = load_study(ENTROPULSE)
    assert list(study.arms) == ["uninterrupted", "reset", "pulse", "longer_imitation"]
    assert [study.begins_with_trunk(arm) for arm in study.arms] == [True, True, True, False]
    assert len(study.seeds) == 5
    configs = {arm: study.run_config(arm, 1, ENTROPULSE) for arm in (*study.arms, TRUNK)}
    assert {config.seed for config in configs.values()} == {1}
    tasks = {len(study.seeds) * config.eval.episodes for config in configs.values()}
    assert tasks == {2000}
    longer, short, pulse = (
        section.updates * section.batch_steps
        for section in (
            configs["longer_imitation"].imitate,
            configs["pulse"].imitate,
            configs["pulse"].pulse,
        )
    )
    assert longer == short + pulse, "steps of supervised data are the same"
    assert configs["pulse"].carryover("reinforce-2") == set()
    assert configs["reset"].carryover("reinforce-2") == set()
    assert configs["uninterrupted"].carryover("reinforce-2") == {"optimizer", "reference"}


def test_each_arm_of_the_ablations_differs_from_the_recipe_and_has_as_many_data() -> None:
    file = Path("configs/study/ablations.toml")
    study = load_study(file)
    configs = {arm: study.run_config(arm, 0, file) for arm in study.arms}
    recipe = configs.pop(study.reference)
    assert all(config != recipe for config in configs.values())
    assert configs["without_tis"].learner.loss.tis_cap is None
    rounds = configs["expert_iteration"].expert_iteration
    reinforce = recipe.reinforce
    assert (rounds.iterations, rounds.groups, rounds.group_size) == (
        reinforce.iterations,
        reinforce.groups,
        reinforce.group_size,
    )
    learnt = rounds.updates * rounds.batch_steps / (rounds.groups * rounds.group_size)
    # Episodes of these three templates have 6 to 7 steps, and reinforcement learns each step once.
    assert 6 < learnt < 7


def test_the_study_of_feedback_compares_as_many_retries_told_and_untold() -> None:
    file = Path("configs/study/feedback.toml")
    study = load_study(file)
    configs = {arm: study.run_config(arm, 0, file).feedback for arm in study.arms}
    assert {arm: feedback.retries for arm, feedback in configs.items()} == {
        "without": 0,
        "plain": 4,
        "told": 4,
    }
    assert (configs["plain"].writer, configs["told"].writer) == ("none", "rules")


def test_the_study_of_starts_differs_in_them_alone_and_shares_its_imitation() -> None:
    file = Path("configs/study/starts.toml")
    study = load_study(file)
    assert all(map(study.begins_with_trunk, study.arms))
    plain, led = (study.run_config(arm, 0, file) for arm in ("plain", "led"))
    assert led.reinforce == plain.reinforce.model_copy(update={"led": 0.5})


def with_arm(*overrides: str) -> dict[str, object]:
    """The tiny study with one arm more."""
    return {"arms": ARMS | {"other": ARMS["longer"] | {"overrides": list(overrides)}}}


@pytest.mark.parametrize(
    "override",
    [
        'env.tasks=["shop/checkout"]',
        "env.max_steps=4",
        "eval.split=dev",
        "eval.episodes=4",
        "eval.temperature=0",
        'eval.unseen={app = ["desk"]}',
        "eval.unseen_episodes=4",
        'eval.suites={shop = ["shop"]}',
    ],
)
def test_arms_that_are_evaluated_on_other_tasks_are_refused(tmp_path: Path, override: str) -> None:
    with pytest.raises(ConfigError) as refused:
        load_study(write_study(tmp_path, **with_arm(override)))
    message = str(refused.value)
    assert f"study.toml: arm other: {override.partition('=')[0]} is " in message
    assert "in arm uninterrupted: arms are compared on the same held-out tasks" in message


def test_problems_are_the_same_in_all_arms_that_have_some(tmp_path: Path) -> None:
    problems = {
        name: ARMS["longer"] | {"overrides": list(overrides)}
        for name, overrides in {
            "learns": ("reasoning.share=0.2",),
            "control": ("reasoning.eval_problems=120",),
            "logic": ("reasoning.share=0.2", 'reasoning.kinds=["logic"]'),
        }.items()
    }
    with pytest.raises(ConfigError, match=r"arm logic: reasoning\.kinds is .* in arm learns"):
        load_study(write_study(tmp_path, arms=ARMS | problems))
    del problems["logic"]
    load_study(write_study(tmp_path, arms=ARMS | problems))


def test_arms_may_differ_in_what_the_agent_sees_and_does(tmp_path: Path) -> None:
    arm = with_arm("env.tools=gui", "env.view.thoughts=false", "env.tree_chars=800")
    assert "other" in load_study(write_study(tmp_path, **arm)).arms


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"reference": "none"}, "reference = 'none' is no arm; there are uninterrupted, reset"),
        ({"seeds": [1, 1]}, "seeds has a number twice"),
        ({"arms": {}}, "arms: "),
        ({"arms": ARMS | {"trunk": ARMS["reset"]}}, "'trunk' cannot be an arm's name"),
        ({"trunk": ["reinforce"]}, "trunk: no arm begins with reinforce"),
        ({"overrides": ["eval.dev_episodes=4"]}, "arm uninterrupted: eval.dev_episodes chooses"),
        ({"overrides": ["reinforce.iteration=4"]}, "did you mean reinforce.iterations?"),
        (
            {"arms": ARMS | {"bad": {"schedule": ["imitate", "pulse"]}}},
            "schedule: pulse imitates kept successes",
        ),
        ({"arms": ARMS | {"bad": {"schedule": ["sleep"]}}}, "arms.bad.schedule.0: input should be"),
        ({"config": "none.toml"}, "cannot read"),
        ({"seed": 3}, "unknown key seed; did you mean seeds?"),
    ],
)
def test_what_cannot_be_run_is_named(
    tmp_path: Path, changes: dict[str, object], message: str
) -> None:
    with pytest.raises(ConfigError) as refused:
        load_study(write_study(tmp_path, **changes))
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)
