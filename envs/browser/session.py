"""A browser session: one Chromium context, recycled from task to task.

Reset takes the cheapest level that can prove itself fresh: `page` (a page that owns its task's
state begins the next task of the same template by its gym's own script), else `warm` (same context;
storage wiped, new server-side state and key, cookies checked), else `context` (a new one), else
`browser` (a new process, when the present one does not answer: its other sessions lose their
episodes). Every fault of a level drops to the next; the last one's fault is the caller's.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Iterator, Mapping, Sequence

from envs.browser.browser_choice import BrowserChoice, OpenWeb
from envs.browser.chromium import Browsers, Chromium
from envs.browser.gym_admin import GymAdmin, calls_of_fresh_context
from envs.browser.gym_task import GymTask
from envs.browser.inspect import inspect_page
from envs.browser.observe import Observer
from envs.browser.page import Page
from envs.browser.page_size import PAGE_SIZE
from envs.browser.perform import Performer
from envs.browser.put_back import put_back, take_snapshot
from envs.browser.saved_state import put_state, read_state
from envs.browser.secret_book import SecretBook
from envs.browser.session_files import SessionFiles
from envs.browser.snapshots import Snapshot
from envs.browser.tabs import Tabs
from envs.browser.tools import TOOLS
from envs.browser.trouble import BEYOND_RESET, PageTrouble, answer_of, get_reason
from envs.browser.web_browser import WebBrowser
from envs.contract.actions import (
    Action,
    ActionError,
    ActionResult,
    Dialog,
    History,
    SimpleAction,
    Tab,
    Tool,
    Type,
    Wait,
    perform_in_order,
)
from envs.contract.browser_state import BrowserState
from envs.contract.files import FileInfo, SessionFileList
from envs.contract.gym_api import APPLICATIONS, has_own_pages
from envs.contract.observations import Observation, Observe
from envs.contract.outcomes import EpisodeFault, InvalidReason
from envs.contract.page_facts import PageFacts
from envs.contract.screen_size import Size
from envs.contract.secret import Secret
from envs.contract.session import (
    CannotSnapshot,
    Keep,
    ResetReply,
    SnapshotTaken,
    StepReply,
    Verdict,
)
from envs.contract.task import Task
from envs.io.cdp import CdpError

OBSERVE_LIMIT_S = 14.0
GUI_ONLY_ALLOWED = {"done", "infeasible", "note", "wait", "tool"}


class BrowserSession:
    """See `envs.contract.session.Session`. Not for concurrent calls."""

    def __init__(
        self,
        browsers: Browsers,
        gym: GymAdmin | None,
        open_web: OpenWeb = WebBrowser.open,
        size: Size = PAGE_SIZE,
    ) -> None:
        self._size, self._snapshots = size, browsers.snapshots
        self._choice = BrowserChoice(browsers, open_web)
        self._gym = GymTask(gym)
        self._secrets = SecretBook()
        self._files = SessionFiles(self._secrets)
        self._tabs = self._make_tabs()
        self._performer = Performer(*size, self._secrets, self._files)
        self._task: Task | None = None
        self._state = self._lent_state = BrowserState()
        """Of the task of now, and for the next one."""
        self._observer = Observer(size, self._secrets)
        self._broken = False

    @property
    def _chromium(self) -> Chromium:
        return self._choice.chromium

    @property
    def page(self) -> Page:
        """The active tab."""
        if not self._tabs.pages and self._task is None:
            raise EpisodeFault(InvalidReason.HOST_LOST, "the session has no open tab")
        return self._tabs.page

    def _make_tabs(self) -> Tabs:
        return Tabs(self._chromium, *self._size, self._secrets.redact)

    async def lend_secrets(self, secrets: Mapping[str, Secret]) -> None:
        """For the task of the next reset: what its agent may type without seeing it."""
        self._secrets.lend(secrets)

    async def lend_state(self, state: BrowserState) -> None:
        """For the task of the next reset: its sites' logged-in state."""
        self._lent_state = state

    async def read_state(self) -> BrowserState:
        """What the task's sites have in the browser now. Raises EpisodeFault."""
        if self._task is None or self._task.gym is not None:
            raise EpisodeFault(InvalidReason.UNRUNNABLE, "the pages of gyms keep no state")
        origins = [each.origin for each in self._state.origins]
        with self._break_on_fault():
            state = await read_state(self._chromium.connection, self._tabs, origins)
        return state.within(self._task.reach)

    async def put_file(self, name: str, data: bytes) -> FileInfo:
        """A file that pages can be given. Raises FileRefused, EpisodeFault."""
        return self._files.put(self._chromium, name, data)

    async def list_files(self) -> SessionFileList:
        """What was put there and what was downloaded."""
        return await self._files.list()

    async def read_file(self, name: str) -> bytes:
        """One of them. Raises NoSuchFile."""
        return self._files.read(name)

    async def reset(self, task: Task, observe: Observe) -> ResetReply:
        """Starts the task on a fresh page. Raises EpisodeFault."""
        started = time.perf_counter()
        # First: what was lent for this reset is not for the next one, also if this one fails.
        self._secrets.begin()
        self._state, self._lent_state = self._lent_state.within(task.reach), BrowserState()
        await self._files.begin()
        # The gym drops the state of the last task first: its pages can change nothing from here on.
        if not self._goes_on_in_page(task):
            await self._gym.drop()
        self._task, fault = task, None
        if await self._choice.choose(task):
            await self._tabs.dispose()
            self._tabs = self._make_tabs()
        for reset_level in ("warm", "context", "browser"):
            # What a site of the internet leaves behind in a context, nobody can list.
            if reset_level == "warm" and (task.allow or not self._warm):
                continue
            try:
                # Observing belongs to the level: a page that cannot be read is no fresh page.
                reset_level, state_hash = await self._enter(task, reset_level)
                observation = await self._observe(observe)
            except (EpisodeFault, CdpError) as error:
                self._broken, fault = True, error
                if isinstance(error, EpisodeFault) and error.reason in BEYOND_RESET:
                    raise
                # Contexts that break one after the other are a sign of a process that should be
                # renewed.
                self._chromium.broken_contexts += reset_level == "context"
                continue
            self._broken, self._chromium.broken_contexts = False, 0
            return _make_reset_reply(observation, state_hash, reset_level, started)
        if isinstance(fault, EpisodeFault) and fault.reason is not InvalidReason.HOST_LOST:
            raise EpisodeFault(
                fault.reason if fault.reason is InvalidReason.HOST_START else InvalidReason.RESET,
                fault.detail,
            ) from fault
        raise EpisodeFault(InvalidReason.RESET, f"no reset level worked: {fault}")

    def _goes_on_in_page(self, task: Task) -> bool:
        """Whether the open page may begin this task itself. Its key then stays: the server holds
        no state behind it."""
        last = self._task
        same = last is not None and (last.gym, last.template) == (task.gym, task.template)
        return same and self._gym.scripts is not None and self._gym.is_begun and self._warm

    @property
    def _warm(self) -> bool:
        return self._tabs.are_usable and not self._broken

    async def _prepare(self, task: Task, reset_level: str) -> None:
        if reset_level == "warm":
            await self._tabs.keep_one(has_own_pages(task.gym))
            await self._performer.release_all(self.page)
            self._observer.forget()
        else:
            await self._tabs.dispose()
            await (self._chromium.renew() if reset_level == "browser" else self._chromium.ensure())
            self._performer = Performer(*self._size, self._secrets, self._files)
            await self._tabs.open_context()
        if task.keep_files:
            await self._files.keep_downloads(self._chromium, self._tabs.context)

    async def _enter(self, task: Task, reset_level: str) -> tuple[str, str]:
        """Opens the task's start page in a clean context, or begins the task in the open one. Gives
        the level that it was in the end, and the state's hash."""
        scripts = self._gym.forget_page()
        if reset_level == "warm" and self._gym.is_begun and scripts is not None:
            # The gym prepares the task while the tab is tidied: neither needs the other.
            offer = asyncio.create_task(self._gym.begin_again(task))
            try:
                await self._prepare(task, reset_level)
                entered = await offer
            finally:
                offer.cancel()
            # The page has kept its document: there is no navigation, cookie or storage to check.
            if await self._gym.begin_in(self.page, entered.page):
                return "page", entered.state_hash
            await self._gym.drop()
        else:
            await self._prepare(task, reset_level)
        page = self.page
        if task.gym is None:
            start, state_hash, scripts = self._choice.start_of(task), "", None
            self._performer.origin = None
            # A site may have stored under any origin that its pages came from.
            everything = {"origin": "*", "storageTypes": "all"}
            await page.pipeline(
                [
                    ("Network.clearBrowserCookies", None),
                    ("Storage.clearDataForOrigin", everything),
                ]
            )
            await put_state(self._chromium.connection, self._tabs, self._state)
        else:
            base = self._gym.admin.base_url
            entered = await self._gym.begin(task)
            start, state_hash = base + entered.start_path, entered.state_hash
            scripts = entered.page
            self._performer.origin = base
            await page.pipeline(calls_of_fresh_context(base, self._gym.key))
        if error := await page.navigate(start):
            reason = self._choice.explain(error)
            raise EpisodeFault(InvalidReason.RESET, f"could not open {start}: {reason}")
        if not await page.wait_complete() and task.gym is not None:
            raise EpisodeFault(InvalidReason.RESET, f"{start} did not load in time")
        # What was written until here is nothing that the agent caused.
        page.console.clear()
        _, cookies = await page.pipeline(
            [("Page.resetNavigationHistory", None), ("Network.getCookies", None)]
        )
        if task.gym is not None and page.dialog is None:
            # The proof that the context is clean: only our cookie is there, so nothing of the last
            # task came back while the page loaded. An open dialog would hold up the answer.
            values = [entry["value"] for entry in cookies["cookies"]]
            if values != [self._gym.key]:
                raise EpisodeFault(InvalidReason.RESET, "the context was not clean")
        if scripts is not None and not await self._gym.begin_in(page, scripts):
            raise EpisodeFault(InvalidReason.RESET, f"{start} did not begin the task")
        return reset_level, state_hash

    async def snapshot(self) -> SnapshotTaken:
        """Keeps the state of now, for `restore` in any session of the host. Raises CannotSnapshot,
        EpisodeFault."""
        if self._task is None or not self._gym.is_begun:
            raise CannotSnapshot("only the state of a web gym's task can be kept")
        if self._gym.scripts is not None:
            raise CannotSnapshot(f"the pages of {self._task.gym} keep their state in their scripts")
        await self._tabs.adopt()
        if len(self._tabs.pages) != 1 or self._performer.held or self._performer.button:
            raise CannotSnapshot("close other tabs, and let go of keys and mouse buttons, first")
        gym = self._gym.admin
        snapshot = await take_snapshot(self._task, self.page, self._performer, gym, self._gym.key)
        for surplus in self._snapshots.add(snapshot):
            await gym.delete(surplus.key)
        return SnapshotTaken(id=snapshot.id, state_hash=snapshot.state_hash)

    async def restore(self, snapshot_id: str, observe: Observe) -> ResetReply:
        """Puts page and app into the state of a snapshot, exactly. Raises CannotSnapshot,
        EpisodeFault."""
        started = time.perf_counter()
        snapshot = self._snapshots.get(snapshot_id)
        reset_level = "state"
        if self._task != snapshot.task or not self._warm:
            reset_level = (await self.reset(snapshot.task, Observe(tree=False))).reset_level
        with self._break_on_fault():
            await self._put_back(snapshot)
            observation = await self._observe(observe)
        return _make_reset_reply(observation, snapshot.state_hash, reset_level, started)

    async def _put_back(self, snapshot: Snapshot) -> None:
        gym = self._gym.admin
        await self._tabs.keep_one(is_trusted=True)
        await self._performer.release_all(self.page)
        await put_back(snapshot, self.page, self._performer, gym, self._gym.key)
        self._observer.forget()

    async def inspect(self, actions: Sequence[Action]) -> PageFacts:
        """What they would touch, and what the page says; nothing is done. Raises EpisodeFault."""
        with self._break_on_fault():
            return await inspect_page(self.page, self._performer, actions)

    async def step(self, actions: list[Action], observe: Observe) -> StepReply:
        """Runs actions in order, settles, observes. Raises EpisodeFault."""
        with self._break_on_fault():
            return await self._step(actions, observe)

    @contextlib.contextmanager
    def _break_on_fault(self) -> Iterator[None]:
        """After a fault in the body the next reset does not trust this context. Raises
        EpisodeFault."""
        try:
            yield
        except EpisodeFault:
            self._broken = True
            raise
        except CdpError as error:
            self._broken = True
            raise EpisodeFault(get_reason(error), str(error)) from error

    async def _step(self, actions: list[Action], observe: Observe) -> StepReply:
        started = time.perf_counter()
        results = await perform_in_order(actions, self._act_on_page)
        acted = time.perf_counter()
        observation = await self._observe_anyhow(observe)
        ended = time.perf_counter()
        return StepReply(
            results=tuple(results),
            observation=observation,
            refused_hosts=self._secrets.redact(self._choice.take_refused()),
            timings_ms={
                "act": round((acted - started) * 1000, 3),
                "observe": round((ended - acted) * 1000, 3),
            },
        )

    async def _act_on_page(self, action: SimpleAction, final: bool) -> ActionResult:
        result = await answer_of(self._act(action, final), self._chromium)
        self._broken |= isinstance(result, PageTrouble)
        result = result.result if isinstance(result, PageTrouble) else result
        if result.ok and result.value is None and (news := self._files.take_news()):
            result = result.model_copy(update={"value": news})
        texts = result.model_dump(include={"message", "value", "element"})
        return ActionResult.model_validate(result.model_dump() | self._secrets.redact(texts))

    async def _observe_anyhow(self, observe: Observe) -> Observation:
        seen = await answer_of(self._observe(observe), self._chromium, OBSERVE_LIMIT_S)
        if isinstance(seen, Observation):
            return seen
        self._broken = True
        return self._observer.show_trouble(seen, self._performer, observe)

    async def _act(self, action: SimpleAction, final: bool) -> ActionResult:
        mode = self._task.tools if self._task is not None else "both"
        if mode == "gui" and isinstance(action, Tool):
            return ActionResult.failure(ActionError.NOT_ALLOWED, "this task has no tools")
        if mode == "api" and action.type not in GUI_ONLY_ALLOWED:
            return ActionResult.failure(ActionError.NOT_ALLOWED, "this task has tools only")
        # A dialog blocks the page: an action that ignores it would wait until its limit.
        answers = Dialog if self.page.chooser is None else Dialog | Type
        if self.page.dialog is not None and not isinstance(action, answers):
            await self.page.handle_dialog(False, None)
        if isinstance(action, Tool):
            await self.page.wait_loaded()
            if action.name in TOOLS:
                return await TOOLS.call(action.name, action.arguments, self)
            return await self._site_tool(action)
        if isinstance(action, Tab):
            return await self._tabs.perform(action, self._performer)
        result = await self._performer.perform(self.page, action)
        if self.page.dialog is None:
            self._gym.add_time(action.ms if isinstance(action, Wait) else None)
            # After the last action the observation does it, in the same round trip.
            if not final:
                await self._gym.let_time_pass(self.page)
        return result

    async def _site_tool(self, action: Tool) -> ActionResult:
        """A tool of the gym's own apps; the page is loaded anew, to show what it changed."""
        result = await self._gym.call_tool(action)
        if result.ok:
            await self._performer.perform(self.page, History(op="reload"))
        return result

    async def act_raw(self, action: SimpleAction) -> ActionResult:
        """For tools: one GUI action on the active tab, whatever the task's `tools` switch says."""
        return await self._performer.perform(self.page, action)

    async def _observe(self, observe: Observe) -> Observation:
        page, clock = self.page, self._gym.take_clock()
        calm = self._task is not None and self._task.gym in APPLICATIONS
        return await self._observer.observe(page, self._tabs, self._performer, observe, clock, calm)

    async def evaluate(
        self, answer: str | None = None, infeasible: bool = False, keep: Keep | None = None
    ) -> Verdict:
        """The gym's verdict on its own state. Raises EpisodeFault."""
        page = self.page if self._gym.scripts is not None else None
        return await self._gym.judge(self._task, page, self._chromium, answer, infeasible, keep)

    async def close(self) -> None:
        """Closes the browser context and the gym session."""
        await self._gym.drop()
        await self._files.begin()
        await self._tabs.dispose()
        await self._choice.close()


def _make_reset_reply(
    observation: Observation, state_hash: str, reset_level: str, started: float
) -> ResetReply:
    elapsed = (time.perf_counter() - started) * 1000
    return ResetReply(
        observation=observation,
        state_hash=state_hash,
        reset_level=reset_level,
        timings_ms={"reset": round(elapsed, 3)},
    )
