"""A run's status is kept however it ends."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest

from agent_server.episodes.agent import Sampling
from agent_server.settings import Settings
from agent_server.stack.running import run_until_failure
from tests.trainer.tiny_run import open_context, working
from trainer.config import ConfigError, TrainConfig
from trainer.context import Context
from trainer.phases.schedule import Position, run_schedule
from trainer.run import check_services, track_status
from trainer.run_file import RunFile


def submit(context: Context) -> None:
    context.collector.submit(
        phase="reinforce",
        purpose="train",
        tasks=[context.make_task("shop/price", 1)],
        size=2,
        policy="live",
        sampling=Sampling(),
    )


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (None, "finished"),
        (ValueError("broken"), "failed"),
        (asyncio.CancelledError(), "interrupted"),
    ],
)
def test_the_status_says_how_a_run_ended(
    tmp_path: Path, error: BaseException | None, status: str
) -> None:
    with open_context(tmp_path / "run") as context:
        try:
            with track_status(context, 10.0, time.monotonic()):
                row = context.store.runs.get("run")
                assert row is not None
                assert row.status == "running"
                submit(context)
                if error is not None:
                    raise error
        except (ValueError, asyncio.CancelledError):
            assert error is not None
        row = context.store.runs.get("run")
        assert row is not None
        assert row.status == status
        assert context.store.episodes.accounting("run").cancelled == 2, "nothing stays open"
    run = RunFile.read(tmp_path / "run")
    assert run.status == status
    assert run.wall_s >= 10.0, "earlier processes count"


def test_services_that_show_other_pages_are_refused(tmp_path: Path) -> None:
    config = TrainConfig()
    same = Settings(
        run_dir=tmp_path, tree_chars=config.env.tree_chars, tree_options=config.env.tree_options
    )
    check_services(config, same)
    other = same.model_copy(update={"tree_chars": 999})
    with pytest.raises(ConfigError, match=r"env\.tree_chars is 1600.*DESKHAND_TREE_CHARS=1600"):
        check_services(config, other)
    shorter = same.model_copy(update={"policy_max_model_len": 512})
    with pytest.raises(ConfigError, match=r"model\.max_model_len is 1024.*_MAX_MODEL_LEN=1024"):
        check_services(config, shorter)


async def test_a_schedule_that_is_interrupted_stops_and_says_so(tmp_path: Path) -> None:
    with open_context(tmp_path / "run", schedule=["imitate", "reinforce"]) as context:

        async def run() -> None:
            began = time.monotonic()
            with track_status(context, 0.0, began):
                await run_until_failure(run_schedule(context, Position(), began), None)

        async with working(context):
            task = asyncio.create_task(run())
            while not any(record.name == "reinforce" for record in context.records):
                await asyncio.sleep(0.001)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
        assert context.collector.in_flight == 0
    assert RunFile.read(tmp_path / "run").status == "interrupted"
