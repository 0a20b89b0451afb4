"""The verified hot swap: new weights into a live server, or the old ones back.

    read manifest -> pause(keep) -> load -> set version -> drop cached prefixes -> resume (always)
    -> verify: the server's logprobs on the probes match the learner's, else roll back and reject

Guarantees: requests in flight are frozen, not failed, while weights change; generation always
resumes; a version that does not verify is taken out again and reported as rejected; one swap at a
time; every call has a timeout.

Verification comes after resuming: it needs the engine to run. What was sampled in between carries
the rejected version's number, and a rejected version's tokens are never trained on.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson

from agent_server.policy.engine import bearer
from agent_server.policy.manifest import BadVersion, Manifest, Probe, read_manifest
from envs.io.json_client import CallFailed, JsonClient

CALL_TIMEOUT_S = 60.0


class SwapFailed(Exception):
    """The server has neither the new version nor a verified old one; it may need a restart."""


@dataclass(frozen=True, slots=True)
class SwapReport:
    """`pause_ms`: how long generation stood still. Differences are in nats a token."""

    version: int
    accepted: bool
    pause_ms: float
    mean_abs_diff: float
    max_abs_diff: float
    reason: str = ""


@dataclass(slots=True)
class Swapper:
    """Loads versions into one policy server. `key`: the server's control key. `tolerance`: largest
    accepted mean |difference|."""

    base_url: str
    key: str = field(default="", repr=False)
    tolerance: float = 0.05
    live: Path | None = None
    reports: list[SwapReport] = field(default_factory=list)
    _lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def swap(self, folder: Path) -> SwapReport:
        """Load and verify a version. Raises BadVersion for a damaged folder (the server was not
        touched), SwapFailed when the server fails."""
        manifest = read_manifest(folder)
        async with self._lock, self._open_client() as client:
            pause_ms = await self._load(client, folder, manifest.version)
            reason = ""
            try:
                mean, worst = await self._compare(client, manifest.probes)
                if not mean <= self.tolerance:
                    reason = f"mean |logprob difference| {mean:.4f} > {self.tolerance:g} nats"
            except SwapFailed as error:  # such weights make no numbers, or the server is gone
                mean = worst = float("inf")
                reason = f"cannot be verified: {error}"
            accepted = not reason
            if accepted:
                self.live = folder
            else:
                await self._roll_back(client)
            report = SwapReport(manifest.version, accepted, pause_ms, mean, worst, reason)
            self.reports.append(report)
            return report

    async def restore(self) -> None:
        """Load and verify the live version after a restart of the server. Raises SwapFailed."""
        if self.live is None:
            return
        manifest = read_manifest(self.live)
        async with self._lock, self._open_client() as client:
            await self._load(client, self.live, manifest.version)
            mean, _ = await self._compare(client, manifest.probes)
            if mean > self.tolerance:
                raise SwapFailed(f"the restarted server does not match {self.live} ({mean:.3f})")

    async def _roll_back(self, client: JsonClient) -> None:
        if self.live is None:
            raise SwapFailed("the first version does not verify and there is none to go back to")
        manifest = read_manifest(self.live)
        await self._load(client, self.live, manifest.version)
        mean, _ = await self._compare(client, manifest.probes)
        if mean > self.tolerance:
            raise SwapFailed(f"rolling back to {self.live} does not verify ({mean:.3f} nats)")

    async def _load(self, client: JsonClient, folder: Path, version: int) -> float:
        started = time.perf_counter()
        await self._post(client, "/pause?mode=keep", None)
        try:
            reload = {"method": "reload_weights", "kwargs": {"weights_path": str(folder)}}
            await self._post(client, "/collective_rpc", reload)
            await self._post(client, "/update_weight_version", {"new_version": str(version)})
            await self._post(client, "/reset_prefix_cache", None)
        finally:
            await self._post(client, "/resume", None)
        return round((time.perf_counter() - started) * 1000, 2)

    async def _compare(self, client: JsonClient, probes: Sequence[Probe]) -> tuple[float, float]:
        served = await asyncio.gather(
            *(self._prompt_logprobs(client, probe.token_ids) for probe in probes)
        )
        differences = [
            abs(learner_logprob - server_logprob)
            for probe, logprobs in zip(probes, served, strict=True)
            for learner_logprob, server_logprob in zip(probe.logprobs, logprobs, strict=True)
        ]
        return sum(differences) / len(differences), max(differences)

    async def _prompt_logprobs(self, client: JsonClient, token_ids: Sequence[int]) -> list[float]:
        params = {"max_tokens": 1, "prompt_logprobs": 0, "temperature": 1.0, "detokenize": False}
        body = {"token_ids": list(token_ids), "sampling_params": params}
        data = await self._post(client, "/inference/v1/generate", body)
        entries = data["prompt_logprobs"][1:]
        return [
            entry[str(token)]["logprob"]
            for entry, token in zip(entries, token_ids[1:], strict=True)
        ]

    @contextlib.asynccontextmanager
    async def _open_client(self) -> AsyncIterator[JsonClient]:
        client = JsonClient(self.base_url, timeout_s=CALL_TIMEOUT_S, headers=bearer(self.key))
        try:
            yield client
        finally:
            await client.close()

    async def _post(self, client: JsonClient, path: str, body: dict[str, Any] | None) -> Any:
        try:
            reply = await client.call("POST", path, b"" if body is None else orjson.dumps(body))
        except CallFailed as error:
            raise SwapFailed(f"policy server: {path}: {error}") from error
        if reply.status != 200:
            raise SwapFailed(f"policy server: {path} answered {reply.status}: {reply.excerpt}")
        return reply.json() if reply.content else None


__all__ = ["BadVersion", "Manifest", "SwapFailed", "SwapReport", "Swapper"]
