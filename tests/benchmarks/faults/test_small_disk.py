"""A small disk that fills up for the processes that see it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from benchmarks.faults.small_disk import SmallDisk, small_disk

WRITE = "import sys, pathlib; pathlib.Path(sys.argv[1], 'x').write_bytes(b'x' * 100_000)"


def writes(disk: SmallDisk) -> bool:
    command = [*disk.enter, sys.executable, "-c", WRITE, str(disk.place)]
    return subprocess.run(command, stderr=subprocess.DEVNULL, check=False).returncode == 0


async def test_it_fills_up_and_is_free_again(tmp_path: Path) -> None:
    async with small_disk(tmp_path / "disk", 4) as disk:
        assert writes(disk)
        assert (disk.path / "x").stat().st_size == 100_000
        assert not (disk.place / "x").exists(), "processes outside do not see it"
        (disk.path / "x").unlink()
        disk.fill()
        assert not writes(disk)
        disk.free()
        disk.fill(leave_bytes=2 * 2**20)
        assert writes(disk)
        disk.free()
    assert not disk.path.exists()
