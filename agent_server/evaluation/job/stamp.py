"""The stamp of an evaluation: task set, code, policy, applications and machine."""

from __future__ import annotations

import hashlib
import shutil
import socket
import subprocess
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

from pydantic import BaseModel

from agent_server.agents.config import AgentSpec, PythonClass
from agent_server.agents.make import system_prompt
from agent_server.agents.python_agent import source_of
from agent_server.evaluation.job.plan import (
    AgentStamp,
    EvalSpec,
    Hosts,
    PolicyStamp,
    Provider,
    Stamp,
    task_set_sha256,
)
from agent_server.policy.manifest import read_manifest
from agent_server.provenance import commit, device
from agent_server.store.tables import utcnow
from agent_server.tasksets.versions import version_of
from envs.contract.outcomes import EpisodeFault, InvalidReason
from envs.contract.task import Task

BROWSER_PACKAGES = ("chromium", "chromium-headless-shell")
DESKTOP_PACKAGES = (
    *BROWSER_PACKAGES,
    *("libreoffice-calc", "libreoffice-impress", "libreoffice-writer"),
    *("gimp", "mousepad", "thunderbird", "vlc", "lxterminal", "openbox", "pcmanfm", "xvfb"),
)

SURROUNDINGS = ("commit", "deskhand", "host", "device", "image")
"""Of a stamp: what may differ where a job is resumed."""
VALUE_CHARS = 80


def make_stamp(spec: EvalSpec, tasks: Sequence[Task], policy: PolicyStamp, hosts: Hosts) -> Stamp:
    """The stamp of an evaluation of `tasks`, the whole set, in environments of `hosts`."""
    return Stamp(
        task_set=task_set_sha256(tasks),
        task_version=version_of(tasks),
        commit=commit(),
        deskhand=version("deskhand"),
        policy=policy,
        versus=versus_stamp(spec),
        compat=spec.compat,
        screen=spec.screen_for(tasks) if any(task.env == "desktop" for task in tasks) else None,
        sampling=spec.sampling,
        seed=spec.seed,
        **hosts.model_dump(),
        host=socket.gethostname(),
        device=device(),
        started_at=utcnow(),
    )


def policy_stamp(spec: EvalSpec) -> PolicyStamp:
    """The policy that the specification names. Raises BadVersion for a folder that cannot be
    served, AgentFileError for a class that cannot be imported."""
    if spec.agent is not None:
        return PolicyStamp(name=spec.policy, agent=agent_stamp(spec.agent))
    if spec.policy != "live" or spec.model is None:
        return PolicyStamp(name=spec.policy)
    folder = Path(spec.model)
    manifest = read_manifest(folder)
    return PolicyStamp(
        name=spec.policy,
        folder=spec.model,
        version=manifest.version,
        sha256=manifest.sha256,
    )


def versus_stamp(spec: EvalSpec) -> PolicyStamp | None:
    """The second contender. Raises AgentFileError for a class that cannot be imported."""
    if spec.versus is None:
        return None
    agent = None if spec.versus_agent is None else agent_stamp(spec.versus_agent)
    return PolicyStamp(name=spec.versus, agent=agent)


def agent_stamp(spec: AgentSpec) -> AgentStamp:
    """An external agent's description. It holds no secret: a key is named by its variable only."""
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


def differing_settings(before: BaseModel, now: BaseModel) -> list[str]:
    """The settings that two models of one kind do not share, each with both values; those of a
    model within by their full names."""
    differences = []
    for name in type(before).model_fields:
        old, new = getattr(before, name), getattr(now, name)
        if isinstance(old, BaseModel) and type(old) is type(new):
            differences += [f"{name}.{inner}" for inner in differing_settings(old, new)]
        elif old != new:
            differences.append(f"{name} was {_short(old)}, is {_short(new)}")
    return differences


def _short(value: object) -> str:
    text = value.model_dump_json() if isinstance(value, BaseModel) else str(value)
    return text if len(text) <= VALUE_CHARS else f"{text[: VALUE_CHARS - 3]}..."


def differing_surroundings(stamp: Stamp, spec: EvalSpec, tasks: Sequence[Task]) -> list[str]:
    """What is not as it was when the evaluation began, and may change its figures: code, machine,
    applications, image."""
    hosts = describe_started_hosts(spec, tasks)
    current = make_stamp(spec, tasks, stamp.policy, hosts)
    lines = [
        f"{name} was {getattr(stamp, name) or 'none'}, is {getattr(current, name) or 'none'}"
        for name in SURROUNDINGS
        if getattr(stamp, name) != getattr(current, name)
    ]
    before, now = stamp.applications, current.applications
    return lines + [
        f"{name} was {before.get(name, 'none')}, is {now.get(name, 'none')}"
        for name in sorted({*before, *now})
        if before.get(name) != now.get(name)
    ]


def describe_started_hosts(spec: EvalSpec, tasks: Sequence[Task]) -> Hosts:
    """Environments that the job starts. Raises EpisodeFault(HOST_START) for an image that is not
    there."""
    image = image_of_desktops(spec.provider, spec.image)
    return Hosts(image=image) if image else _local_hosts(tasks)


def image_of_desktops(provider: Provider, image: str) -> str:
    """NAME@sha256:... of what a provider's desktops run; empty for boxes of this machine. Raises
    EpisodeFault(HOST_START) for an image that is not there."""
    if provider == "docker":
        from envs.providers.boxes import DockerConfig, image_id

        name = DockerConfig(env="desktop", image=image).image_name
        return f"{name}@{image_id(name)}"
    if provider == "qemu":
        path = Path(image)
        if not path.is_file():
            detail = f"{image} is not a file: build an image with vm_images/qemu/build.sh"
            raise EpisodeFault(InvalidReason.HOST_START, detail)
        with path.open("rb") as file:
            return f"{path.name}@sha256:{hashlib.file_digest(file, 'sha256').hexdigest()}"
    return ""


def _local_hosts(tasks: Sequence[Task]) -> Hosts:
    return Hosts(
        applications=_local_applications(tasks),
        no_image="the environments are processes and boxes of this machine, with its packages",
    )


def served_hosts(image: str) -> Hosts:
    """Environments on hosts that somebody else started; `image` names theirs, if known."""
    if image:
        return Hosts(image=image)
    return Hosts(no_image="DESKHAND_HOST_IMAGE does not say what the hosts run")


def _local_applications(tasks: Sequence[Task]) -> dict[str, str]:
    """Versions of this machine's Debian packages that environments run; empty without dpkg."""
    desktop = any(task.env == "desktop" for task in tasks)
    packages = DESKTOP_PACKAGES if desktop else BROWSER_PACKAGES
    if shutil.which("dpkg-query") is None:
        return {}
    command = ["dpkg-query", "--show", "--showformat", "${Package}\t${Version}\n", *packages]
    listing = subprocess.run(
        command, capture_output=True, text=True, timeout=30, check=False
    ).stdout
    lines = (line.partition("\t") for line in listing.splitlines())
    return {name: number for name, _, number in lines if number}
