"""`deskhand doctor` looks at everything, and says of what is missing how to get it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from agent_server.cli import doctor
from agent_server.cli.doctor import Finding, diagnose

NAMES = [
    "system",
    "python",
    "chromium",
    "browser box",
    "judge",
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
    assert all(finding.status for finding in findings)
    assert Finding("x", "here").ok
    assert not Finding("x", "gone", "get it").ok


@pytest.mark.parametrize(
    ("version", "supported"),
    [((3, 10, 14), False), ((3, 11, 0), True), ((3, 13, 9), True), ((3, 14, 0), False)],
)
def test_supported_pythons(
    monkeypatch: pytest.MonkeyPatch, version: tuple[int, int, int], supported: bool
) -> None:
    monkeypatch.setattr(doctor.sys, "version_info", version)
    assert doctor.check_python().ok is supported


@pytest.mark.parametrize(
    ("release", "shown"),
    [
        ({"ID": "debian", "VERSION_ID": "13"}, "debian-13"),
        ({"ID": "ubuntu", "VERSION_ID": "24.04"}, "ubuntu-24.04"),
        ({"ID": "arch"}, "arch: make setup knows"),
    ],
)
def test_a_system_is_named_and_never_a_fault(
    monkeypatch: pytest.MonkeyPatch, release: dict[str, str], shown: str
) -> None:
    monkeypatch.setattr(doctor.platform, "freedesktop_os_release", lambda: release)
    assert doctor.check_system().status.startswith(shown)
    assert doctor.check_system().ok


def test_ubuntu_gets_chromium_from_playwright() -> None:
    assert "playwright install" in doctor.chromium_remedy("ubuntu-24.04")
    assert "apt-get install" in doctor.chromium_remedy("debian-13")


@pytest.mark.browser
def test_this_machine_is_described_as_it_is() -> None:
    assert found("python").status == ".".join(map(str, sys.version_info[:3]))
    assert found("cores").status == str(len(os.sched_getaffinity(0)))
    assert found("packages").ok
    chromium = found("chromium")
    assert chromium.ok
    assert any(part.isdigit() for part in chromium.status.replace(".", " ").split())


@pytest.mark.parametrize(
    ("variable", "finding", "remedy"),
    [
        ("DESKHAND_CHROMIUM", "chromium", "apt-get install chromium-headless-shell"),
        ("DESKHAND_VLLM_PYTHON", "policy server", "make setup"),
        ("DESKHAND_JUDGE", "judge", "DESKHAND_JUDGE={}: String should match pattern"),
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
    expected_line = f"-> {remedy.format(repr(str(tmp_path / 'nothing')))}"
    assert lines[at + 1].strip().startswith(expected_line)


def test_an_interpreter_without_vllm_is_not_a_policy_server(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("DESKHAND_VLLM_PYTHON", "/bin/true")
    assert found("policy server").remedy == "make setup"
    assert "vLLM is not installed" in found("policy server").status


def test_a_package_without_training_lacks_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "find_spec", lambda name: None if name == "torch" else name)
    assert not doctor.check_packages(in_checkout=True).ok
    finding = doctor.check_packages(in_checkout=False)
    assert finding.ok
    assert "pip install 'deskhand[train]' adds torch" in finding.status
    monkeypatch.setenv("DESKHAND_VLLM_PYTHON", "/no/such/python")
    assert not doctor.check_engine(in_checkout=True).ok
    assert "DESKHAND_VLLM_PYTHON names" in doctor.check_engine(in_checkout=False).status
