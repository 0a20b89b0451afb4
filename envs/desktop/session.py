"""A desktop session: the one desktop of its host, recycled from task to task.

Reset takes the cheapest level that can prove itself fresh: `warm` (programs ended, home folder
equal to its snapshot, no stray process left), else `desktop` (a new display and everything on it).
In between, a display that ended or hangs was ended by what the agent did: it is started again, the
agent is told, and the episode goes on and is judged.
One round trip does act, settle, observe; a screenshot never waits for the accessibility tree of a
program that hangs longer than that program's own time limit.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO, Protocol

import xcffib

from envs.contract.actions import (
    Action,
    ActionError,
    ActionResult,
    SimpleAction,
    Tool,
    perform_in_order,
)
from envs.contract.files import FileInfo, SessionFileList
from envs.contract.observations import Observation, Observe, Tree
from envs.contract.outcomes import EpisodeFault, InvalidReason
from envs.contract.session import ResetReply, StepReply
from envs.contract.task import Task
from envs.contract.tools import Toolset
from envs.desktop import file_work, sheet_texts, tree
from envs.desktop.a11y import AccessError, Budget, Node
from envs.desktop.desktop import Desktop
from envs.desktop.home import content_hashes
from envs.desktop.limits import EVERY_S
from envs.desktop.made_files import HomeFiles
from envs.desktop.perform import Performer
from envs.desktop.tree import Element
from envs.desktop.windows import WindowInfo
from envs.state.canonical import state_hash
from envs.state.evidence import Collected, Missing

log = logging.getLogger(__name__)

SETTLE_S = 1.0
"""Longest wait for a quiet screen after an action."""
TREE_S = 3.0
"""Longest wait for one application's tree."""
TREES_S = 7.0
"""Longest wait for those of all windows of the program in front."""
MAX_NODES = 3000
HELD_ANSWER_S = 20.0
"""Longest wait for a person to hand back before the step is refused with HumanTakeover."""
X_ERRORS = (xcffib.ConnectionException, TimeoutError)
DISPLAY_ENDED = (
    "the display had ended or did not answer: it was started again, and all programs are closed"
)


class TaskSupport(Protocol):
    """What tasks need of a desktop beyond actions: setup steps before, evidence after."""

    async def set_up(self, steps: Sequence[Mapping[str, Any]]) -> list[str]:
        """Runs setup steps in order; returns a sentence about each that failed and may. Raises
        EpisodeFault(RESET)."""
        ...

    async def collect(
        self, postconfig: Sequence[Mapping[str, Any]], getters: Sequence[Mapping[str, Any]]
    ) -> Collected:
        """What getters return, after the evaluator's setup steps. Raises EpisodeFault."""
        ...

    def file(self, value: int, number: int) -> Path:
        """A collected file, until `drop`. Raises KeyError."""
        ...

    def lend(self, name: str, file: BinaryIO) -> None:
        """A file of the client's mirror, for the next `set_up` and what follows until `drop`."""

    def drop(self) -> None:
        """Removes what was collected."""


class DesktopSession:
    """See `envs.contract.session.LeasedSession`. Not for concurrent calls."""

    def __init__(
        self,
        desktop: Desktop,
        tools: Toolset,
        task_support: TaskSupport,
        allow_shell: bool = False,
    ) -> None:
        self.desktop = desktop
        self._tools = tools
        self.task_support = task_support
        self._allow_shell = allow_shell
        self._performer = Performer(desktop)
        self._files = HomeFiles(desktop.home)
        self._tree_ids: dict[str, int] = {}

    async def reset(self, task: Task, observe: Observe) -> ResetReply:
        """Puts the desktop into the initial state of the task. Raises EpisodeFault."""
        started = time.perf_counter()
        self._forget_person()
        self.task_support.drop()
        reset_level, fault = "warm", None
        for reset_level in ("warm", "desktop"):
            try:
                if reset_level == "desktop":
                    await self.desktop.close()
                    await self.desktop.start()
                elif not self.desktop.alive:
                    continue
                else:
                    await self.desktop.recycle()
                break
            except (OSError, *X_ERRORS) as error:
                fault = error
                log.warning("the reset %r failed: %r", reset_level, error)
        else:
            raise EpisodeFault(InvalidReason.RESET, f"the desktop cannot be reset: {fault!r}")
        recycled = time.perf_counter()
        self.desktop.watch.excess = None
        self._tree_ids.clear()
        self.desktop.outputs.clear()
        notes = await self.task_support.set_up(task.config)
        files = await asyncio.to_thread(content_hashes, self.desktop.home)
        self.desktop.baseline = files
        self._files.begin(files)
        prepared = time.perf_counter()
        observation = await self._observe(observe)
        ended = time.perf_counter()
        return ResetReply(
            observation=observation,
            state_hash=state_hash({"task": task.id, "files": files}),
            reset_level=reset_level,
            notes=tuple(notes),
            timings_ms={
                "recycle": round((recycled - started) * 1000, 3),
                "setup": round((prepared - recycled) * 1000, 3),
                "observe": round((ended - prepared) * 1000, 3),
                "reset": round((ended - started) * 1000, 3),
            },
        )

    async def step(self, actions: list[Action], observe: Observe) -> StepReply:
        """Runs actions in order, settles, observes. Raises EpisodeFault."""
        await self.desktop.takeover.wait(HELD_ANSWER_S)
        try:
            if not self.desktop.alive:
                await self.desktop.revive()
            reply = await self._step(actions, observe)
        except (OSError, EOFError, EpisodeFault, xcffib.XcffibException) as error:
            reply = await self._recover(error, observe)
        return reply.model_copy(update={"exceeded": reply.exceeded or self.desktop.watch.excess})

    async def _recover(self, error: Exception, observe: Observe) -> StepReply:
        """What a step sees whose display, or box, did not hold. Where neither can be brought back,
        the programs of the task have worn the box out."""
        # A box without processes or memory to spare fails before the watch has measured it.
        await asyncio.sleep(2 * EVERY_S)
        exceeded = self.desktop.watch.excess
        log.warning("the desktop did not answer: %r; limit: %s", error, exceeded)
        try:
            if exceeded is None:
                await self.desktop.revive()
                failure = ActionResult.failure(ActionError.TOOL_FAILED, DISPLAY_ENDED)
                return StepReply(results=(failure,), observation=await self._observe(observe))
        except (OSError, EOFError, EpisodeFault, xcffib.XcffibException) as final:
            exceeded = f"the desktop does not start again: {final}"[:500]
        failure = ActionResult.failure(ActionError.TOOL_FAILED, exceeded or "")
        return StepReply(
            results=(failure,), observation=Observation(hash="exceeded"), exceeded=exceeded
        )

    async def _step(self, actions: list[Action], observe: Observe) -> StepReply:
        person, held_s = self.desktop.takeover.take_record()
        started = time.perf_counter()
        looks = observe.tree or observe.text or observe.screenshot is not None
        settle_ms = drawn_ms = 0.0

        async def act(action: SimpleAction, final: bool) -> ActionResult:
            nonlocal settle_ms, drawn_ms
            await self.desktop.expect_input()
            result = await self._act(action)
            last = final or not result.ok
            if looks or not last or not isinstance(action, Tool):
                since = time.monotonic()
                await self.desktop.settle(SETTLE_S)
                settle_ms += (time.monotonic() - since) * 1000
                drawn_ms += max(0.0, self.desktop.x11.drawn_at - since) * 1000
            return result

        results = await perform_in_order(actions, act)
        acted = time.perf_counter()
        observation = await self._observe(observe)
        ended = time.perf_counter()
        return StepReply(
            results=tuple(results),
            observation=observation,
            person=person,
            timings_ms={
                "held": round(held_s * 1000, 3),
                "act": round((acted - started) * 1000 - settle_ms, 3),
                "settle": round(settle_ms, 3),
                "drawn": round(drawn_ms, 3),
                "observe": round((ended - acted) * 1000, 3),
            },
        )

    async def _act(self, action: SimpleAction) -> ActionResult:
        if isinstance(action, Tool):
            if action.name not in self._tools:
                return ActionResult.failure(
                    ActionError.UNKNOWN_TOOL, f"there is no tool {action.name[:60]}"
                )
            return await self._tools.call(
                action.name, action.arguments, self.desktop, self._allow_shell
            )
        return await self._performer.perform(action)

    async def _observe(self, observe: Observe) -> Observation:
        shown = await self.desktop.windows()
        active = next((window for window in shown if window.active), None)
        elements: list[Element] = []
        truncated = False
        if observe.tree or observe.text:
            elements, truncated = await self._elements(shown)
        if observe.tree:
            content, count = tree.render(elements, observe.tree_chars)
            truncated |= count < len(elements)
        else:
            content, count = str(await self.desktop.x.run(self.desktop.screen.checksum)), 0
        titles = tuple(_window_line(index, window) for index, window in enumerate(shown))
        digest = hashlib.blake2b("\n".join((*titles, content)).encode(), digest_size=12).hexdigest()
        if observe.tree:
            self._performer.elements = elements[:count]
            self._performer.tree = self._tree_ids.setdefault(digest, len(self._tree_ids) + 1)
        if observe.unless_hash == digest:
            return Observation(hash=digest, unchanged=True)
        shot = observe.screenshot
        return Observation(
            hash=digest,
            title=active.title if active else "",
            tree=Tree(id=self._performer.tree, text=content, truncated=truncated)
            if observe.tree
            else None,
            screenshot=shot and await self.desktop.x.run(lambda: self.desktop.screen.shot(shot)),
            text=_plain_text(elements) if observe.text else None,
            windows=titles if observe.windows else (),
        )

    async def _elements(self, shown: list[WindowInfo]) -> tuple[list[Element], bool]:
        """Lines of the active window's program and of the other windows, and whether some are
        missing. A window that is behind others is one line: what it holds cannot be clicked."""
        try:
            tops = await self.desktop.a11y.top_levels(TREE_S)
        except AccessError:
            return tree.window_lines(shown), True
        front = _front(tops, shown)
        budget = Budget(MAX_NODES)
        try:
            async with asyncio.timeout(TREES_S):
                whole = [await self.desktop.a11y.walk(top, budget, TREE_S) for top in front]
        except TimeoutError:
            return tree.window_lines(shown), True
        await sheet_texts.show_formats(self.desktop.office, front)
        lines = tree.window_lines(shown)
        return [*lines, *tree.elements(front)], budget.cut or not all(whole)

    def _forget_person(self) -> None:
        self.desktop.takeover.end()
        self.desktop.takeover.take_record()

    async def collect(
        self, postconfig: Sequence[Mapping[str, Any]], getters: Sequence[Mapping[str, Any]]
    ) -> Collected:
        """What getters return, after the evaluator's setup steps; `task_support` has the files
        until the next reset."""
        await self.desktop.takeover.wait(HELD_ANSWER_S)
        for is_last in (False, True):
            try:
                await self.desktop.revive()
            except EpisodeFault as fault:
                # It ran before the agent acted: what the agent made of it achieves nothing.
                gone = Missing(what=f"the desktop does not start again: {fault.detail}"[:500])
                return Collected(values=(gone,) * len(getters))
            try:
                collected = await self.task_support.collect(postconfig, getters)
            except EpisodeFault:
                if is_last or self.desktop.alive:
                    raise
            else:
                if is_last or self.desktop.alive:
                    return collected
            # A program of the task has ended the display meanwhile. It ends with it.
        raise AssertionError("the second collection was the last")

    async def put_file(self, name: str, data: bytes) -> FileInfo:
        """Writes a file into the home folder. Raises FileRefused."""
        return await file_work.run(lambda: self._files.put(name, data))

    async def list_files(self) -> SessionFileList:
        """What was put there, and what was made since the reset."""
        return await file_work.run(self._files.list)

    async def read_file(self, name: str) -> bytes:
        """One of them. Raises NoSuchFile."""
        return await file_work.run(lambda: self._files.read(name))

    async def close(self) -> None:
        """Leaves the desktop as it found it, for the next session; viewers and films end."""
        await self.desktop.viewers.end()
        await self.desktop.recorder.drop()
        self._forget_person()
        self.task_support.drop()
        if self.desktop.alive:
            try:
                await self.desktop.recycle()
            except (OSError, *X_ERRORS):
                await self.desktop.close()


def _front(tops: list[Node], shown: list[WindowInfo]) -> list[Node]:
    """The active window and what its program shows without a window of its own (menus, lists)."""
    titles = {window.title for window in shown if not window.active}
    active = [top for top in tops if "active" in top.states]
    buses = {top.address.bus for top in active}
    popups = [
        top
        for top in tops
        if top not in active
        and top.address.bus in buses
        and top.name not in titles
        and top.role in ("window", "menu", "popup menu", "list", "tool tip")
    ]
    return [*popups, *active]


def _window_line(index: int, window: WindowInfo) -> str:
    return f"{'*' if window.active else ''}{index} {window.title} ({window.application})"


def _plain_text(elements: list[Element]) -> str:
    return "\n".join(
        " ".join(part for part in (element.name, element.value) if part) for element in elements
    )
