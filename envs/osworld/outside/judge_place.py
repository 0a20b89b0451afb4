"""Where metrics judge files that an agent made: in a box of bubblewrap, or in a judge's container.

DESKHAND_JUDGE says which: `bubblewrap` (the default), `unix:PATH` of the socket of a judge
(`envs.osworld.outside.judge_server`), or `none`: in this process's user, network and reach, as a
choice of the operator. Where the chosen place is not there nothing is judged: EpisodeFault.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from envs.contract.outcomes import EpisodeFault, InvalidReason
from envs.io.sandboxing import usable
from envs.io.settings import EnvSettings

SETTING = "DESKHAND_JUDGE"
_SOCKET = "unix:"
_REMEDY = (
    "apt-get install bubblewrap and allow user namespaces; in a container start a judge "
    f"(python -m envs.osworld.outside.judge_server) and set {SETTING}=unix:PATH of its socket; or "
    f"set {SETTING}=none to judge with the rights of this process"
)


@dataclass(frozen=True, slots=True)
class JudgePlace:
    """`socket`: of a judge elsewhere. Without one metrics run on this machine, `in_box` or not."""

    in_box: bool = False
    socket: Path | None = None

    def __str__(self) -> str:
        if self.socket is not None:
            return f"a judge at {self.socket}"
        return "bubblewrap" if self.in_box else f"none, as {SETTING} says"


def judge_place() -> JudgePlace:
    """Where files are judged. Raises EpisodeFault(UNRUNNABLE) with the remedy where they cannot
    be: no attempt will be any better."""
    setting = EnvSettings.from_env_or_fault(InvalidReason.UNRUNNABLE).judge
    if setting == "none":
        return JudgePlace()
    if setting.startswith(_SOCKET):
        return JudgePlace(socket=Path(setting.removeprefix(_SOCKET)))
    if not usable():
        raise EpisodeFault(
            InvalidReason.UNRUNNABLE,
            f"bubblewrap makes no boxes here, so no files of an agent are judged: {_REMEDY}",
        )
    return JudgePlace(in_box=True)
