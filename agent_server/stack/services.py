"""A stack whose parts others run (docker-compose, Kubernetes), as a trainer uses it.

Guarantees: an unusable service is one sentence (ServicesUnusable) that names the variable; every
wait is bounded; a policy server that was restarted meanwhile gets the live version again, verified,
and one that does not take it fails the run. The services keep running at the end.
"""

from __future__ import annotations

import asyncio
import contextlib

from agent_server.policy.engine import warm_up
from agent_server.policy.swap import CallRefused, SwapFailed, Swapper
from agent_server.policy.swap_all import SwapperOfAll, VersionSwapper
from agent_server.settings import Settings
from agent_server.stack.local_stack import POLICY_START_S, run_lock
from envs.contract.outcomes import EpisodeFault, InvalidReason
from envs.io.probe import is_healthy

DENIED = InvalidReason.POLICY_DENIED
WATCH_S = 2.0
"""A restart takes a policy server ten times as long, so none goes unnoticed."""


class ServicesUnusable(Exception):
    """The services cannot be used; the message names the variable to change."""


class Services:
    """A `RunningStack` of services that others run. Entering raises RunBusy, or ServicesUnusable
    when no policy server answers in time."""

    api_url: str | None = None

    def __init__(self, settings: Settings, swap_tolerance: float) -> None:
        if not settings.policy_urls:
            raise ServicesUnusable("DESKHAND_POLICY_URLS is not set: which policy server is live?")
        self.settings = settings
        if bool(settings.policy_key) != bool(settings.policy_control_key):
            raise ServicesUnusable(
                "DESKHAND_POLICY_KEY and DESKHAND_POLICY_CONTROL_KEY: a policy server has both keys"
            )
        self._swappers = [
            Swapper(url.rstrip("/"), settings.policy_control_key, swap_tolerance)
            for url in settings.policy_urls
        ]
        several = len(self._swappers) > 1
        self.swapper: VersionSwapper = (
            SwapperOfAll(self._swappers) if several else self._swappers[0]
        )
        self.failure: asyncio.Future[None] | None = None
        self._stack = contextlib.AsyncExitStack()

    async def __aenter__(self) -> Services:
        self._stack.enter_context(run_lock(self.settings.run_dir))
        try:
            async with asyncio.TaskGroup() as group:
                for swapper in self._swappers:
                    group.create_task(self._wait_until_answering(swapper))
        except BaseException as error:
            await self._stack.aclose()
            if isinstance(error, BaseExceptionGroup):
                raise error.exceptions[0] from None
            raise
        self.failure = asyncio.get_running_loop().create_future()
        for swapper in self._swappers:
            watch = asyncio.create_task(
                self._watch(swapper, self.failure), name=f"watch {swapper.base_url}"
            )
            self._stack.push_async_callback(_cancel, watch)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._stack.aclose()
        if self.failure is not None and self.failure.done():
            self.failure.exception()

    async def _wait_until_answering(self, swapper: Swapper) -> None:
        """Wait until a policy server generates. A trainer before this one may have left it in the
        middle of a swap. Raises ServicesUnusable."""
        url, problem = swapper.base_url, "nobody listens, or it is not well"
        try:
            async with asyncio.timeout(POLICY_START_S):
                while True:
                    try:
                        if await is_healthy(f"{url}/health"):
                            await swapper.release()
                            await warm_up(url, self.settings.policy_key)
                            return
                    except (EpisodeFault, SwapFailed) as error:
                        if isinstance(error, EpisodeFault) and error.reason is DENIED:
                            raise ServicesUnusable(
                                f"DESKHAND_POLICY_KEY: {error.detail}"
                            ) from error
                        if isinstance(error, CallRefused) and error.is_final:
                            raise ServicesUnusable(
                                f"DESKHAND_POLICY_CONTROL_KEY: {error}"
                            ) from error
                        problem = str(error)
                    await asyncio.sleep(WATCH_S)
        except TimeoutError as error:
            raise ServicesUnusable(
                f"DESKHAND_POLICY_URLS: {url} did not answer within {POLICY_START_S:g} s: {problem}"
            ) from error

    async def _watch(self, swapper: Swapper, failure: asyncio.Future[None]) -> None:
        try:
            while True:
                await asyncio.sleep(WATCH_S)
                if not await is_healthy(f"{swapper.base_url}/health"):
                    await self._wait_until_answering(swapper)
                    await swapper.restore()
        except (ServicesUnusable, SwapFailed) as error:
            if not failure.done():
                failure.set_exception(error)


async def _cancel(task: asyncio.Task[None]) -> None:
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
