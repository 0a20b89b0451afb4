"""Writes an episode down while it runs: each step when it is done, a summary when it ends."""

from __future__ import annotations

import base64
from dataclasses import fields
from types import TracebackType
from typing import Any

import orjson
from pydantic import TypeAdapter

from agent_server.episodes.result import EpisodeResult
from agent_server.episodes.trajectory import Step
from agent_server.store.artifacts import EVIDENCE, SUMMARY, Artifacts
from envs.observations import Screenshot

_step: TypeAdapter[Step] = TypeAdapter(Step)


class Recorder:
    """Opened for one attempt. A write that fails raises ArtifactError; what is down stays."""

    def __init__(self, artifacts: Artifacts, episode_id: str) -> None:
        self.episode_id = episode_id
        self._files = artifacts.open(episode_id)

    def screenshot(self, index: int, screenshot: Screenshot) -> str:
        """Keeps what the policy saw before step `index`; the file's name."""
        name = f"{index:03d}.{screenshot.format}"
        self._files.put(name, base64.b64decode(screenshot.data))
        return name

    def step(self, step: Step) -> None:
        self._files.append(_step.dump_json(step))

    def evidence(self, data: bytes) -> None:
        """Keeps what the verdict is made from."""
        self._files.put(EVIDENCE, data)

    def finish(self, result: EpisodeResult, about: dict[str, Any]) -> None:
        """`about` says which episode this was: task, run, attempt."""
        summary = {"episode_id": self.episode_id, **about}
        summary |= {field.name: getattr(result, field.name) for field in fields(result)}
        summary |= {"score": result.score, "success": result.success}
        if result.verdict is not None:
            summary["verdict"] = result.verdict.model_dump(mode="json")
        self._files.put(SUMMARY, orjson.dumps(summary, option=orjson.OPT_INDENT_2))

    def close(self) -> None:
        self._files.close()

    def __enter__(self) -> Recorder:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
