"""Scripted solutions of OSWorld's and OfficeWorld's tasks: by id the actions that do what is asked.

They were written from the instructions; the tasks themselves are not part of this project. A
solution acts on the desktop as any policy does, by tools and by the GUI, and writes nothing that
only a judge would read.
"""

from __future__ import annotations

from collections.abc import Sequence

from envs.contract.task import Task
from tasksets.desktop.template import Json
from tasksets.solutions.calc import CALC
from tasksets.solutions.chromium import CHROMIUM
from tasksets.solutions.gimp import GIMP
from tasksets.solutions.impress import IMPRESS
from tasksets.solutions.infeasible import INFEASIBLE
from tasksets.solutions.office_world import OFFICE_WORLD
from tasksets.solutions.system import SYSTEM
from tasksets.solutions.vlc import VLC
from tasksets.solutions.writer import WRITER

SOLUTIONS: dict[str, Sequence[Json]] = {
    **CALC,
    **CHROMIUM,
    **GIMP,
    **IMPRESS,
    **INFEASIBLE,
    **OFFICE_WORLD,
    **SYSTEM,
    **VLC,
    **WRITER,
}
_ENDS = frozenset({"done", "infeasible"})


def find_solution(task: Task) -> Sequence[Json] | None:
    """The solution for the task's id; None without one that keeps to the task's `tools`."""
    script = SOLUTIONS.get(task.id)
    if script is None or task.tools == "both":
        return script
    kinds = {action["type"] for action in script} - _ENDS
    allowed = kinds <= {"tool"} if task.tools == "api" else "tool" not in kinds
    return script if allowed else None
