"""Runs one episode: reset, then look, answer, actions until it ends, then the verdict.

Guarantees: what the agent did wrong is a step with an error result, and counts; what the
infrastructure did wrong ends the attempt as `invalid` and carries no score. A score is reported
only when it was measured. The caller owns the session and the recorder, and closes them.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol

from agent_server.agents.agent import Agent, outcome
from agent_server.episodes.result import EpisodeResult
from agent_server.episodes.trajectory import Step
from agent_server.policy.policy import Sampling
from envs.actions import (
    Action,
    ActionError,
    ActionResult,
    Done,
    Infeasible,
    Note,
    SimpleAction,
    Tool,
    Wait,
)
from envs.observations import Observation, Observe, Screenshot, ScreenshotRequest
from envs.outcomes import EndReason, EpisodeFault, InvalidReason, Status
from envs.session import Session, Verdict
from envs.tasks import Limits, Task

LOOP_REPEATS = 4
"""The same action on the same observation this often changes nothing any more."""
MALFORMED_IN_A_ROW = 4


class StepSink(Protocol):
    """Where steps go as they are made; `recorder.Recorder` is the one in use."""

    def screenshot(self, index: int, screenshot: Screenshot) -> str: ...

    def step(self, step: Step) -> None: ...

    def evidence(self, data: bytes) -> None: ...


async def run_episode(
    task: Task,
    session: Session,
    agent: Agent,
    sampling: Sampling,
    limits: Limits,
    recorder: StepSink,
    should_cancel: Callable[[], bool] = lambda: False,
    *,
    tree_chars: int = 3000,
    tree_options: int = 12,
    screenshots: bool = False,
) -> EpisodeResult:
    """`screenshots`: record a picture before each step; an agent may look at pictures without."""
    asked = Observe(
        tree_chars=tree_chars,
        tree_options=tree_options,
        screenshot=ScreenshotRequest() if screenshots else None,
    )
    attempt = _Attempt(
        task, session, agent, sampling, limits, recorder, should_cancel,
        agent.wanted(asked), screenshots,
    )  # fmt: skip
    try:
        return await attempt.run()
    except EpisodeFault as fault:
        return attempt.result(Status.INVALID, fault.reason, detail=fault.detail[:2000])


class _Attempt:
    def __init__(
        self,
        task: Task,
        session: Session,
        agent: Agent,
        sampling: Sampling,
        limits: Limits,
        recorder: StepSink,
        should_cancel: Callable[[], bool],
        observe: Observe,
        record_pictures: bool,
    ) -> None:
        self.task, self.session, self.agent = task, session, agent
        self.sampling, self.limits, self.recorder = sampling, limits, recorder
        self.should_cancel, self.observe = should_cancel, observe
        self.record_pictures = record_pictures
        self.started = time.monotonic()
        self.steps = 0
        self.held_s = 0.0
        self.results: tuple[ActionResult, ...] = ()
        self.repeats: Counter[tuple[str, str]] = Counter()
        self.malformed = 0
        self.versions: set[int] = set()
        self.timings = {"reset_s": 0.0, "policy_s": 0.0, "env_s": 0.0, "evaluate_s": 0.0}

    async def run(self) -> EpisodeResult:
        if self.should_cancel():
            return self.result(Status.CANCELLED)
        since = time.monotonic()
        reset = await self.session.reset(self.task, self.observe)
        self.timings["reset_s"] = time.monotonic() - since
        observation = reset.observation
        while True:
            if self.should_cancel():
                return self.result(Status.CANCELLED)
            if self.steps >= self.limits.max_steps:
                return await self._judge(Status.TRUNCATED, EndReason.STEP_LIMIT)
            if time.monotonic() - self.started - self.held_s >= self.limits.max_seconds:
                return await self._judge(Status.TRUNCATED, EndReason.TIME_LIMIT)
            end, observation = await self._step(observation)
            match end:
                case Done(answer=answer):
                    return await self._judge(Status.SCORED, EndReason.DONE, answer=answer)
                case Infeasible():
                    return await self._judge(Status.SCORED, EndReason.INFEASIBLE)
                case EndReason():
                    return await self._judge(Status.SCORED, end)

    async def _step(
        self, observation: Observation
    ) -> tuple[Done | Infeasible | EndReason | None, Observation]:
        """One turn: what ends the episode, if anything, and the observation to go on from."""
        asked = time.monotonic()
        answer = await self.agent.act(observation, self.results, self._sampling())
        answered = time.monotonic()
        completion, parsed = answer.completion, answer.parsed
        if completion.token_ids:
            self.versions |= {completion.version_min, completion.version_max}

        timings = {"policy": (answered - asked) * 1000}
        if answer.waited_s:
            timings["waited"] = answer.waited_s * 1000
        person: list[Action] = []
        end: Done | Infeasible | EndReason | None = None
        after = observation
        self.results = ()
        if parsed.error is not None:
            self.malformed += 1
            if self.malformed >= MALFORMED_IN_A_ROW:
                end = EndReason.MALFORMED
        else:
            self.malformed = 0
            end, after = await self._act(parsed.actions, observation, timings, person)
            if end is None and self._loops(observation, parsed.actions):
                end = EndReason.LOOP
        timings["env"] = (time.monotonic() - answered) * 1000
        self.held_s += timings.get("held", 0.0) / 1000 + answer.waited_s

        tree, picture = observation.tree, observation.screenshot if self.record_pictures else None
        self.recorder.step(
            Step(
                index=self.steps,
                prompt=answer.sent,
                completion=completion,
                thought=parsed.thought,
                action=parsed.action,
                result=outcome(parsed, self.results),
                person=tuple(person),
                url=observation.url,
                tree="" if tree is None else tree.text,
                screenshot=picture and self.recorder.screenshot(self.steps, picture),
                timings_ms=timings,
            )
        )
        self.timings["policy_s"] += timings["policy"] / 1000
        self.timings["env_s"] += timings["env"] / 1000
        self.steps += 1
        return end, after

    def _sampling(self) -> Sampling:
        """Each step has a seed of its own: with the episode's, a policy that sees the same page
        twice would say the same again, whatever its temperature."""
        seed = self.sampling.seed
        if seed is None:
            return self.sampling
        return self.sampling.model_copy(update={"seed": seed + self.steps})

    async def _act(
        self,
        actions: Sequence[SimpleAction],
        observation: Observation,
        timings: dict[str, float],
        person: list[Action],
    ) -> tuple[Done | Infeasible | None, Observation]:
        """Carries an answer's actions out and keeps their results; ends and notes are the runner's
        own, the rest the session's."""
        end = next((one for one in actions if isinstance(one, Done | Infeasible)), None)
        before = actions if end is None else actions[: actions.index(end)]
        todo: list[Action] = [one for one in before if not isinstance(one, Note)]
        refused = self._refused(todo)
        if refused is not None:
            self.results = (refused,) * len(actions)
            return None, observation
        told: tuple[ActionResult, ...] = ()
        if todo:
            reply = await self.session.step(todo, self.observe)
            timings |= reply.timings_ms
            person += reply.person
            told, observation = reply.results, reply.observation
        self.results = tuple(_in_place(before, told))
        if any(not result.ok for result in told):
            return None, observation
        if len(told) != len(todo):
            raise EpisodeFault(
                InvalidReason.OBSERVATION,
                f"the host answered {len(told)} results to {len(todo)} actions",
            )
        return end, observation

    def _refused(self, actions: list[Action]) -> ActionResult | None:
        """The ablation switch: a task may allow only GUI actions, or only tools."""
        for action in actions:
            tool = isinstance(action, Tool)
            if self.task.tools == "gui" and tool:
                message = "this task allows no tools; use the page"
            elif self.task.tools == "api" and not tool and not isinstance(action, Wait):
                message = f"this task allows tools only, not {action.type}"
            else:
                continue
            return ActionResult.failure(ActionError.NOT_ALLOWED, message)
        return None

    def _loops(self, observation: Observation, actions: Sequence[SimpleAction]) -> bool:
        """Without the trees' ids: they would differ though nothing changed."""
        trees: dict[str, Any] = {"target": {"tree"}, "path": {"__all__": {"tree"}}}
        done = "".join(action.model_dump_json(exclude=trees) for action in actions)
        self.repeats[observation.hash, done] += 1
        return self.repeats[observation.hash, done] >= LOOP_REPEATS

    async def _judge(
        self, status: Status, reason: EndReason, answer: str | None = None
    ) -> EpisodeResult:
        if not self.task.judged:
            return self.result(Status.UNJUDGED, reason, answer=answer)
        since = time.monotonic()
        infeasible = reason is EndReason.INFEASIBLE
        verdict = await self.session.evaluate(answer, infeasible, self.recorder.evidence)
        self.timings["evaluate_s"] = time.monotonic() - since
        return self.result(status, reason, verdict=verdict, answer=answer)

    def result(
        self,
        status: Status,
        reason: EndReason | InvalidReason | None = None,
        *,
        detail: str | None = None,
        verdict: Verdict | None = None,
        answer: str | None = None,
    ) -> EpisodeResult:
        self.timings["total_s"] = time.monotonic() - self.started
        return EpisodeResult(
            status=status,
            reason=reason,
            detail=detail,
            verdict=verdict,
            answer=answer,
            steps=self.steps,
            version_min=min(self.versions, default=None),
            version_max=max(self.versions, default=None),
            timings={name: round(value, 6) for name, value in self.timings.items()},
        )


def _in_place(
    actions: Sequence[SimpleAction], told: Sequence[ActionResult]
) -> Iterator[ActionResult]:
    """One result an action, up to the last that was carried out; notes cannot fail."""
    results = iter(told)
    for action in actions:
        result = ActionResult.success() if isinstance(action, Note) else next(results, None)
        if result is None:
            return
        yield result
