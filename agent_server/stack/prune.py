"""What `deskhand prune` removes: old episodes with their files, tasks that nobody refers to, and
policy versions that nothing needs.

Guarantees: without `apply` nothing is changed; verdicts and evidence of evaluations are kept; so is
what a run in progress refers to, and what a run needs to be continued. Rows go first, then their
files: what is killed in between leaves folders without a row, which the next call removes. It may
run beside a stack that works.
"""

from __future__ import annotations

import contextlib
import shutil
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import orjson

from agent_server.policy.manifest import LIVE, MANIFEST
from agent_server.settings import Settings
from agent_server.store.artifacts import Artifacts
from agent_server.store.retention import Retention
from agent_server.store.store import Store
from agent_server.store.tables import utcnow

BATCH = 200
"""Chains of one transaction."""
ORPHAN_S = 24 * 3600.0
"""An episode's folder is older than that before it counts as left behind."""


@dataclass(frozen=True, slots=True)
class Removed:
    """One line of what is (or would be) removed. `detail`: which ones, or what was kept and why."""

    kind: str
    count: int
    size: int
    detail: str = ""


def prune(settings: Settings, store: Store, apply: bool) -> list[Removed]:
    """Remove what the settings do not keep, or with `apply` False only count it."""
    artifacts = Artifacts(settings.artifacts)
    retention = Retention(store.engine, utcnow() - timedelta(days=settings.keep_days))
    return [
        _prune_episodes(retention, artifacts, apply),
        _prune_orphans(retention, artifacts, apply),
        _prune_bodies(retention, apply),
        _prune_versions(settings, apply),
    ]


def _prune_episodes(retention: Retention, artifacts: Artifacts, apply: bool) -> Removed:
    ids, count, size = retention.old_episodes(), 0, 0
    for batch in _batches(ids):
        removable = retention.delete_episodes(batch) if apply else batch
        for episode_id in removable:
            size += artifacts.size_of(episode_id)
            if apply:
                artifacts.remove(episode_id)
        count += len(removable)
    return Removed("episodes", count, size)


def _prune_orphans(retention: Retention, artifacts: Artifacts, apply: bool) -> Removed:
    """Folders of episodes whose rows are gone."""
    count = size = 0
    for batch in _batches(artifacts.find_idle(time.time() - ORPHAN_S)):
        existing = retention.existing(batch)
        for episode_id in batch:
            if episode_id in existing:
                continue
            count, size = count + 1, size + artifacts.size_of(episode_id)
            if apply:
                artifacts.remove(episode_id)
    return Removed("folders without an episode", count, size)


def _prune_bodies(retention: Retention, apply: bool) -> Removed:
    count, size = retention.unused_bodies()
    if apply and count:
        count = retention.delete_unused_bodies()
    return Removed("large tasks", count, size)


def _prune_versions(settings: Settings, apply: bool) -> Removed:
    run_dir = settings.run_dir.resolve()
    folders = sorted((run_dir / "policy").glob("v[0-9]*"))
    try:
        needed = set(_needed_versions(run_dir))
    except _UnknownNeed as error:
        return Removed("policy versions", 0, 0, f"all {len(folders)} are kept: {error}")
    removable = [
        folder for folder in folders[: -settings.keep_versions] if folder.resolve() not in needed
    ]
    size = sum(_folder_size(folder) for folder in removable)
    for folder in removable if apply else ():
        shutil.rmtree(folder, ignore_errors=True)
    names = ", ".join(folder.name for folder in removable)
    return Removed("policy versions", len(removable), size, names[:500])


class _UnknownNeed(Exception):
    """It cannot be told which versions are needed."""


def _needed_versions(run_dir: Path) -> Iterator[Path]:
    """Folders of the live version and its parent, of what checkpoints resume from, and of what
    evaluations name. Raises _UnknownNeed."""
    policy = run_dir / "policy"
    live = (policy / LIVE).resolve()
    yield live
    parent = _read(live / MANIFEST).get("parent") if (live / MANIFEST).exists() else None
    if parent is not None:
        yield policy / f"v{parent:06d}"
    for checkpoint in (run_dir / "checkpoints").glob("step-*"):
        version = _read(checkpoint / "manifest.json").get("version")
        if version is None:
            raise _UnknownNeed(f"{checkpoint} does not say which version it continues")
        yield policy / f"v{version:06d}"
    for plan in run_dir.parent.glob("*/evaluation.json"):
        evaluation = _read(plan)
        stamp: dict[str, Any] = evaluation.get("stamp", {}).get("policy", {})
        spec = evaluation.get("spec") or evaluation.get("asked") or {}
        for folder in (stamp.get("folder"), spec.get("model")):
            if folder:
                yield (plan.parent / folder).resolve()
                yield Path(folder).resolve()


def _read(file: Path) -> dict[str, Any]:
    try:
        data = orjson.loads(file.read_bytes())
    except (OSError, orjson.JSONDecodeError) as error:
        raise _UnknownNeed(f"{file} cannot be read: {error}") from error
    return data if isinstance(data, dict) else {}


def _folder_size(folder: Path) -> int:
    size = 0
    for path in folder.rglob("*"):
        with contextlib.suppress(FileNotFoundError):
            size += path.lstat().st_size
    return size


def _batches(ids: Sequence[str]) -> Iterator[list[str]]:
    for start in range(0, len(ids), BATCH):
        yield list(ids[start : start + BATCH])
