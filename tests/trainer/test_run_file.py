"""run.json is read back as it was written; other folders are refused by name."""

from __future__ import annotations

from pathlib import Path

import pytest

from trainer.collector import Staleness
from trainer.context import PhaseRecord
from trainer.run_file import NotARun, RunFile


def test_a_run_file_reads_back(tmp_path: Path) -> None:
    run = RunFile(
        run_id="r",
        preset="smoke",
        seed=3,
        status="finished",
        wall_s=1.5,
        records=[PhaseRecord("imitate", "imitate", entropies=[0.5], eval={"n": 4})],
        staleness=Staleness(total=3, count=2, worst=2, refused=1),
    )
    run.write(tmp_path)
    assert RunFile.read(tmp_path) == run


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "not the folder of a run: it has no run.json"),
        ("{", "run.json cannot be read"),
        ('{"run_id": "r"}', "run.json cannot be read"),
    ],
)
def test_what_is_no_run_is_named(tmp_path: Path, content: str | None, message: str) -> None:
    if content is not None:
        (tmp_path / "run.json").write_text(content)
    with pytest.raises(NotARun, match=message):
        RunFile.read(tmp_path)
