"""A judge's scores in place of verifiers': what they change, and what they leave alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent_server.agents.judge import Opinion
from agent_server.episodes.attempt import Attempt
from agent_server.run_metrics import read_metrics
from tests.trainer.phases.test_reinforce import save_nothing
from tests.trainer.tiny_run import open_context, working
from trainer.config_file import ConfigError, load_config
from trainer.context import PhaseRecord
from trainer.judged_rewards import judge_figures, rescore_groups
from trainer.phases.reinforce import reinforce


class Contrary:
    """Says the opposite of the verifier, or nothing of the first `silent` attempts."""

    def __init__(self, silent: int = 0) -> None:
        self.silent = silent

    async def judge(self, attempt: Attempt) -> Opinion:
        if self.silent:
            self.silent -= 1
            return Opinion(None, "no single JSON object in 'hm'")
        return Opinion(attempt.steps[0].completion.text != "click Cart", "contrary")

    async def close(self) -> None:
        """Nothing is held."""


async def test_a_judge_gives_the_scores_and_the_database_keeps_the_verdicts(
    tmp_path: Path,
) -> None:
    with open_context(tmp_path / "run") as context:
        context.judge = Contrary(silent=1)
        context.collector.submit(
            phase="p",
            purpose="train",
            tasks=[context.make_task("shop/price", 3)],
            size=4,
            policy="live",
            sampling=context.sampling,
        )
        async with working(context):
            groups = await context.collector.gather(1)
        rescoring = await rescore_groups(context, groups)
        (group,) = rescoring.groups
        assert [(row.slot, row.success, row.score) for row in group.episodes] == [
            (1, True, 1.0),
            (2, False, 0.0),
            (3, True, 1.0),
        ]
        assert group.lost == 1, "no opinion is no reward, and no failure either"
        rows = context.store.episodes.get_many([row.id for row in groups[0].episodes])
        assert {row.slot: row.success for row in rows} == {0: True, 1: False, 2: True, 3: False}
    assert judge_figures(rescoring.pairs) == {"judge_failed": 1.0, "judge_agreement": 0.0}


async def test_without_a_judge_groups_stay_as_they_are(tmp_path: Path) -> None:
    with open_context(tmp_path / "run") as context:
        assert (await rescore_groups(context, [])).pairs == []
    assert judge_figures([]) == {}


@pytest.mark.parametrize("algorithm", ["same_state", "dpo"])
async def test_reinforcement_learns_from_the_judge(tmp_path: Path, algorithm: str) -> None:
    sizes = {"iterations": 1, "groups": 1, "group_size": 2, "algorithm": algorithm}
    with open_context(tmp_path / "run", schedule=["reinforce"], reinforce=sizes) as context:
        context.judge = Contrary()
        async with working(context):
            await reinforce(context, PhaseRecord("reinforce", "reinforce"), 0, [], save_nothing)
        kept = context.pool.pick(9, context.rng)
        (solved,) = context.store.episodes.get_many(kept)
        assert solved.success is False, "the judge's success is kept, whatever the verifier says"
    (event,) = [e for e in read_metrics(tmp_path / "run") if e["event"] == "reinforce"]
    assert (event["judge_failed"], event["judge_agreement"], event["success"]) == (0, 0.0, 0.5)
    assert event["samples"] == 2


def test_a_judge_without_its_endpoint_is_refused_in_a_sentence() -> None:
    with pytest.raises(ConfigError, match=r"judge: source is endpoint, but there is none: set"):
        load_config(None, ["judge.rewards=true", "judge.source=endpoint"])
