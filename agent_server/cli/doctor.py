"""`deskhand doctor`: what is installed, what is missing, and the command that installs it."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from agent_server.policy.engine import EngineMissing, engine_python
from agent_server.provenance import ROOT

SETUP = "make setup"
PYTHONS = ((3, 11), (3, 13))
"""Oldest and newest supported version."""
SYSTEMS = ("debian-12", "debian-13", "ubuntu-24.04")
"""What scripts/setup.sh knows, as ID-VERSION_ID of /etc/os-release."""
DESKTOP_PROGRAMS = (
    "bwrap",
    "Xvfb",
    "openbox",
    "tint2",
    "dbus-daemon",
    "xclip",
    "soffice",
    "chromium",
    "thunderbird",
    "gimp",
    "vlc",
    "mousepad",
    "pcmanfm",
    "lxterminal",
    "x11vnc",
    "ffmpeg",
)


@dataclass(frozen=True, slots=True)
class Finding:
    """Result of one check. `remedy` is empty when all is well."""

    name: str
    status: str
    remedy: str = ""

    @property
    def ok(self) -> bool:
        """Whether nothing has to be done."""
        return not self.remedy


def diagnose() -> list[Finding]:
    """Run all checks; starts nothing but version commands."""
    checks: tuple[Callable[[], Finding], ...] = (
        check_system,
        check_python,
        _chromium,
        _browser_box,
        _judge,
        _packages,
        _engine,
        _compiler,
        _desktop,
        _memory,
        _disk,
        _cores,
    )
    return [check() for check in checks]


def system_id() -> str:
    """ID-VERSION_ID of this system, such as debian-12; "" where /etc/os-release is missing."""
    try:
        release = platform.freedesktop_os_release()
    except OSError:
        return ""
    return f"{release.get('ID', '')}-{release.get('VERSION_ID', '')}".removesuffix("-")


def check_system() -> Finding:
    """An unknown system is no fault: everything may be installed by other means."""
    system = system_id()
    if system in SYSTEMS:
        return Finding("system", system)
    known = ", ".join(SYSTEMS)
    return Finding("system", f"{system or 'unknown'}: {SETUP} knows package names of {known} only")


def check_python() -> Finding:
    """Whether this interpreter is one of the supported versions."""
    version = ".".join(map(str, sys.version_info[:3]))
    if PYTHONS[0] <= sys.version_info[:2] <= PYTHONS[1]:
        return Finding("python", version)
    return Finding("python", version, f"use Python 3.11, 3.12 or 3.13, then {SETUP}")


def _chromium() -> Finding:
    from envs.browser.chromium import find_binary
    from envs.contract.outcomes import EpisodeFault

    try:
        path = find_binary()
    except EpisodeFault:
        return Finding("chromium", "missing", chromium_remedy(system_id()))
    return Finding("chromium", f"{path} {_first_line([path, '--version'])}")


def chromium_remedy(system: str) -> str:
    """How to get a Chromium on `system`. Ubuntu's package is a snap, unusable here."""
    if system.startswith("ubuntu-"):
        return (
            "playwright install --with-deps chromium-headless-shell, then set DESKHAND_CHROMIUM "
            "to its path below ~/.cache/ms-playwright"
        )
    return "apt-get install chromium-headless-shell"


def _browser_box() -> Finding:
    """Whether browsers start here, and whether Chromium's own sandbox works inside their box."""
    from envs.browser import box
    from envs.contract.outcomes import EpisodeFault

    try:
        kind = box.chosen_box()
        box.check_box(kind)
        if kind != "bubblewrap":
            return Finding("browser box", f"{kind}, as {box.SETTING} says")
    except EpisodeFault as fault:
        return Finding("browser box", "none can be made", fault.detail)
    sandbox = "works" if box.can_nest() else "does not work"
    return Finding("browser box", f"bubblewrap; inside it Chromium's own sandbox {sandbox}")


def _judge() -> Finding:
    """Where the files are judged that agents leave on desktops."""
    from envs.contract.outcomes import EpisodeFault
    from envs.osworld.outside.judge_place import judge_place

    try:
        return Finding("judge", str(judge_place()))
    except EpisodeFault as fault:
        return Finding("judge", "nothing can be judged", fault.detail)


def is_checkout() -> bool:
    """Whether this is a checkout, which `make setup` sets up; else a package is installed."""
    return (ROOT / "Makefile").is_file()


def check_packages(*, in_checkout: bool) -> Finding:
    """A package without what only training needs is no fault: that is an extra."""
    required = ("torch", "transformers", "safetensors", "celery", "playwright", "sqlmodel")
    missing = [name for name in required if find_spec(name) is None]
    if missing and in_checkout:
        return Finding("packages", f"missing: {', '.join(missing)}", SETUP)
    if missing:
        extra = "pip install 'deskhand[train]'"
        return Finding("packages", f"all but those of training; {extra} adds {', '.join(missing)}")
    return Finding("packages", "torch, transformers, celery, playwright and the rest")


def _packages() -> Finding:
    return check_packages(in_checkout=is_checkout())


def check_engine(*, in_checkout: bool) -> Finding:
    """Only trained policies need a policy server; `make setup` of a checkout makes one."""
    try:
        python = engine_python()
    except EngineMissing:
        if in_checkout:
            return Finding("policy server", ".venv-vllm is missing", SETUP)
        setting = "DESKHAND_VLLM_PYTHON names a Python that has vLLM"
        return Finding("policy server", f"none; training and --model need one: {setting}")
    script = "import importlib.util as u; print('vllm', u.find_spec('vllm') is not None)"
    answer = _first_line([str(python), "-c", script])
    if answer != "vllm True":
        return Finding("policy server", "vLLM is not installed in .venv-vllm", SETUP)
    return Finding("policy server", str(python))


def _engine() -> Finding:
    return check_engine(in_checkout=is_checkout())


def _compiler() -> Finding:
    """The policy server compiles kernels at its first request."""
    path = shutil.which("g++")
    headers = Path(sysconfig.get_path("include")) / "Python.h"
    if path is None or not headers.is_file():
        missing = "g++" if path is None else str(headers)
        headers_package = "python{}.{}-dev".format(*sys.version_info[:2])
        remedy = f"apt-get install g++ {headers_package}"
        return Finding("compiler", f"{missing} is missing", remedy)
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
