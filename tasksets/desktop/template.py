"""What a desktop task template is: a function from a seeded generator to the draft of a task.

A draft is data in OSWorld's format (setup steps and evaluator) plus the oracle's actions. The
evaluator is strict: what the task asks for must be there, and nothing else may have changed.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

Json = dict[str, Any]
HOME = "/home/user"
DOCUMENTS = f"{HOME}/Documents"

# Names of applications as OSWorld's `related_apps` has them.
CALC = "libreoffice_calc"
WRITER = "libreoffice_writer"
IMPRESS = "libreoffice_impress"
CHROMIUM = "chromium"
FILE_MANAGER = "pcmanfm"
TEXT_EDITOR = "mousepad"
MAIL = "thunderbird"
OPERATING_SYSTEM = "os"


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """One task drawn from a template.

    config: setup steps. api, gui: the oracle's actions (see `actions`) by tools and by mouse and
    keys; gui is None where no person would use the GUI. over_edits: edits of files as
    {"path", "append": text} that the evaluator must notice, beyond the generic ones of the tests.
    """

    instruction: str
    config: Sequence[Json]
    evaluator: Json
    api: Sequence[Json]
    gui: Sequence[Json] | None = None
    over_edits: Sequence[Json] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DesktopTemplate:
    """An `envs.contract.task.TaskTemplate`. `apps`: the task's `related_apps`.

    sample_draft: must depend on nothing but its generator.
    """

    name: str
    apps: tuple[str, ...]
    sample_draft: Callable[[random.Random], Draft]
    max_steps: int = 15
