"""The verified hot swap: new weights into a live server, or the old ones back.

    read manifest -> pause(keep) -> load -> set version -> drop cached prefixes -> resume
    -> verify: the server's logprobs on the probes match the learner's -> settled
    a verification that fails: the same again with the version before, and reject
    a load that fails: the server ends, is started again with the version before, and reject

Guarantees: requests in flight are frozen, not failed, while weights change; weights that did not
load are never resumed; a version that does not verify is taken out again and reported as rejected;
one swap at a time, which a cancellation lets end; every call has a timeout. A swapper that dies, or
that can no longer put a verified version back, leaves the swap open: the server's guard resumes it
or ends the server (`inside/policy_guard.py`).

Verification comes after resuming: it needs the engine to run. What was sampled in between carries
the rejected version's number, and a rejected version's tokens are never trained on.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Coroutine, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import orjson

from agent_server.policy.engine import bearer
from agent_server.policy.manifest import BadVersion, Manifest, Probe, read_manifest
from envs.io.json_client import CallFailed, JsonClient

T = TypeVar("T")
CALL_TIMEOUT_S = 60.0


class SwapFailed(Exception):
    """The server has neither the new version nor a verified old one; it may need a restart."""


class CallRefused(SwapFailed):
    """The server answered a call of a swap with another status than 200."""


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
    _unloadable: dict[Path, str] = field(default_factory=dict)
    """Why a version did not load. The server ends then, so it is not tried twice: the next try puts
    the version before back and reports the rejection."""
    _lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def swap(self, folder: Path) -> SwapReport:
        """Load and verify a version. Raises BadVersion for a damaged folder (the server was not
        touched), SwapFailed when the server fails."""
        # The server has a working directory of its own.
        return await _complete(self._swap(folder.absolute(), read_manifest(folder)))

    async def restore(self) -> None:
        """Load and verify the live version after a restart of the server. Raises SwapFailed."""
        if self.live is not None:
            await _complete(self._restore())

    async def release(self) -> None:
        """Resume a server that a swapper before this one left paused. The guard refuses that for
        weights that nobody knows, and ends such a server. Raises SwapFailed."""
        async with self._lock, self._open_client() as client:
            if (await self._call(client, "GET", "/is_paused", None))["is_paused"]:
                await self._post(client, "/resume", None)

    async def _swap(self, folder: Path, manifest: Manifest) -> SwapReport:
        async with self._lock, self._open_client() as client:
            started = time.perf_counter()
            mean = worst = float("inf")
            reason = self._unloadable.get(folder, "")
            if not reason:
                await self._load(client, folder, manifest.version)
            pause_ms = round((time.perf_counter() - started) * 1000, 2)
            try:
                if not reason:
                    mean, worst = await self._compare(client, manifest.probes)
                    if not mean <= self.tolerance:
                        reason = f"mean |logprob difference| {mean:.4f} > {self.tolerance:g} nats"
            except SwapFailed as error:  # such weights make no numbers, or the server is gone
                reason = f"cannot be verified: {error}"
            if reason:
                await self._roll_back(client, reason)
            else:
                await self._post(client, "/swap/settled", None)
                self.live = folder
            report = SwapReport(manifest.version, not reason, pause_ms, mean, worst, reason)
            self.reports.append(report)
            return report

    async def _restore(self) -> None:
        async with self._lock, self._open_client() as client:
            await self._load_live(client)

    async def _roll_back(self, client: JsonClient, reason: str) -> None:
        if self.live is None:
            raise SwapFailed(f"the first version {reason}; there is none to go back to")
        try:
            await self._load_live(client)
        except SwapFailed as error:
            raise SwapFailed(f"the new version {reason}; rolling back: {error}") from error

    async def _load_live(self, client: JsonClient) -> None:
        """Load, verify and settle the version that was accepted last. Raises SwapFailed."""
        if self.live is None:
            raise SwapFailed("no version was accepted yet")
        try:
            manifest = read_manifest(self.live)
        except BadVersion as error:
            raise SwapFailed(str(error)) from error
        await self._load(client, self.live, manifest.version)
        mean, _ = await self._compare(client, manifest.probes)
        if not mean <= self.tolerance:
            raise SwapFailed(f"the server does not match {self.live} ({mean:.3f} nats)")
        await self._post(client, "/swap/settled", None)

    async def _load(self, client: JsonClient, folder: Path, version: int) -> None:
        """Raises SwapFailed. Generation then stands still: the weights are unknown."""
        reload = {"method": "reload_weights", "kwargs": {"weights_path": str(folder)}}
        await self._post(client, "/pause?mode=keep", None)
        try:
            await self._post(client, "/collective_rpc", reload)
        except CallRefused as error:
            self._unloadable[folder] = f"cannot be loaded: {error}"
            raise
        await self._post(client, "/update_weight_version", {"new_version": str(version)})
        await self._post(client, "/reset_prefix_cache", None)
        await self._post(client, "/resume", None)

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
        return await self._call(client, "POST", path, b"" if body is None else orjson.dumps(body))

    async def _call(self, client: JsonClient, method: str, path: str, body: bytes | None) -> Any:
        try:
            reply = await client.call(method, path, body)
        except CallFailed as error:
            raise SwapFailed(f"policy server: {path}: {error}") from error
        if reply.status != 200:
            raise CallRefused(f"policy server: {path} answered {reply.status}: {reply.excerpt}")
        return reply.json() if reply.content else None


async def _complete(swap: Coroutine[Any, Any, T]) -> T:
    """The result. A cancellation comes after the end of the swap: one that is broken off leaves the
    server to its guard, which may end it."""
    task = asyncio.ensure_future(swap)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait({task})
        raise


__all__ = ["BadVersion", "Manifest", "SwapFailed", "SwapReport", "Swapper"]
