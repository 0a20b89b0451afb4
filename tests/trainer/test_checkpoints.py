"""Checkpoints appear whole or not at all, and a damaged one is refused by name."""

from __future__ import annotations

import resource
import subprocess
import sys
from pathlib import Path

import pytest
import torch

from trainer.checkpoints import BadCheckpoint, load_checkpoint, save_checkpoint


def test_the_newest_checkpoint_is_loaded_and_old_ones_go(tmp_path: Path) -> None:
    for step in (1, 2, 3):
        save_checkpoint(tmp_path, step, {"step": step, "weights": torch.full((3,), float(step))})
    state = load_checkpoint(tmp_path)
    assert state["step"] == 3
    assert torch.equal(state["weights"], torch.full((3,), 3.0))
    kept = sorted(path.name for path in (tmp_path / "checkpoints").iterdir())
    assert kept == ["step-000002", "step-000003"]


@pytest.mark.parametrize("file", ["state.pt", "manifest.json"])
def test_a_truncated_checkpoint_is_refused_and_the_one_before_is_intact(
    tmp_path: Path, file: str
) -> None:
    save_checkpoint(tmp_path, 1, {"step": 1})
    newest = save_checkpoint(tmp_path, 2, {"step": 2})
    (newest / file).write_bytes((newest / file).read_bytes()[:-7])
    with pytest.raises(BadCheckpoint, match=r"step-000002.*delete") as refused:
        load_checkpoint(tmp_path)
    assert "the one before" in str(refused.value)
    for part in newest.iterdir():
        part.unlink()
    newest.rmdir()
    assert load_checkpoint(tmp_path)["step"] == 1


def test_a_run_without_a_checkpoint_says_so(tmp_path: Path) -> None:
    with pytest.raises(BadCheckpoint, match="no checkpoint to resume from"):
        load_checkpoint(tmp_path)


def test_a_checkpoint_cannot_run_code(tmp_path: Path) -> None:
    class Trap:
        def __reduce__(self) -> tuple[object, ...]:
            return (print, ("gotcha",))

    save_checkpoint(tmp_path, 1, {"trap": Trap()})
    with pytest.raises(BadCheckpoint, match=r"state\.pt is not a checkpoint"):
        load_checkpoint(tmp_path)


def test_a_disk_that_takes_no_more_leaves_earlier_checkpoints(tmp_path: Path) -> None:
    save_checkpoint(tmp_path, 1, {"step": 1})
    script = (
        "import signal, sys, torch; from pathlib import Path\n"
        "from trainer.checkpoints import save_checkpoint\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "try: save_checkpoint(Path(sys.argv[1]), 2, {'weights': torch.zeros(1_000_000)})\n"
        "except OSError as error: sys.exit(str(error))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path)],
        capture_output=True,
        text=True,
        timeout=120,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000)),
        check=False,
    )
    assert done.returncode == 1
    assert "cannot write the checkpoint" in done.stderr
    assert "free space on that disk" in done.stderr
    assert [path.name for path in (tmp_path / "checkpoints").iterdir()] == ["step-000001"]
    assert load_checkpoint(tmp_path)["step"] == 1
