"""The places that name the released version agree."""

from __future__ import annotations

import os
import re
import subprocess
import tomllib
from pathlib import Path

import yaml

ROOT = Path(__file__).parents[2]


def test_changelog_citation_and_fallback_name_the_same_release() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())
    fallback = settings["tool"]["setuptools_scm"]["fallback_version"]
    headings = re.findall(r"^## \[(\d[^\]]*)\]", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert headings[0] == fallback == citation["version"]


STUB = """#!/bin/bash
# An interpreter that makes environments of itself, in which pip has nothing to do.
case "$*" in
  "-m venv "*) mkdir -p "$3/bin" && cp "$0" "$3/bin/python" ;;
  "-m pip "*) ;;
  *) exec python3 "$@" ;;
esac
"""


def set_up(folder: Path, mode: str) -> subprocess.CompletedProcess[str]:
    """The script in a tree of its own, with an interpreter that installs nothing."""
    script = folder / "scripts" / "setup.sh"
    script.parent.mkdir()
    script.write_text((ROOT / "scripts" / "setup.sh").read_text())
    for name in ("vm_images/desktop/packages.txt", "requirements/constraints.txt"):
        (folder / name).parent.mkdir(parents=True)
        (folder / name).write_text("")
    (folder / "pyproject.toml").write_text('torch = [\n  "torch==1.2"]\n')
    python = folder / "python"
    python.write_text(STUB)
    python.chmod(0o755)
    return subprocess.run(
        ["bash", str(script), mode], capture_output=True, text=True, timeout=60, check=False,
        env={**os.environ, "PYTHON": str(python)},
    )  # fmt: skip


def test_set_up_names_its_modes_when_given_another(tmp_path: Path) -> None:
    done = set_up(tmp_path, "nonsense")
    assert done.returncode == 1
    assert "qemu, ci, osworld, applications, ecosystem, fast or venv, not nonsense" in done.stderr


def test_set_up_says_what_it_does_and_how_long_each_step_took(tmp_path: Path) -> None:
    done = set_up(tmp_path, "venv")
    assert done.returncode == 0, done.stderr
    steps = [
        r"building \.venv \(two to three minutes; log: \.setup/\.venv\.log\)",
        r"\.venv: installing PyTorch 1\.2",
        r"\.venv: installing Deskhand and what it needs",
        r"\.venv: ready after \d+ s",
        r"ready after \d+ s: \.venv/bin/deskhand",
    ]
    lines = done.stdout.splitlines()
    assert len(lines) == len(steps), done.stdout
    for line, step in zip(lines, steps, strict=True):
        assert re.search(f"{step}$", line), line
