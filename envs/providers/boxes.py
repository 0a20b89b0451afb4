"""One sandboxed container, and all that Docker knows of it; blocking calls.

Guarantees: a box has no network but answers to what asks it (a helper container puts that rule into
its network before anybody leases it), no capability, no new privileges, a read-only root, tmpfs to
write to, and limits on memory, processors and processes; its one port is published on 127.0.0.1.
It carries labels that name its run and its owner, the process that started it, so what a killed
owner left behind is told from what a living one uses.
"""

from __future__ import annotations

import contextlib
import os
import socket
from collections.abc import Callable
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import Any, Literal

import docker
from docker.errors import APIError, DockerException, NotFound
from pydantic import BaseModel, ConfigDict, Field, model_validator

from envs.contract.outcomes import EpisodeFault, InvalidReason
from envs.io.settings import read_variable

RUN_LABEL = "dev.deskhand.run"
OWNER_LABEL = "dev.deskhand.owner"
PORT = 8200
CALL_TIMEOUT_S = 60
RUNTIME_MB = 32
FILE_SHARE = 0.4
"""Most of a box's memory that files may take: its host gives programs the rest (`envs.host`)."""
LOG_LINES = 5
_GUARD = (
    "iptables -A OUTPUT -o lo -j ACCEPT"
    " && iptables -A OUTPUT -m conntrack --ctstate ESTABLISHED -j ACCEPT"
    " && iptables -A OUTPUT -j REJECT"
)
"""A box answers and never asks: not the internet, not the gateway, not another box."""


class DockerConfig(BaseModel):
    """What a box is made of. `size`: boxes kept warm, and the most that are leased at once."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    env: Literal["desktop", "browser"] = "desktop"
    image: str = Field("", description="empty: deskhand/<env>")
    guard_image: str = "deskhand/guard"
    command: tuple[str, ...] = Field((), description="empty: the image's own")
    size: int = Field(1, ge=1, le=256)
    reuse: bool = Field(True, description="false: a box serves one lease and is replaced")
    memory_mb: int = Field(3072, ge=64, description="of all; 60% for the programs of a task")
    cpus: float = Field(2.0, gt=0)
    pids: int = Field(768, ge=16)
    tmpfs_mb: int = Field(384, ge=16, description="each of /tmp and /home/user")
    shm_mb: int = Field(256, ge=16)
    environment: dict[str, str] = Field(default_factory=dict)
    start_timeout_s: float = Field(90.0, gt=0)

    @model_validator(mode="after")
    def _check_files(self) -> DockerConfig:
        """Files in memory count as memory of the box."""
        files_mb = 2 * self.tmpfs_mb + self.shm_mb + RUNTIME_MB
        if files_mb > FILE_SHARE * self.memory_mb:
            raise ValueError(
                f"files in memory may take {files_mb} MB, more than {FILE_SHARE:.0%} of memory_mb"
            )
        return self

    @property
    def image_name(self) -> str:
        """The image that boxes are started from."""
        return self.image or f"deskhand/{self.env}"


@dataclass(frozen=True, slots=True)
class Box:
    """A started container: `url` of its host on this machine."""

    id: str
    url: str


def owner_label(pid: int | None = None) -> str:
    """`host:pid:start time` of a process, by default this one. Raises ProcessLookupError."""
    pid = os.getpid() if pid is None else pid
    return f"{socket.gethostname()}:{pid}:{_start_ticks(pid)}"


def owner_is_gone(label: str) -> bool:
    """Whether the owner ran on this machine and runs no more; a label that is none says no."""
    host, _, process = label.rpartition(":")[0].rpartition(":")
    if host != socket.gethostname() or not process.isdigit():
        return False
    try:
        return owner_label(int(process)) != label
    except ProcessLookupError:
        return True


def _start_ticks(pid: int) -> int:
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError) as error:
        raise ProcessLookupError(f"no process {pid}") from error
    state, *rest = stat.rpartition(")")[2].split()
    if state == "Z":
        raise ProcessLookupError(f"process {pid} has ended")
    return int(rest[18])


def image_id(name: str) -> str:
    """The digest of an image that the engine has. Raises EpisodeFault(HOST_START)."""
    digest: str = _call_docker(lambda: _engine().images.get(name)).id
    return digest


class Boxes:
    """The boxes of one run. Methods raise EpisodeFault(HOST_START) for what Docker refuses."""

    def __init__(self, config: DockerConfig, run: str) -> None:
        self.config = config
        self.run = run
        self._labels = {RUN_LABEL: run, OWNER_LABEL: owner_label()}
        self._network = f"deskhand-{run}"
        self._docker = _engine()

    def open(self) -> None:
        """The run's network: no way out by address translation, no way to a neighbour."""
        bridge = "com.docker.network.bridge."
        _call_docker(
            lambda: self._docker.networks.create(
                self._network,
                driver="bridge",
                labels=self._labels,
                options={bridge + "enable_ip_masquerade": "false", bridge + "enable_icc": "false"},
            )
        )

    def start(self, token_sha256: str) -> Box:
        """A new box, closed off; its host may not answer yet."""
        container = _call_docker(lambda: self._create(token_sha256))
        try:
            _call_docker(container.start)
            _call_docker(lambda: self._close_off(container.id))
            _call_docker(container.reload)
            (published,) = container.ports[f"{PORT}/tcp"]
        except BaseException as error:
            why = self.end_reason(container.id) if isinstance(error, EpisodeFault) else None
            self.remove(container.id)
            if why is not None:
                raise EpisodeFault(InvalidReason.HOST_START, why) from error
            raise
        return Box(container.id, f"http://127.0.0.1:{published['HostPort']}")

    def end_reason(self, container_id: str) -> str | None:
        """Why a box does not run any more: its exit code and last words. None while it runs."""
        try:
            container = _call_docker(lambda: self._docker.containers.get(container_id))
        except EpisodeFault as fault:
            return fault.detail
        if container.status == "running":
            return None
        words = (
            _call_docker(lambda: container.logs(tail=LOG_LINES)).decode(errors="replace").strip()
        )
        return f"the box ended with {container.attrs['State']['ExitCode']}: {words[-500:]}"

    def remove(self, container_id: str) -> None:
        """Removes the container and its volumes, if it exists."""
        _remove_container(self._docker, container_id)

    def close(self) -> None:
        """Removes whatever carries the run's label."""
        _remove(self._docker, lambda labels: labels.get(RUN_LABEL) == self.run)
        self._docker.close()

    def _create(self, token_sha256: str) -> Any:
        config = self.config
        megabytes = f"{config.memory_mb}m"
        writable = f"rw,exec,nosuid,nodev,uid=1000,gid=1000,size={config.tmpfs_mb}m"
        runtime = "rw,noexec,nosuid,nodev,uid=1000,gid=1000"
        return self._docker.containers.create(
            config.image_name,
            command=list(config.command) or None,
            labels=self._labels,
            environment={**config.environment, "DESKHAND_HOST_TOKEN_SHA256": token_sha256},
            user="1000:1000",
            hostname=config.env,
            network=self._network,
            dns=["127.0.0.1"],
            dns_opt=["timeout:1", "attempts:1"],
            sysctls={"net.ipv6.conf.all.disable_ipv6": "1"},
            ports={f"{PORT}/tcp": ("127.0.0.1", None)},
            cap_drop=["ALL"],
            security_opt=["no-new-privileges:true"],
            read_only=True,
            tmpfs={
                "/tmp": f"{writable},mode=1777",
                "/home/user": f"{writable},mode=0700",
                "/run/user/1000": f"{runtime},mode=0700,size={RUNTIME_MB}m",
            },
            shm_size=f"{config.shm_mb}m",
            mem_limit=megabytes,
            memswap_limit=megabytes,
            nano_cpus=int(config.cpus * 1e9),
            pids_limit=config.pids,
            log_config=docker.types.LogConfig(config={"max-size": "4m", "max-file": "1"}),
        )

    def _close_off(self, container_id: str) -> None:
        self._docker.containers.run(
            self.config.guard_image,
            ["sh", "-c", _GUARD],
            network_mode=f"container:{container_id}",
            labels=self._labels,
            user="0",
            cap_drop=["ALL"],
            cap_add=["NET_ADMIN"],
            remove=True,
        )


def reap_orphans() -> int:
    """Removes containers and networks whose owner, a process of this machine, is gone. Returns how
    many containers."""
    client = _engine()
    try:
        return _remove(client, lambda labels: owner_is_gone(labels.get(OWNER_LABEL, "")))
    finally:
        client.close()


def _engine() -> docker.DockerClient:
    """Raises EpisodeFault(HOST_START)."""
    try:
        return docker.from_env(timeout=CALL_TIMEOUT_S)
    except (DockerException, OSError) as error:
        address = read_variable("DOCKER_HOST") or "unix:///var/run/docker.sock"
        raise EpisodeFault(
            InvalidReason.HOST_START,
            f"no Docker Engine answers at {address} ({error}); where none runs, "
            '`export DOCKER_HOST="$(scripts/docker_engine.sh start)"` starts one',
        ) from error


def _remove(client: Any, chosen: Callable[[dict[str, str]], bool]) -> int:
    mine = {"label": RUN_LABEL}
    removed = 0
    for container in client.api.containers(all=True, filters=mine):
        if chosen(container["Labels"]):
            removed += _remove_container(client, container["Id"])
    for network in client.api.networks(filters=mine):
        if chosen(network["Labels"]):
            with contextlib.suppress(NotFound):
                client.api.remove_network(network["Id"])
    return removed


def _remove_container(client: Any, container_id: str) -> bool:
    """Whether it was this call that removed it. One that goes already, by Docker or by another
    owner's end, is waited for: a network cannot go before its containers."""
    try:
        client.api.remove_container(container_id, force=True, v=True)
        return True
    except NotFound:
        return False
    except APIError as error:
        if error.status_code != HTTPStatus.CONFLICT:
            raise
    with contextlib.suppress(NotFound):
        client.api.wait(container_id, timeout=CALL_TIMEOUT_S, condition="removed")
    return False


def _call_docker(call: Callable[[], Any]) -> Any:
    try:
        return call()
    except (DockerException, OSError) as error:
        explanation = error.explanation if isinstance(error, APIError) else str(error)
        raise EpisodeFault(InvalidReason.HOST_START, f"docker: {explanation}"[:500]) from error
