"""Getters that need no machine. They run outside of the box, and their values never enter it."""

from __future__ import annotations

from envs.osworld.format.getters import Getter
from envs.osworld.outside.getters import assets, task_rules

TASK_GETTERS: dict[str, Getter] = {
    "cloud_file": assets.cloud_file,
    "rule": task_rules.rule,
    "rule_relativeTime": task_rules.rule_relative_time,
    "time_diff_range": task_rules.time_diff_range,
    "answer": task_rules.answer,
}
