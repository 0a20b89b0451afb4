"""What is measured of programs and folders."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from envs.desktop.limits import (
    MB,
    BoxLimits,
    Watch,
    disk_use,
    disk_use_of_deleted,
    measure,
)
from envs.io.process_memory import proportional_share


def test_processes_are_counted_but_the_own_ones() -> None:
    with subprocess.Popen(["sleep", "600"]) as sleeper:
        try:
            assert sleeper.pid in measure(lambda pid: False).pids
            assert sleeper.pid not in measure(lambda pid: pid == sleeper.pid).pids
            assert os.getpid() not in measure(lambda pid: False).pids
            assert 0 < proportional_share(sleeper.pid) < 64 * MB
        finally:
            sleeper.kill()
    assert proportional_share(sleeper.pid) == 0


def test_a_folder_is_measured_without_following_links(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "file").write_bytes(os.urandom(2 * MB))
    (tmp_path / "link").symlink_to("/usr")
    assert 2 * MB <= disk_use(tmp_path) < 3 * MB


def test_a_deleted_file_counts_while_it_is_open(tmp_path: Path) -> None:
    with (tmp_path / "file").open("wb", 0) as file:
        file.write(os.urandom(2 * MB))
        (tmp_path / "file").unlink()
        assert disk_use(tmp_path) < MB
        assert disk_use_of_deleted((os.getpid(),), tmp_path) >= 2 * MB
    assert disk_use_of_deleted((os.getpid(),), tmp_path) == 0


def test_a_passed_limit_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(os.urandom(2 * MB))
    watch = Watch(BoxLimits(disk_mb=1), tmp_path, lambda pid: True)
    assert (watch.find_excess() or "").startswith("disk: 2 MB")
    assert Watch(BoxLimits(disk_mb=8), tmp_path, lambda pid: True).find_excess() is None
