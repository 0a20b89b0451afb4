"""How OSWorld tasks are solved: for a task's id, the actions of one who does what its instruction
asks for. Written here from the instructions; the tasks themselves are not part of this project.

Guarantees: a solution acts on the desktop as any policy does, by tools and by the GUI; it writes
nothing that only a judge would read.
"""

from __future__ import annotations

from collections.abc import Sequence

from envs.gyms.desktop.template import Json
from envs.solutions.chromium import CHROMIUM
from envs.solutions.gimp import GIMP
from envs.solutions.impress import IMPRESS
from envs.solutions.infeasible import INFEASIBLE
from envs.solutions.system import SYSTEM
from envs.solutions.vlc import VLC
from envs.tasks import Task

SOLUTIONS: dict[str, Sequence[Json]] = {
    **CHROMIUM, **GIMP, **IMPRESS, **INFEASIBLE, **SYSTEM, **VLC
}  # fmt: skip
_ENDS = frozenset({"done", "infeasible"})


def solution(task: Task) -> Sequence[Json] | None:
    """By the actions that the task allows; None where it is not known how."""
    script = SOLUTIONS.get(task.id)
    if script is None or task.tools == "both":
        return script
    kinds = {action["type"] for action in script} - _ENDS
    allowed = kinds <= {"tool"} if task.tools == "api" else "tool" not in kinds
    return script if allowed else None
