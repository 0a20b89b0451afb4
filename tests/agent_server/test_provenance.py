"""Figures name the code and the machine they come from."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from agent_server import provenance


def git(folder: Path, *arguments: str) -> str:
    identity = ["-c", "user.name=Tester", "-c", "user.email=tester@localhost"]
    command = ["git", *identity, *arguments]
    done = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout.strip()


def test_the_commit_is_a_hash_also_where_a_tag_names_a_version(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    git(tmp_path, "init", "-q")
    git(tmp_path, "commit", "-q", "--allow-empty", "-m", "first")
    git(tmp_path, "tag", "-a", "v1.0.0", "-m", "release")
    monkeypatch.setattr(provenance, "ROOT", tmp_path)
    assert provenance.commit() == git(tmp_path, "rev-parse", "--short=12", "HEAD")


def test_the_commit_is_short_and_marked_when_files_differ() -> None:
    assert re.fullmatch(r"[0-9a-f]{12,}\+?|", provenance.commit())


def test_the_device_has_cores_processor_and_memory() -> None:
    assert re.fullmatch(r"\d+ x .+, \d+ GiB, \w+", provenance.device())
