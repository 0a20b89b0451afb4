"""All of the drive's task templates, in the order in which the gym lists them."""

from __future__ import annotations

from envs.gyms.apps.drive import (
    tasks_comparisons,
    tasks_files,
    tasks_moving,
    tasks_sharing,
    tasks_tidying,
    tasks_trash,
    tasks_versions,
)

TEMPLATES = (
    *tasks_files.TEMPLATES,
    *tasks_moving.TEMPLATES,
    *tasks_comparisons.TEMPLATES,
    *tasks_sharing.TEMPLATES,
    *tasks_versions.TEMPLATES,
    *tasks_trash.TEMPLATES,
    *tasks_tidying.TEMPLATES,
)
