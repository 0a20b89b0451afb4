"""The result of a run is the policy that is best on dev tasks."""

from __future__ import annotations

from pathlib import Path
from typing import cast

from tests.trainer.tiny_run import ScriptedSwapper, make_step, open_context
from trainer.context import PhaseRecord
from trainer.final_policy import best_on_dev, final_figures, serve_final_policy
from trainer.samples import ce_sample


def record(name: str, version: int, dev: float | None, test: float = 0.0) -> PhaseRecord:
    figures = {"ci95": [0.0, 1.0], "n": 40, "lost": 0, "solved": []}
    return PhaseRecord(
        name,
        "reinforce",
        policy_version=version,
        eval={"success_rate": test, **figures},
        dev={} if dev is None else {"success_rate": dev, **figures},
    )


def test_dev_decides_and_not_test_and_the_later_of_two_equals_wins() -> None:
    records = [
        record("a", 1, 0.5, test=0.1),
        record("b", 3, 0.5, test=0.2),
        record("c", 5, 0.4, 0.9),
    ]
    best = best_on_dev(records)
    assert best is not None
    assert best.name == "b"
    figures = final_figures(records)
    assert figures is not None
    assert (figures["phase"], figures["policy_version"], figures["success_rate"]) == ("b", 3, 0.2)
    assert {name: dev["success_rate"] for name, dev in figures["dev"].items()} == {
        "a": 0.5,
        "b": 0.5,
        "c": 0.4,
    }


def test_without_dev_tasks_nothing_is_chosen() -> None:
    assert best_on_dev([record("a", 1, None)]) is None
    assert final_figures([record("a", 1, None)]) is None


async def test_the_best_version_is_served_at_the_end(tmp_path: Path) -> None:
    run_dir = tmp_path / "run"
    with open_context(run_dir) as context:
        for _ in range(2):
            sample = [ce_sample(make_step())]
            await context.publish_and_swap(PhaseRecord("imitate", "imitate"), sample)
        context.records = [record("imitate", 1, 0.6), record("reinforce", 2, 0.2)]
        await serve_final_policy(context)
        assert context.version == 1
        folders = cast(ScriptedSwapper, context.swapper).folders
        assert [folder.name for folder in folders] == ["v000001", "v000002", "v000001"]
        assert (run_dir / "policy/live").resolve().name == "v000001"
        await serve_final_policy(context)
        assert len(folders) == 3, "it is live already"
