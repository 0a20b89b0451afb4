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


def make_stamp(
    asked: Asked, tasks: Sequence[Task], policy: PolicyStamp, applications: dict[str, str]
) -> Stamp:
    """`tasks`: the whole set. `applications`: empty where it is not known what the hosts have."""
    return Stamp(
        task_set=task_set_sha256(tasks),
        commit=commit(),
        deskhand=version("deskhand"),
        policy=policy,
        compat=asked.compat,
        sampling=asked.sampling,
        seed=asked.seed,
        applications=applications,
        host=socket.gethostname(),
        device=device(),
        started_at=utcnow(),
    )


def policy_stamp(asked: Asked) -> PolicyStamp:
    """Of what the command names. Raises BadVersion for a folder that cannot be served."""
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


def local_applications(tasks: Sequence[Task]) -> dict[str, str]:
    """What browsers and desktops of this machine run: Debian packages and their versions; empty
    where that cannot be asked."""
    desktop = any(task.env == "desktop" for task in tasks)
    packages = DESKTOP_PACKAGES if desktop else BROWSER_PACKAGES
    if shutil.which("dpkg-query") is None:
        return {}
    asked = ["dpkg-query", "--show", "--showformat", "${Package}\t${Version}\n", *packages]
    told = subprocess.run(asked, capture_output=True, text=True, timeout=30, check=False).stdout
    found = (line.partition("\t") for line in told.splitlines())
    return {name: number for name, _, number in found if number}
