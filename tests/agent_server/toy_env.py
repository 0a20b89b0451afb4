"""A small real environment for tests of what runs episodes: count to a target, then say done.

`task.params` steers it: `target`, `delay_s` a step, `fault` {"at": "reset|step|evaluate", "reason"}
for the first `fault_times` episodes, `exceeded`, a limit that counting passes, and `script`, the
answers of the policy one by one.
"""

from __future__ import annotations

import asyncio
import base64
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from agent_server.episodes.agent import Agent, Turn
from agent_server.episodes.compact import CompactAgent
from agent_server.episodes.trajectory import Completion
from agent_server.store.workers import Offer
from envs.contract.actions import Action, ActionError, ActionResult, Click, Target, Tool
from envs.contract.observations import Observation, Observe, Screenshot, Tree, parse_tree
from envs.contract.outcomes import EpisodeFault, InvalidReason
from envs.contract.session import Keep, ResetReply, Session, StepReply, Verdict
from envs.contract.task import Limits, Task

EVERYTHING = Offer(
    envs=("browser", "desktop"), policies=("live", "oracle", "noop", "infeasible"), slots=4
)
PIXEL = b"\xff\xd8 not a picture that anyone looks at \xff\xd9"


def toy_task(target: int = 2, max_steps: int = 10, max_seconds: float = 60, **params: Any) -> Task:
    return Task(
        id=f"toy-{target}",
        instruction=f"count to {target}",
        params={"target": target, **params},
        evaluator={"func": "toy"},
        limits=Limits(max_steps=max_steps, max_seconds=max_seconds),
        tools=params.pop("tools", "both"),
    )


class ToySession:
    def __init__(self) -> None:
        self.count = 0
        self.trees = 0
        self.taken: list[Action] = []
        self.closed = False
        self.params: dict[str, Any] = {}

    async def reset(self, task: Task, observe: Observe) -> ResetReply:
        self.count, self.taken, self.params = 0, [], task.params
        self._fault("reset")
        return ResetReply(observation=self._observation(observe), state_hash="0", reset_level="toy")

    async def step(self, actions: list[Action], observe: Observe) -> StepReply:
        await asyncio.sleep(self.params.get("delay_s", 0))
        self._block()
        self._fault("step")
        results = []
        for action in actions:
            self.taken.append(action)
            match action:
                case Click(target=Target(ref=1)):
                    self.count += 1
                    results.append(ActionResult.success())
                case Click(target=Target(ref=2)):
                    results.append(ActionResult.success())
                case Tool(name="toy.count"):
                    results.append(ActionResult.success(self.count))
                case _:
                    results.append(ActionResult.failure(ActionError.UNKNOWN_REF, "no such thing"))
                    break
        return StepReply(
            results=tuple(results),
            observation=self._observation(observe),
            exceeded=self.params.get("exceeded") if self.count else None,
            timings_ms={"settle": 0.1},
        )

    async def evaluate(
        self, answer: str | None = None, infeasible: bool = False, keep: Keep | None = None
    ) -> Verdict:
        if keep is not None and "evidence" in self.params:
            keep(self.params["evidence"].encode())
        self._fault("evaluate")
        score = min(1.0, self.count / self.params["target"]) if not infeasible else 0.0
        return Verdict(score=score, milestones={"began": self.count > 0})

    async def close(self) -> None:
        self.closed = True

    def _block(self) -> None:
        time.sleep(self.params.get("block_s", 0))

    def _fault(self, at: str) -> None:
        if self.params.get("fault", {}).get("at") == at:
            raise EpisodeFault(InvalidReason(self.params["fault"]["reason"]), f"{at} failed")

    def _observation(self, observe: Observe) -> Observation:
        self.trees += 1
        text = f"text count = {self.count}\nbutton Add #1\nbutton Nothing #2"
        screenshot = None
        if observe.screenshot is not None:
            data = base64.b64encode(PIXEL).decode()
            screenshot = Screenshot(format="jpeg", width=1, height=1, data=data)
        return Observation(
            hash=f"count-{self.count}",
            url="toy://counter",
            title="Counter",
            tree=Tree(id=self.trees, text=text),
            screenshot=screenshot,
        )


class ToyPolicy:
    """Counts as the task says, or reads its answers from the task's script."""

    def __init__(self, version: int = 0) -> None:
        self.turns: list[Turn] = []
        self.version = version

    async def act(self, turn: Turn) -> Completion:
        self.turns.append(turn)
        if "policy_fault" in turn.task.params:
            raise EpisodeFault(InvalidReason(turn.task.params["policy_fault"]), "policy failed")
        script = turn.task.params.get("script")
        if script is not None:
            text = script[min(len(self.turns), len(script)) - 1]
        else:
            assert turn.observation.tree is not None
            count = int(parse_tree(turn.observation.tree.text)[0].value or 0)
            more = count < turn.task.params["target"]
            text = "one more\nclick Add #1" if more else "there\ndone"
        version = self.version + len(self.turns) - 1
        return Completion(
            text=text,
            prompt_ids=(1, 2),
            token_ids=(3,),
            logprobs=(-0.5,),
            version_min=version,
            version_max=version,
        )


class ToyBackends:
    """Sessions and policies for a worker, without a browser or a model."""

    def __init__(self) -> None:
        self.sessions: list[ToySession] = []

    async def open(self) -> None:
        pass

    def offer(self) -> Offer:
        return EVERYTHING

    @asynccontextmanager
    async def session(self, env: str) -> AsyncIterator[Session]:
        session = ToySession()
        self.sessions.append(session)
        try:
            yield session
        finally:
            await session.close()

    def agent(self, name: str, task: Task) -> Agent:
        return CompactAgent(task, ToyPolicy())

    async def close(self) -> None:
        pass
