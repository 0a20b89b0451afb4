"""The stamp of an evaluation: which tasks, code, policy, applications, machine made its numbers."""

from __future__ import annotations

import shutil
import socket
import subprocess
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

from agent_server.evaluation.plan import Asked, PolicyStamp, Stamp, task_set_sha256
from agent_server.policy.manifest import read_manifest
from agent_server.provenance import commit, device
from agent_server.store.tables import utcnow
from envs.tasks import Task

BROWSER_PACKAGES = ("chromium", "chromium-headless-shell")
DESKTOP_PACKAGES = (
    *BROWSER_PACKAGES, "gimp", "libreoffice-calc", "libreoffice-impress", "libreoffice-writer",
    "lxterminal", "mousepad", "openbox", "pcmanfm", "thunderbird", "vlc", "xvfb",
)  # fmt: skip


def make_stamp(asked: Asked, tasks: Sequence[Task]) -> Stamp:
    """`tasks`: the whole set. Raises BadVersion for a policy folder that cannot be served."""
    desktop = any(task.env == "desktop" for task in tasks)
    return Stamp(
        task_set=task_set_sha256(tasks),
        commit=commit(),
        deskhand=version("deskhand"),
        policy=policy_stamp(asked),
        sampling=asked.sampling,
        seed=asked.seed,
        applications=installed_versions(DESKTOP_PACKAGES if desktop else BROWSER_PACKAGES),
        host=socket.gethostname(),
        device=device(),
        started_at=utcnow(),
    )


def policy_stamp(asked: Asked) -> PolicyStamp:
    """Raises BadVersion."""
    if asked.policy != "live" or asked.model is None:
        return PolicyStamp(name=asked.policy)
    folder = Path(asked.model)
    manifest = read_manifest(folder)
    return PolicyStamp(
        name=asked.policy,
        folder=asked.model,
        version=manifest.version,
        sha256=manifest.sha256,
    )


def installed_versions(packages: Sequence[str]) -> dict[str, str]:
    """Of Debian packages that are installed; empty where that cannot be asked."""
    if shutil.which("dpkg-query") is None:
        return {}
    asked = ["dpkg-query", "--show", "--showformat", "${Package}\t${Version}\n", *packages]
    told = subprocess.run(asked, capture_output=True, text=True, timeout=30, check=False).stdout
    found = (line.partition("\t") for line in told.splitlines())
    return {name: number for name, _, number in found if number}
