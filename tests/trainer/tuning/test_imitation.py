"""The objective trains with the real learner, and the same settings give the same loss."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.trainer.tiny_run import make_refused_step, make_step, open_context, record_episode
from trainer.config import ConfigError
from trainer.tuning.imitation import ImitationSettings, heldout_loss, rate_at, read_texts


def test_the_loss_falls_and_is_repeatable() -> None:
    texts = read_texts(None, 40, 0)
    reported: list[tuple[int, float]] = []

    def measure(**settings: float) -> float:
        reported.clear()
        return heldout_loss(
            ImitationSettings.model_validate(settings),
            texts,
            updates=12,
            check_every=4,
            hidden=64,
            layers=1,
            seed=0,
            threads=1,
            report=lambda step, loss: reported.append((step, loss)),
        )

    slow = measure(lr=1e-6)
    fast = measure(lr=5e-3)
    assert [step for step, _ in reported] == [4, 8]
    assert fast < reported[0][1] < slow
    assert measure(lr=5e-3) == fast


def test_the_rate_has_its_parts_and_warms_up() -> None:
    settings = ImitationSettings(lr=1.0, rates=(1.0, 0.5, 0.1), warmup_updates=2)
    rates = [rate_at(settings, update, 6) for update in range(6)]
    assert rates == [0.5, 1.0, 0.5, 0.5, 0.1, 0.1]


def test_texts_are_the_recorded_demonstrations_of_a_run(tmp_path: Path) -> None:
    from agent_server.episodes.trajectory import EpisodeResult
    from agent_server.store.tables import Episode
    from envs.contract.outcomes import EndReason, Status
    from envs.contract.session import Verdict

    run_dir = tmp_path / "run"
    with open_context(run_dir) as context:
        (run_dir / "run.json").write_text("{}")
        task = context.make_task("shop/price", 1).model_dump(mode="json")
        for name, solved in (("good", 1.0), ("bad", 0.0)):
            row = Episode(id=name, run_id=context.run_id, purpose="imitate", task=task)
            context.collector.dispatcher.dispatch([row])
            steps = [make_step(f"click {name} {n}") for n in range(12)]
            record_episode(context, name, [make_refused_step(), *steps])
            assert context.store.episodes.lease(name, "worker") is not None
            result = EpisodeResult(
                Status.SCORED, EndReason.DONE, verdict=Verdict(score=solved), steps=12
            )
            context.store.episodes.finish(name, "worker", result)
    texts = read_texts(run_dir, 20, 0)
    assert len(texts) == 12
    assert all(answer.startswith("click good") for _, answer in texts)


def test_a_folder_without_demonstrations_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"objective\.run: .* is not the folder of a run"):
        read_texts(tmp_path, 20, 0)
