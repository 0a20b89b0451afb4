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

An adapter is swapped without a pause:

    read manifest and base's -> load under the version's own name -> verify -> make it live
    a load or a verification that fails: unload it again, and reject

Guarantees: requests in flight end with the adapter that they began with; nobody is answered by an
adapter that was not verified; one that does nothing, or is of another base, is refused.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Coroutine, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import orjson

from agent_server.policy.adapter_effect import measure_effect
from agent_server.policy.engine import bearer
from agent_server.policy.manifest import BadVersion, Manifest, Probe, model_folder, read_manifest
from agent_server.policy.pictured_prompt import probe_request
from envs.io.json_client import CallFailed, JsonClient
from envs.io.traces import span

T = TypeVar("T")
CALL_TIMEOUT_S = 60.0
IN_USE = 409
"""The guard's answer to the unloading of an adapter that is live or has requests in flight."""


FOR_GOOD = frozenset({400, 401, 403, 404, 405, 411, 413, 415, 422})


class SwapFailed(Exception):
    """The server has neither the new version nor a verified old one; it may need a restart."""


class CallRefused(SwapFailed):
    """The server answered a call of a swap with another status than 200."""

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.status = status

    @property
    def is_final(self) -> bool:
        """Whether to try again is of no use: a wrong key, path or request stays wrong."""
        return self.status in FOR_GOOD


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
    _adapters: list[str] = field(default_factory=list)
    """Names of the loaded adapters, the live one last."""
    _lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def swap(self, folder: Path) -> SwapReport:
        """Load and verify a version. Raises BadVersion for a damaged folder (the server was not
        touched), SwapFailed when the server fails."""
        # The server has a working directory of its own.
        with span("swap", policy_version=folder.name):
            return await complete(self._swap(folder.absolute(), read_manifest(folder)))

    async def restore(self) -> None:
        """Load and verify the live version after a restart of the server. Raises SwapFailed."""
        if self.live is not None:
            await complete(self._restore())

    async def release(self) -> None:
        """Resume a server that a swapper before this one left paused. The guard refuses that for
        weights that nobody knows, and ends such a server. Raises SwapFailed."""
        async with self._lock, self._make_client() as client:
            if (await self._call(client, "GET", "/is_paused", None))["is_paused"]:
                await self._post(client, "/resume", None)

    async def _swap(self, folder: Path, manifest: Manifest) -> SwapReport:
        async with self._lock, self._make_client() as client:
            # The server holds several adapters at once, each under its own name: nothing has to
            # stand still.
            if manifest.base is not None:
                return await self._swap_adapter(client, folder, manifest)
            started = time.perf_counter()
            mean = worst = float("inf")
            # A version that did not load has ended the server once. It is rejected without another
            # try, and the version before is put back.
            reason = self._unloadable.get(folder, "")
            if not reason:
                await self._load(client, folder, manifest.version)
            # Only loading counts: the probes run on a server that generates again.
            pause_ms = round((time.perf_counter() - started) * 1000, 2)
            try:
                if not reason:
                    mean, worst = await self._compare(client, folder, manifest.probes)
                    # Written as `not <=`: a mean of NaN, from weights that make no numbers, is
                    # refused as well.
                    if not mean <= self.tolerance:
                        reason = f"mean |logprob difference| {mean:.4f} > {self.tolerance:g} nats"
            except SwapFailed as error:  # such weights make no numbers, or the server is gone
                reason = f"cannot be verified: {error}"
            if reason:
                await self._roll_back(client, reason)
            else:
                # Until then the swap is open: should this process die, the guard ends the server.
                await self._post(client, "/swap/settled", None)
                self.live = folder
            report = SwapReport(manifest.version, not reason, pause_ms, mean, worst, reason)
            self.reports.append(report)
            return report

    async def _swap_adapter(
        self, client: JsonClient, folder: Path, manifest: Manifest
    ) -> SwapReport:
        self._check_base(folder, manifest)
        mean, worst, reason = await self._try_adapter(client, folder, manifest)
        if not reason:
            await self._make_live(client, folder, manifest)
            self.live = folder
        report = SwapReport(manifest.version, not reason, 0.0, mean, worst, reason)
        self.reports.append(report)
        return report

    def _check_base(self, folder: Path, manifest: Manifest) -> None:
        """Raises BadVersion where the server is known to have other weights than the base."""
        if self.live is None or manifest.base is None:
            return
        served = model_folder(self.live)
        if served.resolve().name != manifest.base.folder:
            raise BadVersion(
                f"{folder} is an adapter of {manifest.base.folder}, but the server has "
                f"{served.name}: swap its base in first"
            )

    async def _try_adapter(
        self, client: JsonClient, folder: Path, manifest: Manifest
    ) -> tuple[float, float, str]:
        """Loads an adapter and verifies it: mean and largest difference, and why it is refused. One
        that is refused is unloaded again. Raises SwapFailed where the server is gone."""
        name, mean, worst = folder.name, float("inf"), float("inf")
        try:
            await self._load_adapter(client, folder)
        except CallRefused as error:
            return mean, worst, f"cannot be loaded: {error}"
        try:
            served = await self._probe(client, folder, manifest.probes, name)
            # The adapter may be close to the learner only because it does nothing: its effect is
            # measured beside the differences.
            mean, worst = _gaps(manifest.probes, served)
            reason = _adapter_fault(manifest.probes, served)
        except CallRefused as error:
            reason = f"cannot be verified: {error}"
        if not reason and not mean <= self.tolerance:
            reason = f"mean |logprob difference| {mean:.4f} > {self.tolerance:g} nats"
        if reason:
            with contextlib.suppress(CallRefused):  # the live one, whose restoring failed
                await self._post(client, "/v1/unload_lora_adapter", {"lora_name": name})
        return mean, worst, reason

    async def _load_adapter(self, client: JsonClient, folder: Path) -> None:
        """One that is in use is not loaded again. Raises CallRefused."""
        try:  # a swap that was broken off may have left it
            await self._post(client, "/v1/unload_lora_adapter", {"lora_name": folder.name})
        except CallRefused as error:
            # The guard refuses to unload what answers requests; the same name is the same files.
            if error.status == IN_USE:
                return
        load = {"lora_name": folder.name, "lora_path": str(folder.absolute())}
        await self._post(client, "/v1/load_lora_adapter", load)

    async def _make_live(self, client: JsonClient, folder: Path, manifest: Manifest) -> None:
        """New requests get this adapter. The one before stays for those that began with it; older
        ones are unloaded as soon as nobody uses them."""
        live = {"name": folder.name, "version": str(manifest.version)}
        # New requests are led to it before the older ones are unloaded, so that none is without an
        # adapter.
        await self._post(client, "/adapter/live", live)
        self._adapters = [name for name in self._adapters if name != folder.name]
        # The last of the list was live until now: requests that began with it may still run.
        for name in self._adapters[:-1]:
            with contextlib.suppress(CallRefused):
                await self._post(client, "/v1/unload_lora_adapter", {"lora_name": name})
                self._adapters.remove(name)
        self._adapters.append(folder.name)

    async def _restore(self) -> None:
        async with self._lock, self._make_client() as client:
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
        if manifest.base is not None:
            _, _, reason = await self._try_adapter(client, self.live, manifest)
            if reason:
                raise SwapFailed(f"the server does not match {self.live}: {reason}")
            # The server is a new process: it has none of the adapters that were loaded before.
            self._adapters = []
            await self._make_live(client, self.live, manifest)
            return
        await self._load(client, self.live, manifest.version)
        mean, _ = await self._compare(client, self.live, manifest.probes)
        if not mean <= self.tolerance:
            raise SwapFailed(f"the server does not match {self.live} ({mean:.3f} nats)")
        await self._post(client, "/swap/settled", None)

    async def _load(self, client: JsonClient, folder: Path, version: int) -> None:
        """Raises SwapFailed. Generation then stands still: the weights are unknown."""
        reload = {"method": "reload_weights", "kwargs": {"weights_path": str(folder)}}
        # `keep` freezes requests in flight; they go on after the resume.
        await self._post(client, "/pause?mode=keep", None)
        try:
            await self._post(client, "/collective_rpc", reload)
        except CallRefused as error:
            # No resuming: half of the weights may be the new ones.
            self._unloadable[folder] = f"cannot be loaded: {error}"
            raise
        # Before resuming, so that no token of the new weights carries the old number.
        await self._post(client, "/update_weight_version", {"new_version": str(version)})
        # Cached keys and values are of the old weights. vLLM's pause drops them; where it does not,
        # and requests are in flight, this call keeps them and answers 200 nevertheless.
        reset = await self._post(client, "/reset_prefix_cache", None)
        if reset is not None and not reset["success"]:
            raise SwapFailed("the policy server keeps cached blocks of the old weights in use")
        await self._post(client, "/resume", None)

    async def _compare(
        self, client: JsonClient, folder: Path, probes: Sequence[Probe]
    ) -> tuple[float, float]:
        return _gaps(probes, await self._probe(client, folder, probes))

    async def _probe(
        self, client: JsonClient, folder: Path, probes: Sequence[Probe], model: str | None = None
    ) -> list[list[float]]:
        return await asyncio.gather(
            *(self._prompt_logprobs(client, folder, probe, model) for probe in probes)
        )

    async def _prompt_logprobs(
        self, client: JsonClient, folder: Path, probe: Probe, model: str | None = None
    ) -> list[float]:
        """`model`: name of an adapter; none: the weights without one."""
        params = {"max_tokens": 1, "prompt_logprobs": 0, "temperature": 1.0, "detokenize": False}
        body: dict[str, Any] = {**probe_request(folder, probe), "sampling_params": params}
        if model is not None:
            body["model"] = model
        data = await self._post(client, "/inference/v1/generate", body)
        # The first token has no logprob: nothing stands before it.
        entries = data["prompt_logprobs"][1:]
        return [
            entry[str(token)]["logprob"]
            for entry, token in zip(entries, probe.token_ids[1:], strict=True)
        ]

    def _make_client(self) -> JsonClient:
        return JsonClient(self.base_url, timeout_s=CALL_TIMEOUT_S, headers=bearer(self.key))

    async def _post(self, client: JsonClient, path: str, body: dict[str, Any] | None) -> Any:
        return await self._call(client, "POST", path, b"" if body is None else orjson.dumps(body))

    async def _call(self, client: JsonClient, method: str, path: str, body: bytes | None) -> Any:
        try:
            reply = await client.call(method, path, body)
        except CallFailed as error:
            raise SwapFailed(f"policy server: {path}: {error}") from error
        if reply.status != 200:
            message = f"policy server: {path} answered {reply.status}: {reply.excerpt}"
            raise CallRefused(message, reply.status)
        # vLLM answers a load of an adapter with a sentence.
        is_json = reply.headers.get("Content-Type", "").startswith("application/json")
        return reply.json() if reply.content and is_json else None


def _gaps(probes: Sequence[Probe], served: Sequence[Sequence[float]]) -> tuple[float, float]:
    """Mean and largest difference between server and learner."""
    differences = [
        abs(learner_logprob - server_logprob)
        for probe, logprobs in zip(probes, served, strict=True)
        for learner_logprob, server_logprob in zip(probe.logprobs, logprobs, strict=True)
    ]
    return sum(differences) / len(differences), max(differences)


def _adapter_fault(probes: Sequence[Probe], served: Sequence[Sequence[float]]) -> str:
    """Why an adapter does not do what the learner's does; empty where it does. Both are compared
    with the learner's base: vLLM's CPU build answers requests without an adapter wrongly while it
    answers others with one (it takes index -1 for the last adapter)."""
    pairs = list(zip(probes, served, strict=True))
    trained = [
        own - base
        for probe, _ in pairs
        for own, base in zip(probe.logprobs, probe.base_logprobs, strict=True)
    ]
    # Not with the base on the server: that is wrong there while an adapter is loaded (see above).
    shown = [
        own - base
        for probe, logprobs in pairs
        for own, base in zip(logprobs, probe.base_logprobs, strict=True)
    ]
    effect = measure_effect(trained, shown)
    if not effect.is_dead:
        return ""
    return (
        f"the adapter does nothing on the server: it shows {effect.share:.0%} "
        f"(+- {effect.error:.0%}) of what it does in the learner"
    )


async def complete(swap: Coroutine[Any, Any, T]) -> T:
    """The result. A cancellation comes after the end of the swap: one that is broken off leaves the
    server to its guard, which may end it."""
    task = asyncio.ensure_future(swap)
    try:
        # Without the shield a cancellation would stop between pause and resume.
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait({task})
        raise


__all__ = ["BadVersion", "Manifest", "SwapFailed", "SwapReport", "Swapper", "complete"]
