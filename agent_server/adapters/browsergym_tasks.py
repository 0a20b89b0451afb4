"""Every template of the web gyms as a task of BrowserGym.

    import gymnasium
    from agent_server.adapters.browsergym_tasks import register_tasks
    register_tasks()                                        # browsergym/deskhand.<gym>.<template>
    env = gymnasium.make("browsergym/deskhand.shop.price")
    observation, info = env.reset(seed=7)

Guarantees: `reset(seed)` always gives the same task; BrowserGym's own Chromium shows the pages, and
reaches the state only as a visitor does; the episode ends with the agent's message to the user,
which is its answer, or with `report_infeasible`, and then has one reward, the verdict's score. One
gym server serves all environments of a process, and stops with it.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import threading
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from typing import Any

import gymnasium
from browsergym.core.registration import register_task
from browsergym.core.task import AbstractBrowserTask

from agent_server.adapters.loop_thread import LoopThread
from agent_server.adapters.text_episode import make_gym_task
from envs.browser.gym_admin import COOKIE, GymAdmin
from envs.contract.outcomes import EpisodeFault
from envs.contract.session import Verdict
from envs.contract.task import Split, Task
from envs.gyms.kit.gym import AppGym
from envs.gyms.server.registry import web_gyms
from envs.providers.local import local_gyms

TRAIN_SEEDS = 1_000_000
OPEN_MS = 10_000
VIEWPORT = {"width": 1280, "height": 720}
ENDINGS = ("assistant", "infeasible")
"""Roles of the chat messages that end an episode."""


class GymServer:
    """A gym server of this machine and its admin routes."""

    def __init__(self) -> None:
        self._loop = LoopThread()
        self._admin: GymAdmin = self._loop.enter(_serve())

    def begin(self, key: str, task: Task) -> str:
        """Makes the session of a key; the address of its first page. Raises EpisodeFault."""
        ready = self._loop.call(self._admin.put(key, task))
        return f"{self._admin.base_url}{ready.start_path}"

    def verdict(self, key: str, answer: str | None, infeasible: bool) -> Verdict:
        """The verdict on a session as it is now. Raises EpisodeFault."""
        return self._loop.call(self._admin.verdict(key, answer, infeasible))

    def end(self, key: str) -> None:
        """Drops a session."""
        with contextlib.suppress(EpisodeFault):
            self._loop.call(self._admin.delete(key))

    def close(self) -> None:
        """Stops the server."""
        self._loop.close()


@contextlib.asynccontextmanager
async def _serve() -> AsyncIterator[GymAdmin]:
    async with local_gyms() as gyms:
        admin = GymAdmin(gyms.url, gyms.token)
        try:
            yield admin
        finally:
            await asyncio.shield(admin.close())


_lock = threading.Lock()
_servers: list[GymServer] = []


def shared_server() -> GymServer:
    """The gym server of this process: started by the first call."""
    with _lock:
        if not _servers:
            _servers.append(GymServer())
        return _servers[0]


class WebGymTask(AbstractBrowserTask):  # type: ignore[misc]  # the package has no types
    """One task of a template. `seed` None: any of the training seeds."""

    def __init__(
        self, seed: int | None, gym: str, template: str, split: Split = "train", disturb: float = 0
    ) -> None:
        """Raises KeyError and ValueError for a task that does not exist."""
        super().__init__(seed)
        chosen = int(self.random.randint(TRAIN_SEEDS)) if seed is None else seed
        self.task = make_gym_task(gym, template, chosen, split, "gui", disturb)
        self.viewport = dict(VIEWPORT)
        # BrowserGym's default waits a second before each call of Playwright.
        self.slow_mo = 0
        self._key = ""

    def setup(self, page: Any) -> tuple[str, dict[str, Any]]:
        """Opens the task's first page; the goal is the instruction. Raises EpisodeFault."""
        self._key = secrets.token_urlsafe(24)
        url = shared_server().begin(self._key, self.task)
        # The cookie names the session; the gym server shows its pages to nobody else.
        page.context.add_cookies(
            [{"name": COOKIE, "value": self._key, "url": url, "httpOnly": True}]
        )
        page.goto(url, timeout=OPEN_MS)
        return self.task.instruction, {"task": self.task.id}

    def validate(
        self, page: Any, chat_messages: Sequence[Mapping[str, Any]]
    ) -> tuple[float, bool, str, dict[str, Any]]:
        """The verdict's score once the agent has said that it is done; before, 0 and no end."""
        ending = next(_endings(chat_messages), None)
        if ending is None:
            return 0.0, False, "", {}
        infeasible = ending["role"] == "infeasible"
        answer = None if infeasible else str(ending["message"])
        verdict = shared_server().verdict(self._key, answer, infeasible)
        info = {"success": verdict.success, "milestones": dict(verdict.milestones)}
        return verdict.score, True, "", info

    def teardown(self) -> None:
        """Drops the session; a second call does nothing."""
        key, self._key = self._key, ""
        if key:
            shared_server().end(key)


def _endings(messages: Sequence[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """What the agent said; BrowserGym itself greets the user before it shows the goal."""
    is_greeting = True
    for message in messages:
        if is_greeting:
            is_greeting = message["role"] == "assistant"
        elif message["role"] in ENDINGS:
            yield message


def register_tasks() -> list[str]:
    """Registers `browsergym/deskhand.<gym>.<template>` for each web gym whose server owns the state
    (all but MiniWoB++, which BrowserGym has itself); gives the names. A second call changes
    nothing."""
    names = []
    for gym in web_gyms().values():
        if not isinstance(gym, AppGym):
            continue
        for template in gym.templates:
            task_id = f"deskhand.{gym.name}.{template}"
            names.append(f"browsergym/{task_id}")
            # BrowserGym registers with gymnasium, which warns of a name that it has.
            if names[-1] not in gymnasium.registry:
                register_task(
                    task_id,
                    WebGymTask,
                    task_kwargs={"gym": gym.name, "template": template},
                    nondeterministic=False,
                )
    return names
