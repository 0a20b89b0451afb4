"""A whole pre-training of a tiny reader: it ends, continues bit for bit, and can be served."""

from __future__ import annotations

import asyncio
import io
import json
from pathlib import Path
from typing import Any

import pytest
import torch
from rich.console import Console

from agent_server.policy.manifest import read_manifest
from agent_server.stack.local_stack import RunBusy
from tests.trainer.reading.shop_pages import write_config
from trainer.checkpoints import load_checkpoint
from trainer.reading.config import ReaderConfig
from trainer.reading.pages import BadPages, read_pages
from trainer.reading.run import Reader, make_tokenizer, run_reading

CONSOLE = Console(file=io.StringIO())


def read_updates(config: ReaderConfig, run_dir: Path, until: int) -> None:
    """Updates of one process, which then ends without a word."""
    run_dir.mkdir(exist_ok=True)
    assert config.pages.file is not None
    reader = Reader(config, run_dir, read_pages(config.pages.file, config.pages, config.seed))
    while reader.state.update < until:
        reader.step()
    reader.close()


def weights_of(run_dir: Path) -> torch.Tensor:
    master: torch.Tensor = load_checkpoint(run_dir)["learner"]["master"]
    return master


async def test_a_run_ends_with_a_base_policy_and_its_report(tmp_path: Path) -> None:
    config = write_config(tmp_path)
    report = await run_reading(config, tmp_path / "run", CONSOLE)
    assert (report["update"], report["ended_by"]) == (4, "updates")
    assert [point["update"] for point in report["curve"]] == [0, 2, 4]
    assert report["curve"][-1]["answers"] > 0
    assert set(report["curve"][0]["groups"]) == {"dev", "dev, renamed", "unseen"}
    written: dict[str, Any] = json.loads((tmp_path / "run/report.json").read_text())
    assert written["curve"] == report["curve"]
    assert "<svg" in (tmp_path / "run/report.html").read_text()
    (folder,) = (tmp_path / "run/policy").glob("v*")
    assert read_manifest(folder).version == 4
    assert (tmp_path / "run/policy/live").resolve() == folder
    with pytest.raises(RunBusy, match="holds a run already"):
        await run_reading(config, tmp_path / "run", CONSOLE)


def test_a_resumed_run_has_the_weights_of_one_that_was_not_stopped(tmp_path: Path) -> None:
    config = write_config(tmp_path)
    read_updates(config, tmp_path / "whole", 4)
    # Killed after update 3: what came after the measurement at 2 is lost.
    read_updates(config, tmp_path / "parts", 3)
    read_updates(config, tmp_path / "parts", 4)
    assert torch.equal(weights_of(tmp_path / "whole"), weights_of(tmp_path / "parts"))
    assert not torch.equal(
        weights_of(tmp_path / "whole"), torch.zeros_like(weights_of(tmp_path / "whole"))
    )


def test_the_guard_ends_a_run_and_says_so(tmp_path: Path) -> None:
    config = write_config(tmp_path)
    reading = config.reading.model_copy(update={"max_minutes": 1e-9})
    read_updates(config.model_copy(update={"reading": reading}), tmp_path / "run", 1)
    assert load_checkpoint(tmp_path / "run")["state"]["ended_by"] == "max_minutes"


def test_the_tokenizer_knows_the_apps_that_are_read_and_not_the_unseen(tmp_path: Path) -> None:
    config = write_config(tmp_path)
    config = config.model_copy(
        update={"model": config.model.model_copy(update={"vocab_size": 1200})}
    )
    assert config.pages.file is not None
    pages = [
        page
        for page in read_pages(config.pages.file, config.pages, config.seed)
        if page.group == "train"
    ]
    tokenizer = make_tokenizer(config, pages)
    assert len(tokenizer.encode(" Checkout", add_special_tokens=False)) == 1
    assert len(tokenizer.encode(" Quokkavellum", add_special_tokens=False)) > 2


async def test_a_reader_goes_on_from_a_base_policy(tmp_path: Path) -> None:
    config = write_config(tmp_path)
    await run_reading(config, tmp_path / "first", CONSOLE)
    base = str(tmp_path / "first/policy/live")
    model = config.model.model_copy(update={"path": base, "vocab_size": 1200})
    config = config.model_copy(update={"model": model})
    assert config.pages.file is not None
    reader = Reader(config, tmp_path, read_pages(config.pages.file, config.pages, config.seed))
    try:
        weights = reader.learner.state_dict()["master"]
        assert torch.allclose(weights, weights_of(tmp_path / "first"), atol=0.01)  # bf16 on disk
        assert len(reader.tokenizer) <= 400
        assert reader.state.curve[0]["update"] == 0
    finally:
        reader.close()


@pytest.mark.browser
async def test_a_run_that_was_stopped_while_it_collected_begins_with_its_pages(
    tmp_path: Path,
) -> None:
    config = write_config(tmp_path)
    run_dir = tmp_path / "run"
    assert config.pages.file is not None
    kept = config.pages.file.rename(tmp_path / "elsewhere")
    collecting = asyncio.create_task(run_reading(config, run_dir, CONSOLE))
    while not (run_dir / "config.toml").exists():
        await asyncio.sleep(0.01)
    collecting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await collecting
    kept.rename(config.pages.file)
    report = await run_reading(config, run_dir, CONSOLE, resume=True)
    assert [point["update"] for point in report["curve"]] == [0, 2, 4]


async def test_an_ended_run_says_so_and_goes_on_when_it_gets_more_updates(tmp_path: Path) -> None:
    config = write_config(tmp_path)
    report = await run_reading(config, tmp_path / "run", CONSOLE)
    written = (tmp_path / "run/report.json").read_bytes()
    shown = io.StringIO()
    async with asyncio.timeout(60):
        again = await run_reading(config, tmp_path / "run", Console(file=shown, width=200), True)
    assert again["curve"] == report["curve"]
    assert "ended by updates after 4 updates; to go on, raise" in shown.getvalue()
    assert (tmp_path / "run/report.json").read_bytes() == written
    reading = config.reading.model_copy(update={"updates": 6})
    longer = config.model_copy(update={"reading": reading})
    report = await run_reading(longer, tmp_path / "run", CONSOLE, resume=True)
    assert (report["update"], report["ended_by"]) == (6, "updates")


def test_a_checkpoint_of_an_ended_run_needs_no_more_updates(tmp_path: Path) -> None:
    """Killed after the last checkpoint, before its report."""
    config = write_config(tmp_path)
    read_updates(config, tmp_path / "run", 4)
    assert config.pages.file is not None
    pages = read_pages(config.pages.file, config.pages, config.seed)
    reader = Reader(config, tmp_path / "run", pages)
    reader.close()
    assert reader.is_done


async def test_pages_that_were_collected_with_other_settings_are_refused(tmp_path: Path) -> None:
    config = write_config(tmp_path)
    pages = config.pages.model_copy(update={"unseen": ("mail",)})
    with pytest.raises(BadPages, match=r"pages\.unseen \(\('desk',\) then, \('mail',\) now\)"):
        await run_reading(config.model_copy(update={"pages": pages}), tmp_path / "run", CONSOLE)
