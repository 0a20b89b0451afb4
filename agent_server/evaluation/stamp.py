"""The stamp of an evaluation: which tasks, code, policy, applications, machine made its numbers."""

from __future__ import annotations

import hashlib
import shutil
import socket
import subprocess
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

from agent_server.agents.config import AgentSpec, PythonClass
from agent_server.agents.make import system_prompt
from agent_server.agents.python_agent import source_of
from agent_server.evaluation.plan import AgentStamp, Asked, PolicyStamp, Stamp, task_set_sha256
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
    """Of what the command names. Raises BadVersion for a folder that cannot be served,
    AgentFileError for a class that cannot be imported."""
    if asked.agent is not None:
        return PolicyStamp(name=asked.policy, agent=agent_stamp(asked.agent))
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


def agent_stamp(spec: AgentSpec) -> AgentStamp:
    """Nothing in it is secret: a description holds the name of a key's variable only."""
    digest = hashlib.sha256(spec.model_dump_json().encode())
    if isinstance(spec, PythonClass):
        source = source_of(spec)
        digest.update(b"" if source is None else source.read_bytes())
        return AgentStamp(dialect=spec.dialect, endpoint=spec.entry, sha256=digest.hexdigest())
    prompt = system_prompt(spec)
    return AgentStamp(
        dialect=spec.dialect,
        endpoint=spec.base_url,
        model=spec.model,
        temperature=spec.temperature,
        top_p=spec.top_p,
        max_tokens=spec.max_tokens,
        prompt_sha256=hashlib.sha256(prompt.encode()).hexdigest(),
        sha256=digest.hexdigest(),
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
