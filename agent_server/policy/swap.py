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
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import aiohttp
import orjson

from agent_server.policy.manifest import BadVersion, Manifest, Probe, read_manifest

CALL_TIMEOUT_S = 60.0


class SwapFailed(Exception):
    """The server could not be brought to the new version, nor told why; it may need a restart."""


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
    """Brings versions into one policy server. `tolerance`: largest mean |difference| accepted."""

    base_url: str
    tolerance: float = 0.05
    live: Path | None = None
    reports: list[SwapReport] = field(default_factory=list)
    _lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def swap(self, folder: Path) -> SwapReport:
        """Raises BadVersion for a damaged folder (nothing was touched then), SwapFailed when the
        server does not follow."""
        manifest = read_manifest(folder)
        async with self._lock, aiohttp.ClientSession() as http:
            pause_ms = await self._load(http, folder, manifest.version)
            reason = ""
            try:
                mean, worst = await self._compare(http, manifest.probes)
                if not mean <= self.tolerance:
                    reason = f"mean |logprob difference| {mean:.4f} > {self.tolerance:g} nats"
            except SwapFailed as error:  # such weights make no numbers, or the server is gone
                mean = worst = float("inf")
                reason = f"cannot be verified: {error}"
            accepted = not reason
            if accepted:
                self.live = folder
            else:
                await self._roll_back(http)
            report = SwapReport(manifest.version, accepted, pause_ms, mean, worst, reason)
            self.reports.append(report)
            return report

    async def restore(self) -> None:
        """After a restart of the server: the live version again, verified."""
        if self.live is None:
            return
        manifest = read_manifest(self.live)
        async with self._lock, aiohttp.ClientSession() as http:
            await self._load(http, self.live, manifest.version)
            mean, _ = await self._compare(http, manifest.probes)
            if mean > self.tolerance:
                raise SwapFailed(f"the restarted server does not match {self.live} ({mean:.3f})")

    async def _roll_back(self, http: aiohttp.ClientSession) -> None:
        if self.live is None:
            raise SwapFailed("the first version does not verify and there is none to go back to")
        manifest = read_manifest(self.live)
        await self._load(http, self.live, manifest.version)
        mean, _ = await self._compare(http, manifest.probes)
        if mean > self.tolerance:
            raise SwapFailed(f"rolling back to {self.live} does not verify ({mean:.3f} nats)")

    async def _load(self, http: aiohttp.ClientSession, folder: Path, version: int) -> float:
        started = time.perf_counter()
        await self._post(http, "/pause?mode=keep", None)
        try:
            reload = {"method": "reload_weights", "kwargs": {"weights_path": str(folder)}}
            await self._post(http, "/collective_rpc", reload)
            await self._post(http, "/update_weight_version", {"new_version": str(version)})
            await self._post(http, "/reset_prefix_cache", None)
        finally:
            await self._post(http, "/resume", None)
        return round((time.perf_counter() - started) * 1000, 2)

    async def _compare(
        self, http: aiohttp.ClientSession, probes: Sequence[Probe]
    ) -> tuple[float, float]:
        served = await asyncio.gather(
            *(self._prompt_logprobs(http, probe.token_ids) for probe in probes)
        )
        differences = [
            abs(mine - theirs)
            for probe, logprobs in zip(probes, served, strict=True)
            for mine, theirs in zip(probe.logprobs, logprobs, strict=True)
        ]
        return sum(differences) / len(differences), max(differences)

    async def _prompt_logprobs(
        self, http: aiohttp.ClientSession, token_ids: Sequence[int]
    ) -> list[float]:
        params = {"max_tokens": 1, "prompt_logprobs": 0, "temperature": 1.0, "detokenize": False}
        body = {"token_ids": list(token_ids), "sampling_params": params}
        data = await self._post(http, "/inference/v1/generate", body)
        entries = data["prompt_logprobs"][1:]
        return [
            entry[str(token)]["logprob"]
            for entry, token in zip(entries, token_ids[1:], strict=True)
        ]

    async def _post(
        self, http: aiohttp.ClientSession, path: str, body: dict[str, Any] | None
    ) -> Any:
        try:
            async with (
                asyncio.timeout(CALL_TIMEOUT_S),
                http.post(
                    self.base_url + path,
                    data=b"" if body is None else orjson.dumps(body),
                    headers={"Content-Type": "application/json"},
                ) as reply,
            ):
                content = await reply.read()
                if reply.status != 200:
                    text = content[:300].decode(errors="replace")
                    raise SwapFailed(f"policy server: {path} answered {reply.status}: {text}")
                return orjson.loads(content) if content else None
        except (aiohttp.ClientError, TimeoutError) as error:
            raise SwapFailed(f"policy server: {path}: {error!r}") from error


__all__ = ["BadVersion", "Manifest", "SwapFailed", "SwapReport", "Swapper"]
