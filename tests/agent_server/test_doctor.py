"""`deskhand doctor` looks at everything, and says of what is missing how to get it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from agent_server.doctor import Finding, diagnose

NAMES = [
    "python",
    "chromium",
    "browser driver",
    "packages",
    "policy server",
    "compiler",
    "desktop",
    "memory",
    "disk",
    "cores",
]


def found(name: str) -> Finding:
    return next(finding for finding in diagnose() if finding.name == name)


def test_everything_is_looked_at_once_and_a_remedy_means_missing() -> None:
    findings = diagnose()
    assert [finding.name for finding in findings] == NAMES
    assert all(finding.found for finding in findings)
    assert Finding("x", "here").ok
    assert not Finding("x", "gone", "get it").ok


@pytest.mark.browser
def test_this_machine_is_described_as_it_is() -> None:
    assert found("python").found == ".".join(map(str, sys.version_info[:3]))
    assert found("cores").found == str(len(os.sched_getaffinity(0)))
    assert found("packages").ok
    chromium = found("chromium")
    assert chromium.ok
    assert any(part.isdigit() for part in chromium.found.replace(".", " ").split())


@pytest.mark.parametrize(
    ("variable", "finding", "remedy"),
    [
        ("DESKHAND_CHROMIUM", "chromium", "apt-get install chromium-headless-shell"),
        ("DESKHAND_VLLM_PYTHON", "policy server", "make setup"),
    ],
)
def test_what_is_missing_ends_in_exit_code_1_with_its_remedy(
    tmp_path: Path, variable: str, finding: str, remedy: str
) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "agent_server", "doctor"],
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, variable: str(tmp_path / "nothing")},
        check=False,
    )
    assert done.returncode == 1, done.stderr
    lines = done.stdout.splitlines()
    (at,) = [index for index, line in enumerate(lines) if line.startswith(f"MISSING {finding}: ")]
    assert lines[at + 1].strip() == f"-> {remedy}"


def test_an_interpreter_without_vllm_is_not_a_policy_server(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("DESKHAND_VLLM_PYTHON", "/bin/true")
    assert found("policy server").remedy == "make setup"
    assert "vLLM is not installed" in found("policy server").found
