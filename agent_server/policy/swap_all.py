"""A hot swap of several policy servers: a version serves on all of them, or on none.

    a server does not answer: no server is touched
    every server swaps and verifies the version (`swap.py`), all at once
    one refuses it or fails: the others put the version before back, and reject

Guarantees: when a swap has ended, all servers that live have the same version; a server that failed
is named. Servers may differ while a swap is under way: each token knows the version that made it,
and a rejected version's tokens are never trained on.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from agent_server.policy.swap import CallRefused, SwapFailed, Swapper, SwapReport, complete
from envs.io.probe import is_healthy


class VersionSwapper(Protocol):
    """Loads versions into what serves the policy: one server, or several."""

    async def swap(self, folder: Path) -> SwapReport:
        """Load and verify a version. Raises BadVersion, SwapFailed."""
        ...


class SwapperOfAll:
    """Of two servers or more; each has its own `Swapper`, which also serves its restarts."""

    def __init__(self, swappers: Sequence[Swapper]) -> None:
        self._swappers = tuple(swappers)
        self._lock = asyncio.Lock()

    async def swap(self, folder: Path) -> SwapReport:
        """See `VersionSwapper`. BadVersion: no server was touched. SwapFailed: those that live have
        the version before, if there was one."""
        return await complete(self._swap(folder))

    async def _swap(self, folder: Path) -> SwapReport:
        async with self._lock:
            await self._check_health()
            before = [swapper.live for swapper in self._swappers]
            calls = (swapper.swap(folder) for swapper in self._swappers)
            results = await asyncio.gather(*calls, return_exceptions=True)
            reports = [result for result in results if isinstance(result, SwapReport)]
            if len(reports) == len(results) and all(report.accepted for report in reports):
                return _merge(reports, "")
            await self._put_back(before, results)
            for swapper, result in zip(self._swappers, results, strict=True):
                if isinstance(result, CallRefused):
                    raise CallRefused(f"{swapper.base_url}: {result}", result.status) from result
                if isinstance(result, SwapFailed):
                    raise SwapFailed(f"{swapper.base_url}: {result}") from result
                if isinstance(result, BaseException):
                    raise result
            return _merge(reports, self._describe_refusals(results))

    async def _check_health(self) -> None:
        """Raises SwapFailed. While a server restarts, the others serve on without a pause."""
        for swapper in self._swappers:
            if not await is_healthy(f"{swapper.base_url}/health"):
                raise SwapFailed(f"{swapper.base_url} does not answer; no server was touched")

    async def _put_back(
        self, before: Sequence[Path | None], results: Sequence[SwapReport | BaseException]
    ) -> None:
        """Raises SwapFailed where a server that took the version does not give it up."""
        for swapper, folder, result in zip(self._swappers, before, results, strict=True):
            if not (isinstance(result, SwapReport) and result.accepted):
                continue
            if folder is None:
                # Another server refused the first version of all: there is nothing to go back to.
                swapper.live = None
                continue
            report = await swapper.swap(folder)
            if not report.accepted:
                raise SwapFailed(f"{swapper.base_url} cannot go back: {report.reason}")

    def _describe_refusals(self, results: Sequence[SwapReport | BaseException]) -> str:
        return "; ".join(
            f"{swapper.base_url}: {result.reason}"
            for swapper, result in zip(self._swappers, results, strict=True)
            if isinstance(result, SwapReport) and not result.accepted
        )


def _merge(reports: Sequence[SwapReport], reason: str) -> SwapReport:
    """The worst of all servers. Accepted without a reason."""
    return SwapReport(
        reports[0].version,
        not reason,
        max(report.pause_ms for report in reports),
        max(report.mean_abs_diff for report in reports),
        max(report.max_abs_diff for report in reports),
        reason,
    )
