"""Runs one episode: reset; then observe, answer and act until it ends; then the verdict.

Guarantees: an agent's mistake is a step with an error result, and counts; a fault of the
infrastructure ends the episode as `invalid` without a score. A score is reported only when it was
measured. The caller owns the session and the recorder, and closes them.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol

from agent_server.episodes.agent import Agent, Sampling, outcome
from agent_server.episodes.control import Control, NoControl, Steering
from agent_server.episodes.gate import Gate
from agent_server.episodes.spending import Spending
from agent_server.episodes.structured_answer import AnswerMisfit, read_answer
from agent_server.episodes.trajectory import EpisodeResult, Step
from envs.contract.actions import (
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
from envs.contract.approval import ASK_PERSON
from envs.contract.observations import Observation, Observe, Screenshot, ScreenshotRequest
from envs.contract.outcomes import EndReason, EpisodeFault, InvalidReason, Status
from envs.contract.session import Session, StepReply, Verdict
from envs.contract.task import Limits, Task
from envs.dialects.dialect import Parsed

LOOP_REPEATS = 4
"""So many times the same action on the same observation end the episode as a loop."""
MALFORMED_IN_A_ROW = 4


class StepSink(Protocol):
    """Receiver of the episode's records; `recorder.Recorder` in production."""

    def save_screenshot(self, index: int, screenshot: Screenshot) -> str:
        """Save the picture before step `index`; returns its name."""
        ...

    def record_step(self, step: Step) -> None:
        """Record one step."""
        ...

    def save_evidence(self, data: bytes) -> None:
        """Save the evidence of the verdict."""
        ...


async def run_episode(
    task: Task,
    session: Session,
    agent: Agent,
    sampling: Sampling,
    limits: Limits,
    recorder: StepSink,
    should_cancel: Callable[[], bool] = lambda: False,
    *,
    control: Control | None = None,
    spending: Spending | None = None,
    tree_chars: int = 3000,
    tree_options: int = 12,
    screenshots: bool = False,
    gate: Gate | None = None,
) -> EpisodeResult:
    """Run one episode to its end. `screenshots`: record a picture before each step; an agent may
    see pictures without that. `gate`: actions pass it before they run. `spending`: counts what the
    episode uses, for whoever looks meanwhile."""
    default_observe = Observe(
        tree_chars=tree_chars,
        tree_options=tree_options,
        screenshot=ScreenshotRequest() if screenshots else None,
    )
    running = _EpisodeRun(
        task=task,
        session=session,
        agent=agent,
        sampling=sampling,
        limits=limits,
        recorder=recorder,
        steering=Steering(control or NoControl(), should_cancel),
        default_observe=default_observe,
        record_pictures=screenshots,
        gate=gate,
        spending=spending or Spending(),
    )
    try:
        return await running.run()
    except EpisodeFault as fault:
        return running.result(Status.INVALID, fault.reason, detail=fault.detail[:2000])


class _EpisodeRun:
    def __init__(
        self,
        task: Task,
        session: Session,
        agent: Agent,
        sampling: Sampling,
        limits: Limits,
        recorder: StepSink,
        steering: Steering,
        default_observe: Observe,
        record_pictures: bool,
        gate: Gate | None,
        spending: Spending,
    ) -> None:
        self.task, self.session, self.agent = task, session, agent
        self.sampling, self.limits, self.recorder = sampling, limits, recorder
        self.steering, self.default_observe = steering, default_observe
        self.record_pictures, self.gate = record_pictures, gate
        self.started = time.monotonic()
        self.spending = spending
        self.held_s = 0.0
        self.results: tuple[ActionResult, ...] = ()
        self.repeats: Counter[tuple[str, str]] = Counter()
        self.malformed = 0
        self.has_refused_answer = False
        self.exceeded: str | None = None
        self.limit_detail: str | None = None
        self.person_in_pause: tuple[Action, ...] = ()
        self.refused_hosts: tuple[str, ...] = ()
        self.notes: tuple[str, ...] = ()
        self.versions: set[int] = set()
        self.timings = {"reset_s": 0.0, "policy_s": 0.0, "env_s": 0.0, "evaluate_s": 0.0}

    async def run(self) -> EpisodeResult:
        if self.steering.should_cancel():
            return self.result(Status.CANCELLED)
        since = time.monotonic()
        reset = await self.session.reset(self.task, self.observe)
        self.timings["reset_s"] = time.monotonic() - since
        observation, self.notes = reset.observation, reset.notes
        while True:
            paused_s = self.steering.paused_s
            if not await self.steering.wait_while_paused():
                return self.result(Status.CANCELLED, detail=self.steering.why_cancelled)
            if self.steering.paused_s > paused_s:
                observation = await self._look_again()
            exceeded = self._find_exceeded()
            if exceeded is not None:
                reason, self.limit_detail = exceeded
                return await self._judge(Status.TRUNCATED, reason)
            end, observation = await self._step(observation)
            if isinstance(end, Done | Infeasible) and await self._has_new_follow_up():
                continue
            match end:
                case Done(answer=answer):
                    return await self._judge(Status.SCORED, EndReason.DONE, answer=answer)
                case Infeasible():
                    return await self._judge(Status.SCORED, EndReason.INFEASIBLE)
                case EndReason():
                    return await self._judge(Status.SCORED, end)

    def _find_exceeded(self) -> tuple[EndReason, str] | None:
        """The limit that ends the episode now, and a sentence about it."""
        pauses = self.steering
        if pauses.is_worn_out:
            detail = f"paused for {pauses.paused_s:.0f} s, longer than DESKHAND_PAUSE_MAX_S"
            return EndReason.TIME_LIMIT, detail
        spent_s = time.monotonic() - self.started - self.held_s - pauses.paused_s
        if spent_s >= self.limits.max_seconds:
            return EndReason.TIME_LIMIT, f"max_seconds: {self.limits.max_seconds:g} s are over"
        return self.spending.find_exceeded(self.limits)

    async def _look_again(self) -> Observation:
        """What is there after a pause, in which a person may have acted."""
        reply = await self.session.step([], self.observe)
        self.person_in_pause += reply.person
        return reply.observation

    async def _has_new_follow_up(self) -> bool:
        """Whether the owner said something while the agent made its last answer: what it reported
        as done is not yet what was asked for."""
        await self.steering.look()
        return bool(self.steering.unread)

    async def _step(
        self, observation: Observation
    ) -> tuple[Done | Infeasible | EndReason | None, Observation]:
        """One turn; returns the end of the episode, if it ends, and the next observation."""
        follow_ups = self.steering.take()
        for text in follow_ups:
            if self.gate is not None:
                self.gate.hear(text)
            self.agent.tell(text)
        asked_at = time.monotonic()
        answer = await self.agent.act(observation, self.results, self._sampling())
        answered_at = time.monotonic()
        completion, parsed = answer.completion, answer.parsed
        self.versions |= completion.versions

        timings = {
            "asked": (asked_at - self.started) * 1000,
            "policy": (answered_at - asked_at) * 1000,
        }
        if answer.waited_s:
            timings["waited"] = answer.waited_s * 1000
        person, self.person_in_pause = list(self.person_in_pause), ()
        end: Done | Infeasible | EndReason | None = None
        next_observation = observation
        self.results, self.refused_hosts = (), ()
        if parsed.error is not None:
            self.malformed += 1
            if self.malformed >= MALFORMED_IN_A_ROW:
                end = EndReason.MALFORMED
        else:
            self.malformed = 0
            end, next_observation = await self._act(parsed, observation, timings, person)
            if end is None and self._is_loop(observation, parsed.actions):
                end = EndReason.LOOP
        timings["env"] = (time.monotonic() - answered_at) * 1000
        held_ms = timings.get("held", 0.0) + timings.get("asked_person", 0.0)
        self.held_s += held_ms / 1000 + answer.waited_s

        tree, picture = observation.tree, observation.screenshot if self.record_pictures else None
        self.recorder.record_step(
            Step(
                index=self.spending.steps,
                prompt=answer.sent,
                completion=completion,
                thought=parsed.thought,
                action=parsed.action,
                result=outcome(parsed, self.results),
                person=tuple(person),
                follow_ups=follow_ups,
                refused_hosts=self.refused_hosts,
                url=observation.url,
                tree="" if tree is None else tree.text,
                screenshot=picture and self.recorder.save_screenshot(self.spending.steps, picture),
                timings_ms=timings,
            )
        )
        self.timings["policy_s"] += timings["policy"] / 1000
        self.timings["env_s"] += timings["env"] / 1000
        self.spending.add(completion, answer.cost)
        return end, next_observation

    @property
    def observe(self) -> Observe:
        """Asked each time: a script needs less than the agent that may take over from it."""
        return self.agent.extend_observe(self.default_observe)

    def _sampling(self) -> Sampling:
        """Each step has a seed of its own: with the episode's, a policy that sees the same page
        twice would say the same again, whatever its temperature."""
        seed = self.sampling.seed
        if seed is None:
            return self.sampling
        return self.sampling.model_copy(update={"seed": seed + self.spending.steps})

    async def _act(
        self,
        parsed: Parsed,
        observation: Observation,
        timings: dict[str, float],
        person: list[Action],
    ) -> tuple[Done | Infeasible | EndReason | None, Observation]:
        """Run an answer's actions and keep their results. Ends and notes are handled by the
        runner, all others by the session."""
        actions = parsed.actions
        end = next((action for action in actions if isinstance(action, Done | Infeasible)), None)
        allowed = actions if end is None else actions[: actions.index(end)]
        to_run = [action for action in allowed if not isinstance(action, Note)]
        refusal = self._find_forbidden(to_run) or self._refuse_misfit(end)
        if refusal is not None:
            self.results = (refusal,) * len(actions)
            return None, observation
        results: tuple[ActionResult, ...] = ()
        if to_run and self.gate is None:
            reply = await self._perform(to_run, self.observe, timings, person)
            results, observation = reply.results, reply.observation
        elif any(isinstance(action, Tool) and action.name == ASK_PERSON for action in to_run):
            result, observation = await self._review(
                to_run, observation, parsed.checks, timings, person
            )
            # The question is all that such a step does.
            self.results = (result or ActionResult.success(),) * len(actions)
            return None, observation
        elif to_run:
            results, observation = await self._perform_reviewed(
                to_run, observation, parsed.checks, timings, person
            )
        self.results = tuple(_align_results(allowed, results))
        if self.exceeded is not None:
            return EndReason.BOX_LIMIT, observation
        if any(not result.ok for result in results):
            return None, observation
        if len(results) != len(to_run):
            raise EpisodeFault(
                InvalidReason.OBSERVATION,
                f"the host answered {len(results)} results to {len(to_run)} actions",
            )
        return end, observation

    async def _perform(
        self,
        actions: Sequence[Action],
        observe: Observe,
        timings: dict[str, float],
        person: list[Action],
    ) -> StepReply:
        reply = await self.session.step([*actions], observe)
        for name, ms in reply.timings_ms.items():
            timings[name] = timings.get(name, 0.0) + ms
        person += reply.person
        self.exceeded = reply.exceeded or self.exceeded
        self.refused_hosts = (*self.refused_hosts, *reply.refused_hosts)
        return reply

    async def _review(
        self,
        actions: Sequence[SimpleAction],
        observation: Observation,
        checks: Sequence[str],
        timings: dict[str, float],
        person: list[Action],
    ) -> tuple[ActionResult | None, Observation]:
        """What the gate says in place of the actions; None: they may run."""
        assert self.gate is not None
        review = await self.gate.review(
            actions, observation, self.spending.steps, checks, self.observe
        )
        timings["asked_person"] = timings.get("asked_person", 0.0) + review.waited_s * 1000
        person += review.person
        return review.result, review.observation or observation

    async def _perform_reviewed(
        self,
        actions: Sequence[SimpleAction],
        observation: Observation,
        checks: Sequence[str],
        timings: dict[str, float],
        person: list[Action],
    ) -> tuple[tuple[ActionResult, ...], Observation]:
        """One action after the other, each reviewed on the page that it runs on: what the one
        before it focuses or opens is not to be seen earlier. Stops after the first that fails."""
        results: list[ActionResult] = []
        before, has_acted = observation, False
        for number, action in enumerate(actions, 1):
            refusal, observation = await self._review([action], before, checks, timings, person)
            if refusal is not None:
                results.append(refusal)
                break
            # Without a tree in between: the numbers that the agent chose by stay those of its tree.
            is_last = number == len(actions)
            observe = self.observe if is_last else Observe(tree=False)
            reply = await self._perform([action], observe, timings, person)
            results, has_acted = [*results, *reply.results], True
            if is_last:
                return tuple(results), reply.observation
            if self.exceeded is not None or any(not result.ok for result in reply.results):
                break
        if has_acted and observation is before:
            observation = (await self._perform([], self.observe, timings, person)).observation
        return tuple(results), observation

    def _find_forbidden(self, actions: Sequence[Action]) -> ActionResult | None:
        """The refusal of the first action that the task's `tools` does not allow, or None."""
        for action in actions:
            tool = isinstance(action, Tool) and action.name != ASK_PERSON
            if self.task.tools == "gui" and tool:
                message = "this task allows no tools; use the page"
            elif self.task.tools == "api" and not tool and not isinstance(action, Wait):
                message = f"this task allows tools only, not {action.type}"
            else:
                continue
            return ActionResult.failure(ActionError.NOT_ALLOWED, message)
        return None

    def _refuse_misfit(self, end: Done | Infeasible | None) -> ActionResult | None:
        """The refusal of the first answer that does not fit the task's schema, or None."""
        schema = self.task.answer_schema
        if schema is None or not isinstance(end, Done) or self.has_refused_answer:
            return None
        try:
            read_answer(end.answer, schema)
        except AnswerMisfit as misfit:
            self.has_refused_answer = True
            message = f"the answer does not fit the task's schema: {misfit}"
            return ActionResult.failure(ActionError.BAD_VALUE, message)
        return None

    def _is_loop(self, observation: Observation, actions: Sequence[SimpleAction]) -> bool:
        # Tree ids are left out: they differ although nothing changed.
        trees: dict[str, Any] = {"target": {"tree"}, "path": {"__all__": {"tree"}}}
        serialized = "".join(action.model_dump_json(exclude=trees) for action in actions)
        self.repeats[observation.hash, serialized] += 1
        return self.repeats[observation.hash, serialized] >= LOOP_REPEATS

    async def _judge(
        self, status: Status, reason: EndReason, answer: str | None = None
    ) -> EpisodeResult:
        if not self.task.is_judged:
            return self.result(Status.UNJUDGED, reason, answer=answer, detail=self.limit_detail)
        since = time.monotonic()
        infeasible = reason is EndReason.INFEASIBLE
        try:
            verdict = await self.session.evaluate(answer, infeasible, self.recorder.save_evidence)
        except EpisodeFault as fault:
            if self.exceeded is None:
                raise
            # What cannot be judged because the agent's programs wore the box out is not achieved.
            verdict = Verdict(score=0.0, details={"not judged": fault.detail[:500]})
        self.timings["evaluate_s"] = time.monotonic() - since
        notes = [*self.notes, *verdict.details.get("notes", ())]
        causes = [text for text in (self.exceeded, self.limit_detail) if text]
        detail = "; ".join([*causes, *notes])[:2000] or None
        return self.result(status, reason, verdict=verdict, answer=answer, detail=detail)

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
            steps=self.spending.steps,
            version_min=min(self.versions, default=None),
            version_max=max(self.versions, default=None),
            timings={name: round(value, 6) for name, value in self.timings.items()},
            tokens=self.spending.tokens,
            cost=self.spending.cost,
        )


def _align_results(
    actions: Sequence[SimpleAction], results: Sequence[ActionResult]
) -> Iterator[ActionResult]:
    """One result an action, up to the last that was carried out; notes cannot fail."""
    remaining = iter(results)
    for action in actions:
        result = ActionResult.success() if isinstance(action, Note) else next(remaining, None)
        if result is None:
            return
        yield result
