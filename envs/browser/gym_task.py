"""The task of now in the gym server: its key, tools and verdict, and a page that owns its state.

Guarantees: each task has a key of its own, and what a page of an earlier task still sends is
refused; a page that owns its task's state lives through the time of each action once.
"""

from __future__ import annotations

import contextlib
import secrets

from envs.browser.chromium import Chromium
from envs.browser.gym_admin import GymAdmin
from envs.browser.page import Page
from envs.browser.trouble import PageTrouble, answer_of
from envs.contract.actions import ActionError, ActionResult, Tool
from envs.contract.gym_api import PageScripts, SessionReady
from envs.contract.outcomes import EpisodeFault, InvalidReason
from envs.contract.session import Keep, Verdict
from envs.contract.task import Task
from envs.io.cdp import CdpError
from envs.state.gym_evidence import pack


class GymTask:
    """Of one browser session. Without `gym` only tasks of other sites can begin."""

    def __init__(self, gym: GymAdmin | None) -> None:
        self._gym = gym
        self._key: str | None = None
        self.scripts: PageScripts | None = None
        """Of a page that owns its task's state."""
        self._clock: str | None = None
        """Lets the time of the last action go by in such a page, before it is looked at."""

    @property
    def admin(self) -> GymAdmin:
        """Raises EpisodeFault on a host without gyms."""
        if self._gym is None:
            raise EpisodeFault(InvalidReason.UNRUNNABLE, "this host serves no gyms (--gym-url)")
        return self._gym

    @property
    def key(self) -> str:
        """Under which the server holds the task. Raises EpisodeFault if it holds none."""
        if self._key is None:
            raise EpisodeFault(InvalidReason.UNRUNNABLE, "no gym holds a task of this session")
        return self._key

    @property
    def is_begun(self) -> bool:
        """Whether the gym server holds a task of this session."""
        return self._gym is not None and self._key is not None

    async def begin(self, task: Task) -> SessionReady:
        """The task under a new key. Raises EpisodeFault."""
        gym, self._key = self.admin, secrets.token_urlsafe(24)
        return await gym.put(self._key, task)

    async def begin_again(self, task: Task) -> SessionReady:
        """The task under the key of the last one, whose page goes on. Raises EpisodeFault."""
        return await self.admin.put(self.key, task)

    async def begin_in(self, page: Page, scripts: PageScripts | None) -> bool:
        """Whether the open page began the task that the scripts are for."""
        if scripts is None or await page.run(scripts.begin) is not True:
            return False
        page.console.clear()
        self.scripts, self._clock = scripts, ""
        return True

    async def drop(self) -> None:
        """Ends the task in the server: its pages can change nothing from here on."""
        key, self._key = self._key, None
        if key is not None and self._gym is not None:
            with contextlib.suppress(EpisodeFault):
                await self._gym.delete(key)

    def forget_page(self) -> PageScripts | None:
        """The page's scripts, which are those of no task any more."""
        scripts, self.scripts, self._clock = self.scripts, None, None
        return scripts

    def add_time(self, waited_ms: int | None) -> None:
        """The last action took this time, or as long as actions take."""
        if self.scripts is not None:
            waited = "null" if waited_ms is None else str(waited_ms)
            self._clock = f"({self.scripts.elapse})({waited})"

    def take_clock(self) -> str | None:
        """What lets the last action's time go by; "" if none has, None for pages without such a
        clock. Whoever takes it runs it."""
        clock, self._clock = self._clock, None
        return clock

    async def let_time_pass(self, page: Page) -> None:
        """Runs it now."""
        if clock := self.take_clock():
            with contextlib.suppress(CdpError):  # it went to another page, which has no clock
                await page.run(clock)

    async def call_tool(self, action: Tool) -> ActionResult:
        """A tool of the gym's own apps."""
        if self._gym is None or self._key is None:
            message = f"there is no tool {action.name[:60]}"
            return ActionResult.failure(ActionError.UNKNOWN_TOOL, message)
        reply = await self._gym.tool(self._key, action.name, action.arguments)
        if reply.error is not None:
            return ActionResult.failure(ActionError.TOOL_FAILED, str(reply.error)[:500])
        return ActionResult.success(reply.value)

    async def judge(
        self,
        task: Task | None,
        page: Page | None,
        chromium: Chromium,
        answer: str | None,
        infeasible: bool,
        keep: Keep | None,
    ) -> Verdict:
        """The gym's verdict on its own state, and on `page`, which may own it. Raises
        EpisodeFault."""
        if task is None or self._key is None or self._gym is None:
            raise EpisodeFault(
                InvalidReason.EVALUATOR_ERROR, "the task names no gym, so nothing can judge it"
            )
        report = None
        if self.scripts is not None and page is not None:
            page_report = await answer_of(page.run(self.scripts.report), chromium)
            # It left the task's page, or made it hang: nothing was achieved.
            report = None if isinstance(page_report, PageTrouble) else page_report
        if keep is None:
            return await self._gym.verdict(self._key, answer, infeasible, report)
        verdict, evidence = await self._gym.verdict_on(self._key, task, answer, infeasible, report)
        keep(pack(evidence))
        return verdict
