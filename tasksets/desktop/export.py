"""Writes the bundled desktop tasks as task files, one of each template.

python -m tasksets.desktop.export tasksets/bundled/desktop
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from envs.contract.task import HELDOUT_SEED_BASE, Task
from tasksets.desktop.gym import GYM

SEED = HELDOUT_SEED_BASE
"""Bundled tasks are of the held-out split, so that no default training run uses them."""


def make_bundled_tasks() -> dict[str, Task]:
    """Tasks by their file's path below the folder, which is named after the application."""
    tasks = {}
    for name, template in GYM.specs.items():
        folder = template.apps[0] if len(template.apps) == 1 else "multi_apps"
        tasks[f"{folder}/{name}.json"] = GYM.make_task(name, SEED)
    return tasks


def file_content(task: Task) -> str:
    """The text of a task's file."""
    data = task.model_dump(mode="json", exclude_defaults=True, exclude={"over"})
    return json.dumps(data, indent=1, ensure_ascii=False) + "\n"


def main() -> None:
    """Replaces all task files in the folder."""
    if len(sys.argv) != 2:
        sys.exit("usage: python -m tasksets.desktop.export FOLDER")
    folder = Path(sys.argv[1])
    for stale in folder.rglob("*.json"):
        stale.unlink()
    for path, task in make_bundled_tasks().items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(file_content(task))


if __name__ == "__main__":
    main()
