"""Evaluation: the denominator is fixed, the interval is Wilson's, the tasks are held out."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent_server.evaluation.figures.statistics import wilson
from agent_server.store.tables import Episode
from agent_server.tasksets.heldout import sample_heldout
from envs.contract.outcomes import Status
from envs.contract.task import DEV_SEED_BASE, HELDOUT_SEED_BASE, Task, split_of
from envs.gyms.kit.explored import make_params, pack_tasks
from tasksets.registry import get_gym
from tests.trainer.tiny_run import open_context, working
from trainer import evaluation
from trainer.collector import FinishedGroup
from trainer.context import PhaseRecord
from trainer.evaluation import evaluate, summarize

EXPLORED = "explored-purchase"


def test_held_out_tasks_are_the_same_for_every_phase_and_never_trained_on() -> None:
    pairs = sample_heldout(["a", "b", "c"], 210, seed=4)
    assert pairs == sample_heldout(["a", "b", "c"], 210, seed=4)
    assert pairs != sample_heldout(["a", "b", "c"], 210, seed=5)
    assert len({seed for _, seed in pairs}) == 210
    assert all(seed >= HELDOUT_SEED_BASE for _, seed in pairs)
    assert [sum(name == template for name, _ in pairs) for template in "abc"] == [70, 70, 70]


def group(template: str, seed: int, score: float | None) -> FinishedGroup:
    task = get_gym("shop").make_task(template, seed)
    rows = []
    if score is not None:
        rows = [
            Episode(
                run_id="r", task={}, status=Status.SCORED, score=score, success=score >= 1, steps=4
            )
        ]
    return FinishedGroup(
        id=f"{template}{seed}", task=task, episodes=tuple(rows), lost=1 - len(rows)
    )


def test_an_episode_that_was_lost_counts_as_not_solved() -> None:
    groups = [group("price", 1, 1.0), group("price", 2, 0.6), group("remove", 3, None)]
    figures = summarize([*groups, group("remove", 4, None)])
    assert (figures["success_rate"], figures["n"], figures["lost"]) == (0.25, 4, 2)
    assert (figures["tasks"], figures["ci95"]) == (4, list(wilson(1, 4)))
    assert figures["score_mean"] == pytest.approx(0.4)
    assert figures["by_template"]["shop/price"] == template_figures(1, 2)
    assert figures["by_template"]["shop/remove"] == template_figures(0, 2)
    assert (figures["template_mean"], figures["templates_at_90"]) == (0.25, 0)


def template_figures(solved: int, total: int) -> dict[str, object]:
    return {
        "success_rate": solved / total,
        "ci95": list(wilson(solved, total)),
        "n": total,
    }


async def test_a_phase_is_evaluated_on_its_own_templates(tmp_path: Path) -> None:
    sets = {"episodes": 4, "dev_episodes": 2, "unseen": {"other": ["shop/remove"]}}
    record = PhaseRecord("imitate", "imitate")
    with open_context(tmp_path / "run", eval=sets) as context:
        context.version = 3
        async with working(context):
            await evaluate(context, record)
        rows = context.store.episodes.page(run_id="run").episodes
    assert (record.eval["n"], record.eval["success_rate"], record.policy_version) == (4, 1.0, 3)
    assert "unseen" not in record.eval
    assert (record.dev["n"], record.dev["success_rate"]) == (2, 1.0)
    splits = {(row.phase, row.policy, split_of(row.task["seed"])) for row in rows}
    assert splits == {("imitate/eval", "live", "test"), ("imitate/dev", "live", "dev")}


@pytest.mark.parametrize("window", [evaluation.WINDOW, 3])
async def test_the_last_evaluation_has_unseen_sets_greedy_and_controls(
    tmp_path: Path, window: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(evaluation, "WINDOW", window)
    sets = {
        "episodes": 4,
        "dev_episodes": 0,
        "unseen_episodes": 3,
        "control_episodes": 2,
        "unseen": {"other": ["shop/remove"]},
        "suite_episodes": 2,
        "suites": {"more": ["shop/price"]},
        "split": "dev",
    }
    record = PhaseRecord("imitate", "imitate")
    with open_context(tmp_path / "run", eval=sets) as context:
        async with working(context):
            await evaluate(context, record, is_last=True)
        rows = context.store.episodes.page(run_id="run", limit=200).episodes
    other = record.eval["unseen"]["other"]
    assert other["by_template"] == {"shop/remove": template_figures(3, 3)}
    more = record.eval["suites"]["more"]
    assert (more["template_mean"], more["templates_at_90"]) == (1.0, 1)
    for result, episodes in ((record.eval, 4), (other, 3), (more, 2)):
        assert (result["n"], len(result["solved"])) == (episodes, episodes)
        assert (result["greedy"]["n"], len(result["greedy"]["ci95"])) == (episodes, 2)
        assert {name: control["n"] for name, control in result["controls"].items()} == {
            "noop": 2,
            "random": 2,
        }
        assert set(result["controls"]["noop"]["solved"]) <= set(result["solved"]), "the same tasks"
    tried = {(row.phase.partition("/")[2], row.policy, row.sampling["temperature"]) for row in rows}
    assert tried == {
        ("eval", "live", 1.0),
        ("greedy", "live", 0.0),
        ("unseen-other", "live", 1.0),
        ("suites-more", "live", 1.0),
        ("controls", "noop", 1.0),
        ("controls", "random", 1.0),
    }
    assert {split_of(row.task["seed"]) for row in rows} == {"dev"}
    assert sum(row.screenshots for row in rows) == 4, "of the trained templates only"


async def test_each_draw_of_a_task_counts_where_seeds_draw_the_same(tmp_path: Path) -> None:
    seeds = (1, DEV_SEED_BASE, *range(HELDOUT_SEED_BASE, HELDOUT_SEED_BASE + 3))
    file = tmp_path / "walks.jsonl"
    file.write_bytes(pack_tasks([explored_task(seed) for seed in seeds]))
    failing = f"shop/{EXPLORED}@{HELDOUT_SEED_BASE}"
    record = PhaseRecord("imitate", "imitate")
    sets = {"episodes": 30, "dev_episodes": 0}
    with open_context(tmp_path / "run", env={"tasks": [str(file)]}, eval=sets) as context:
        async with working(context, lambda row: row.task["id"] != failing):
            await evaluate(context, record)
        rows = context.store.episodes.page(run_id="run", limit=200).episodes
    solved = sum(bool(row.success) for row in rows)
    assert (record.eval["n"], record.eval["tasks"], record.eval["lost"]) == (30, 3, 0)
    assert record.eval["success_rate"] == solved / 30
    assert (len(record.eval["solved"]), len(set(record.eval["solved"]))) == (solved, 2)
    assert record.eval["by_template"][f"shop/{EXPLORED}"]["n"] == 30
    low, high = record.eval["ci95"]
    assert high - low > 0.5, "three tasks say little of others"


def explored_task(seed: int) -> Task:
    return Task(
        id=f"shop/{EXPLORED}@{seed}",
        instruction="Buy it.",
        gym="shop",
        template=EXPLORED,
        seed=seed,
        params=make_params("Buy it.", [], []),
        split=split_of(seed),
    )


async def test_a_policy_that_sees_is_also_tried_with_blank_pictures(tmp_path: Path) -> None:
    env = {"tasks": ["shop/price"], "view": {"observe": "picture", "dialect": "uitars"}}
    sets = {"episodes": 3, "dev_episodes": 0, "control_episodes": 2, "greedy": False}
    record = PhaseRecord("imitate", "imitate")
    with open_context(tmp_path / "run", env=env, eval=sets) as context:
        async with working(context):
            await evaluate(context, record, is_last=True)
        rows = context.store.episodes.page(run_id="run", limit=200).episodes
    assert list(record.eval["controls"]) == ["noop", "random", "blind"]
    blind = [row for row in rows if row.policy == "blind"]
    assert len(blind) == 2
    assert {row.sampling["seed"] for row in blind} == {None}, "it samples as the policy does"


async def test_a_task_that_stays_lost_is_submitted_again_and_counted(tmp_path: Path) -> None:
    collector = {"poll_s": 0.01, "group_timeout_s": 0.05}
    record = PhaseRecord("imitate", "imitate")
    with open_context(
        tmp_path / "run", eval={"episodes": 2, "dev_episodes": 0}, collector=collector
    ) as context:
        await evaluate(context, record)
        assert context.store.episodes.accounting("run").cancelled == 6, "three rounds of two"
    assert (record.eval["n"], record.eval["lost"], record.eval["success_rate"]) == (2, 2, 0.0)
