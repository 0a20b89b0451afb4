"""Settings of phases, and what follows from the run's own."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from trainer.config import TrainConfig
from trainer.phase_order import phase_names


def test_phases_that_occur_twice_are_numbered_and_may_differ() -> None:
    names = phase_names(["imitate", "reinforce", "pulse", "reinforce"])
    assert names == ["imitate", "reinforce-1", "pulse", "reinforce-2"]
    config = TrainConfig(phase={"reinforce-2": {"lr": 1e-5}})
    assert config.reinforce_config("reinforce-2").lr == 1e-5
    assert config.reinforce_config("reinforce-1") == config.reinforce


def test_a_phases_own_settings_are_checked() -> None:
    config = TrainConfig(phase={"pulse": {"updates": 0}})
    with pytest.raises(ValidationError, match="updates"):
        config.phase_config("pulse")


def test_a_pipeline_that_leaves_nothing_to_train_on_is_refused() -> None:
    with pytest.raises(ValidationError, match="set max_staleness to at least 1, or pipeline to"):
        TrainConfig.model_validate({"reinforce": {"pipeline": "async", "max_staleness": 0}})
    config = {"reinforce": {"pipeline": "sync", "max_staleness": 0}}
    assert TrainConfig.model_validate(config).reinforce.pipeline == "sync"


def test_the_learner_samples_and_shuffles_as_the_run_does() -> None:
    config = TrainConfig.model_validate({"seed": 7, "sampling": {"temperature": 0.5}})
    assert (config.learner_config.temperature, config.learner_config.seed) == (0.5, 7)
    assert config.learner_config.lr == config.learner.lr


@pytest.mark.parametrize(
    "section", [{"feedback": {"retries": 2}}, {"reinforce": {"algorithm": "semi_online"}}]
)
def test_roles_do_not_go_with_what_asks_one_policy_alone(section: dict[str, object]) -> None:
    with pytest.raises(ValidationError, match=r"roles\.apart"):
        TrainConfig.model_validate({"roles": {"apart": True}} | section)
    assert TrainConfig.model_validate({"roles": {"apart": True}}).roles.apart


@pytest.mark.parametrize(
    ("sections", "named"),
    [
        ({"imitate": {"renamed": 0.5}, "env": {"view": {"observe": "both"}}}, r"imitate\.renamed"),
        ({"reinforce": {"renamed": 0.5}, "env": {"view": {"observe": "both"}}}, r"made|make up"),
        ({"reinforce": {"renamed": 0.5}, "schedule": ["reinforce"]}, "needs an imitate phase"),
        ({"reinforce": {"renamed": 0.6, "led": 0.5}}, r"0\.6 \+ 0\.5 is more than all"),
        ({"reinforce": {"led": 0.5}, "env": {"view": {"observe": "both"}}}, r"reinforce\.led lets"),
        ({"reinforce": {"led": 0.5, "algorithm": "semi_online"}}, "led needs episodes"),
        ({"reinforce": {"led": 0.5}, "roles": {"apart": True}}, "plays both roles"),
        ({"reinforce": {"renamed": 0.5}, "feedback": {"retries": 1}}, r"feedback\.retries to 0"),
        (
            {
                "reinforce": {"algorithm": "semi_online"},
                "env": {"view": {"observe": "both", "dialect": "uitars"}},
            },
            "semi_online compares",
        ),
        (
            {
                "reinforce": {"algorithm": "semi_online"},
                "toolbox": {"file": "a.py", "share": 0.2},
            },
            r"set toolbox\.share to 0",
        ),
        (
            {"reasoning": {"share": 0.5}, "imitate": {"data": ["a"], "data_share": 0.5}},
            r"imitate\.data_share are parts",
        ),
        (
            {"reasoning": {"share": 0.5}, "toolbox": {"file": "a.py", "share": 0.6}},
            r"toolbox\.share are parts",
        ),
    ],
)
def test_what_would_train_on_something_else_is_refused(
    sections: dict[str, object], named: str
) -> None:
    with pytest.raises(ValidationError, match=named):
        TrainConfig.model_validate(sections)


def test_a_reference_is_needed_where_any_phase_of_the_schedule_pulls() -> None:
    off = {"reinforce": {"ref_kl": 0}}
    again = {"phase": {"reinforce-2": {"ref_kl": 0.01}}}
    dpo = {"reinforce": {"ref_kl": 0, "algorithm": "dpo"}}
    imitates = {"schedule": ["imitate"]}
    for settings, expected in (
        ({}, True),
        (off, False),
        (off | again, True),
        (dpo, True),
        (imitates, False),
        (off | {"schedule": ["interleave"]}, False),
        ({"schedule": ["interleave"]}, True),
    ):
        assert TrainConfig.model_validate(settings).needs_reference is expected
