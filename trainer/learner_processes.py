"""The processes of a sharded learner: one leads, the others make the same calls.

The leader is the process of the run. What it asks of the backend it first tells the others, so each
call is made by all, with the same arguments, in the same order; samples travel with the call. A
follower ends when the leader says so, or when the leader's process ends.

Guarantees: calls of several threads of the leader follow each other. Followers that the run starts
meet it by a file and speak over the loopback device alone, so that nobody on the network can send
them a call. Those that torchrun starts meet at its address, and speak over the loopback device
where all are on one machine; else their network must be one that nobody else is on, for a call is a
pickled object.

    learner.processes = N           the run starts N - 1 followers on this machine
    torchrun ... -m trainer         torchrun starts all of them (`trainer/__main__.py`)
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from datetime import timedelta
from functools import wraps
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

import torch
import torch.distributed as dist

from envs.io.child_process import inherited_environment

P = ParamSpec("P")
R = TypeVar("R")
WAIT = timedelta(days=7)
"""Longest wait of a follower for the next call: episodes are collected meanwhile."""
COLLECTIVE = timedelta(minutes=30)
"""Longest wait within a call."""
END_S = 20.0
"""For a follower to end by itself."""
LAUNCHED = ("RANK", "WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT")
"""What torchrun tells each process that it starts, by environment variables."""
_calls: list[Any] = []
"""The group of processes in which calls are told, with its own patience."""
_turn = threading.Lock()
"""Held during a call: a version is published while the next step begins."""


class Mirrored(Protocol):
    """What has calls that all processes make."""

    @property
    def leads(self) -> bool:
        """Whether this process tells the others."""


S = TypeVar("S", bound=Mirrored)


def on_all_processes(
    method: Callable[Concatenate[S, P], R],
) -> Callable[Concatenate[S, P], R]:
    """A method that the followers are told to call as well. One must not call another."""

    @wraps(method)
    def call(self: S, /, *args: P.args, **options: P.kwargs) -> R:
        with _turn:
            if self.leads:
                tell((method.__name__, args, options))
            return method(self, *args, **options)

    return call


def is_launched() -> bool:
    """Whether torchrun, or who sets the same variables, starts the processes."""
    return all(name in os.environ for name in LAUNCHED)


def launched_place() -> tuple[int, int] | None:
    """This process's number and how many there are, where torchrun has started them."""
    if not is_launched():
        return None
    return int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])


def processes_here(processes: int) -> int:
    """How many of the learner's processes run on this machine."""
    return int(os.environ.get("LOCAL_WORLD_SIZE", processes)) if is_launched() else processes


def launch_problem(processes: int) -> str:
    """One sentence where not as many processes were started as the learner has, or where they were
    not told enough; empty where all is well."""
    place = launched_place()
    started = processes if place is None else place[1]
    if started == processes:
        if place is None or started == 1 or "LOCAL_RANK" in os.environ:
            return ""
        return "LOCAL_RANK is not set: set it to the process's number on its machine, from 0"
    return (
        f"learner.processes is {processes}, but WORLD_SIZE is {started}: set learner.processes to "
        f"the number that torchrun starts, or unset {', '.join(LAUNCHED)}"
    )


def process_device(rank: int) -> torch.device:
    """Where this process computes: a GPU of its own, or the CPU where there is none."""
    if not torch.cuda.is_available():
        return torch.device("cpu")
    place = int(os.environ["LOCAL_RANK"]) if is_launched() else rank
    device = torch.device("cuda", place)
    torch.cuda.set_device(device)
    return device


def join(rank: int, world: int, meeting: Path | None, device: torch.device) -> None:
    """Enters the group of processes; it begins when all have. `meeting`: a file that is not there
    yet, where they find each other; None: at the address that torchrun tells."""
    if meeting is not None or _is_on_one_machine():
        for name in ("GLOO_SOCKET_IFNAME", "NCCL_SOCKET_IFNAME"):
            os.environ.setdefault(name, "lo")
    backend = "nccl" if device.type == "cuda" else "gloo"
    dist.init_process_group(
        backend,
        init_method="env://" if meeting is None else meeting.absolute().as_uri(),
        rank=rank,
        world_size=world,
        timeout=COLLECTIVE,
    )
    _calls[:] = [dist.new_group(backend="gloo", timeout=WAIT)]


def _is_on_one_machine() -> bool:
    """Whether torchrun has started all processes here; it may tell the machine's name even so."""
    if os.environ.get("LOCAL_WORLD_SIZE") == os.environ["WORLD_SIZE"]:
        return True
    return os.environ["MASTER_ADDR"] in ("127.0.0.1", "localhost")


def leave() -> None:
    """Leaves the group."""
    _calls.clear()
    dist.destroy_process_group()


def tell(message: Any) -> None:
    """What all followers receive next."""
    dist.broadcast_object_list([message], src=0, group=_calls[0])


def receive() -> Any:
    """What the leader tells."""
    box: list[Any] = [None]
    dist.broadcast_object_list(box, src=0, group=_calls[0])
    return box[0]


def gather(value: R) -> list[R]:
    """The value of every process, in order, in every process."""
    values: list[Any] = [None] * dist.get_world_size()
    dist.all_gather_object(values, value, group=_calls[0])
    return values


def start_followers(world: int, meeting: Path) -> list[subprocess.Popen[bytes]]:
    """Starts all but the leader, on this machine."""
    environment = inherited_environment(kinds=("CUDA", "NVIDIA_", "NCCL_", "GLOO_", "TORCH"))
    command = [sys.executable, "-m", "trainer.learner_follower"]
    return [
        subprocess.Popen(
            [*command, str(rank), str(world), str(meeting.absolute())],
            env=environment | {"OMP_NUM_THREADS": "1"},
            # Ctrl-C is the leader's to handle: it ends the followers.
            start_new_session=True,
        )
        for rank in range(1, world)
    ]


def end_followers(followers: Sequence[subprocess.Popen[bytes]]) -> None:
    """Waits for those that were told to end, and ends those that do not."""
    for follower in followers:
        try:
            follower.wait(END_S)
        except subprocess.TimeoutExpired:
            follower.kill()
            follower.wait()
