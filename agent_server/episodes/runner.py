"""Runs one episode: reset, then prompt, answer, action until it ends, then the verdict.

Guarantees: what the agent did wrong is a step with an error result, and counts; what the
infrastructure did wrong ends the attempt as `invalid` and carries no score. A score is reported
only when it was measured. The caller owns the session and the recorder, and closes them.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from typing import Protocol

from agent_server.episodes.compact import parse
from agent_server.episodes.prompt import Past, build_prompt
from agent_server.episodes.result import EpisodeResult
from agent_server.episodes.trajectory import Completion, Step
from agent_server.policy.policy import Policy, Sampling, Turn
from envs.actions import (
    Action,
    ActionError,
    ActionResult,
    Batch,
    Done,
    Infeasible,
    Note,
    Tool,
    Wait,
)
from envs.observations import Observation, Observe, Screenshot, ScreenshotRequest, parse_tree
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
    policy: Policy,
    sampling: Sampling,
    limits: Limits,
    recorder: StepSink,
    should_cancel: Callable[[], bool] = lambda: False,
    *,
    tree_chars: int = 3000,
    tree_options: int = 12,
    screenshots: bool = False,
) -> EpisodeResult:
    observe = Observe(
        tree_chars=tree_chars,
        tree_options=tree_options,
        screenshot=ScreenshotRequest() if screenshots else None,
    )
    attempt = _Attempt(task, session, policy, sampling, limits, recorder, should_cancel, observe)
    try:
        return await attempt.run()
    except EpisodeFault as fault:
        return attempt.result(Status.INVALID, fault.reason, detail=fault.detail[:2000])


class _Attempt:
    def __init__(
        self,
        task: Task,
        session: Session,
        policy: Policy,
        sampling: Sampling,
        limits: Limits,
        recorder: StepSink,
        should_cancel: Callable[[], bool],
        observe: Observe,
    ) -> None:
        self.task, self.session, self.policy = task, session, policy
        self.sampling, self.limits, self.recorder = sampling, limits, recorder
        self.should_cancel, self.observe = should_cancel, observe
        self.started = time.monotonic()
        self.steps = 0
        self.held_s = 0.0
        self.history: list[Past] = []
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
        prompt = build_prompt(self.task.instruction, self.history, observation)
        asked = time.monotonic()
        completion = await self.policy.act(Turn(self.task, observation, prompt, self._sampling()))
        answered = time.monotonic()
        if completion.token_ids:
            self.versions |= {completion.version_min, completion.version_max}

        tree = observation.tree
        seen = () if tree is None else parse_tree(tree.text)
        parsed = parse(completion.text, seen, None if tree is None else tree.id)
        timings = {"policy": (answered - asked) * 1000}
        person: list[Action] = []
        end: Done | Infeasible | EndReason | None = None
        after = observation
        if parsed.action is None:
            result = ActionResult.failure(ActionError.MALFORMED, parsed.error or "unreadable")
            self.malformed += 1
            if self.malformed >= MALFORMED_IN_A_ROW:
                end = EndReason.MALFORMED
        else:
            self.malformed = 0
            result, end, after = await self._act(parsed.action, observation, timings, person)
            if end is None and self._loops(observation, completion):
                end = EndReason.LOOP
        timings["env"] = (time.monotonic() - answered) * 1000
        self.held_s += timings.get("held", 0.0) / 1000

        tree_text = "" if tree is None else tree.text
        screenshot = observation.screenshot
        self.recorder.step(
            Step(
                index=self.steps,
                prompt=prompt,
                completion=completion,
                thought=parsed.thought,
                action=parsed.action,
                result=result,
                person=tuple(person),
                url=observation.url,
                tree=tree_text,
                screenshot=screenshot and self.recorder.screenshot(self.steps, screenshot),
                timings_ms=timings,
            )
        )
        self.history.append(Past.of(parsed.action, tree_text, result))
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
        action: Action,
        observation: Observation,
        timings: dict[str, float],
        person: list[Action],
    ) -> tuple[ActionResult, Done | Infeasible | None, Observation]:
        """Carries an action out; ends and notes are the runner's own, the rest the session's."""
        parts: list[Action] = list(action.actions) if isinstance(action, Batch) else [action]
        end: Done | Infeasible | None = None
        todo: list[Action] = []
        for part in parts:
            if isinstance(part, Done | Infeasible):
                end = part
                break
            if not isinstance(part, Note):
                todo.append(part)
        refused = self._refused(todo)
        if refused is not None:
            return refused, None, observation
        if not todo:
            return ActionResult.success(), end, observation
        reply = await self.session.step(todo, self.observe)
        timings |= reply.timings_ms
        person += reply.person
        failed = next((result for result in reply.results if not result.ok), None)
        if failed is not None:
            return failed, None, reply.observation
        if len(reply.results) != len(todo):
            raise EpisodeFault(
                InvalidReason.OBSERVATION,
                f"the host answered {len(reply.results)} results to {len(todo)} actions",
            )
        return reply.results[-1], end, reply.observation

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

    def _loops(self, observation: Observation, completion: Completion) -> bool:
        """By the action as written: its tree id would differ though nothing changed."""
        written = completion.text.strip().rsplit("\n", 1)[-1].strip()
        self.repeats[observation.hash, written] += 1
        return self.repeats[observation.hash, written] >= LOOP_REPEATS

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
