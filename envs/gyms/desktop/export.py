"""Writes the bundled desktop tasks as task files.

python -m envs.gyms.desktop.export envs/tasks/desktop
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from envs.gyms.desktop.gym import DesktopGym
from envs.gyms.desktop.template import TEMPLATES
from envs.tasks import HELDOUT_SEED_BASE, Task

SEED = HELDOUT_SEED_BASE
"""Bundled tasks are held out: nobody trains on them by accident."""


def bundled() -> dict[str, Task]:
    """Relative path -> task; one of each template."""
    gym = DesktopGym()
    return {
        f"{found.apps[0] if len(found.apps) == 1 else 'multi_apps'}/{name}.json": gym.make_task(
            name, SEED
        )
        for name, found in TEMPLATES.items()
    }


def content_of(task: Task) -> str:
    """The file's text."""
    data = task.model_dump(mode="json", exclude_defaults=True, exclude={"over"})
    return json.dumps(data, indent=1, ensure_ascii=False) + "\n"


def main() -> None:
    if len(sys.argv) != 2:
        sys.exit("usage: python -m envs.gyms.desktop.export FOLDER")
    folder = Path(sys.argv[1])
    for stale in folder.rglob("*.json"):
        stale.unlink()
    for path, task in bundled().items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content_of(task))


if __name__ == "__main__":
    main()
