"""`deskhand doctor`: what is here, what is missing, and the command that gets it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from agent_server.policy.engine import EngineMissing, engine_python

SETUP = "make setup"
DESKTOP_PROGRAMS = ("bwrap", "Xvfb", "openbox", "tint2", "dbus-daemon", "xclip", "soffice",
                    "chromium", "thunderbird", "gimp", "vlc", "mousepad", "pcmanfm", "lxterminal",
                    "x11vnc", "ffmpeg")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing looked at. `remedy` is empty when it is fine."""

    name: str
    found: str
    remedy: str = ""

    @property
    def ok(self) -> bool:
        return not self.remedy


def diagnose() -> list[Finding]:
    """Looks at everything; starts nothing but version commands."""
    checks: tuple[Callable[[], Finding], ...] = (
        _python, _chromium, _driver, _packages, _engine, _compiler, _desktop, _memory, _disk,
        _cores,
    )  # fmt: skip
    return [check() for check in checks]


def _python() -> Finding:
    version = ".".join(map(str, sys.version_info[:3]))
    fine = (3, 11) <= sys.version_info[:2] <= (3, 12)
    return Finding("python", version, "" if fine else "use Python 3.11 or 3.12, then " + SETUP)


def _chromium() -> Finding:
    from envs.browser.chromium import find_binary
    from envs.outcomes import EpisodeFault

    try:
        path = find_binary(os.environ.get("DESKHAND_CHROMIUM"))
    except EpisodeFault:
        return Finding("chromium", "missing", "apt-get install chromium-headless-shell")
    return Finding("chromium", f"{path} {_first_line([path, '--version'])}")


def _driver() -> Finding:
    """Playwright's own Node, which needs a library that a bare Debian lacks."""
    found = find_spec("playwright")
    if found is None or found.origin is None:
        return Finding("browser driver", "playwright is missing", SETUP)
    version = _first_line([str(Path(found.origin).parent / "driver" / "node"), "--version"])
    remedy = "" if version.startswith("v") else "apt-get install libatomic1, or " + SETUP
    return Finding("browser driver", version or "does not start", remedy)


def _packages() -> Finding:
    wanted = ("torch", "transformers", "safetensors", "celery", "playwright", "sqlmodel")
    missing = [name for name in wanted if find_spec(name) is None]
    if missing:
        return Finding("packages", f"missing: {', '.join(missing)}", SETUP)
    return Finding("packages", "torch, transformers, celery, playwright and the rest")


def _engine() -> Finding:
    try:
        python = engine_python()
    except EngineMissing:
        return Finding("policy server", ".venv-vllm is missing", SETUP)
    script = "import importlib.util as u; print('vllm', u.find_spec('vllm') is not None)"
    answer = _first_line([str(python), "-c", script])
    if answer != "vllm True":
        return Finding("policy server", "vLLM is not installed in .venv-vllm", SETUP)
    return Finding("policy server", str(python))


def _compiler() -> Finding:
    """The policy server compiles kernels at its first request."""
    path = shutil.which("g++")
    headers = Path(sysconfig.get_path("include")) / "Python.h"
    if path is None or not headers.is_file():
        missing = "g++" if path is None else str(headers)
        return Finding("compiler", f"{missing} is missing", "apt-get install g++ python3.11-dev")
    return Finding("compiler", path)


def _desktop() -> Finding:
    """Only desktops on this machine need these, so that they are missing is no fault."""
    missing = [name for name in DESKTOP_PROGRAMS if shutil.which(name) is None]
    if not missing:
        return Finding("desktop", "bubblewrap, Xvfb, LibreOffice and the rest")
    return Finding("desktop", f"not set up ({', '.join(missing)}): make setup-desktop adds it")


def _memory() -> Finding:
    total_gib = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    remedy = "" if total_gib >= 7 else "the demo wants 8 GiB; lower serve.concurrency"
    return Finding("memory", f"{total_gib:.0f} GiB", remedy)


def _disk() -> Finding:
    free_gib = shutil.disk_usage(Path.cwd()).free / 2**30
    return Finding("disk", f"{free_gib:.0f} GiB free", "" if free_gib >= 3 else "free 3 GiB here")


def _cores() -> Finding:
    return Finding("cores", str(len(os.sched_getaffinity(0))))


def _first_line(command: list[str]) -> str:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=20, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"({error})"
    return (done.stdout.strip().splitlines() or [""])[0]
