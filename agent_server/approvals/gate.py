"""The gate before an episode's actions: what is risky waits for a person.

Guarantees: an action that waits runs only after a person's approval, once, and only if the page is
still what the person was shown; everything else (a refusal, time that is up, a take-over, a page
that changed) is a failed result that the agent reads. While it waits, the time of the episode
stands still and the worker's heartbeat renews the lease. A worker that dies meanwhile leaves the
question open, and the task's next attempt takes it over when it comes to the same place.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any

import orjson
from sqlalchemy.exc import SQLAlchemyError

from agent_server.approvals.inspection import Inspectable, inspect_pages
from agent_server.approvals.take_over import PICTURE, TakeOver, picture_of
from agent_server.episodes.compact import describe
from agent_server.episodes.gate import GO, Review
from agent_server.guard.effects import Effect, find_unforeseen, list_effects
from agent_server.guard.injection import InjectionGuard
from agent_server.guard.risk import Reason, find_risks
from agent_server.store.approvals import ApprovalStatus, ApprovalStore
from agent_server.store.tables import Approval, Episode, utcnow
from envs.contract.actions import ActionError, ActionResult, Dialog, SimpleAction, Tool
from envs.contract.approval import ASK_PERSON, Approve
from envs.contract.observations import Observation, Observe, parse_tree
from envs.contract.outcomes import EpisodeFault, InvalidReason
from envs.contract.page_facts import ElementFacts, PageFacts
from envs.contract.session import Session
from envs.contract.task import Task

log = logging.getLogger(__name__)

POLL_S = 0.25
MAX_WAITS_S = 12 * 3600.0
"""Of one episode together; after that every question is a refusal at once."""
END_S = 60.0
PATIENCE_S = 600.0
"""For a database that is away while a person is waited for."""
SUMMARY_CHARS = 600


class PersonGate:
    """Of one episode. `still`: a context in which the episode's time stands still."""

    def __init__(
        self,
        task: Task,
        row: Episode,
        session: Session,
        approvals: ApprovalStore,
        should_cancel: Callable[[], bool],
        still: Callable[[], AbstractContextManager[None]],
    ) -> None:
        self._task, self._row, self._session = task, row, session
        self._approvals, self._should_cancel, self._still = approvals, should_cancel, still
        self._approve = task.approve or Approve(mode="never")
        self._guard = InjectionGuard(task.instruction, task.start_url, task.allow)
        self._refused: dict[str, ActionResult] = {}
        """What was answered already: an agent that insists does not ask the person again."""
        self._waited_s = 0.0

    def hear(self, text: str) -> None:
        """See `Gate.hear`."""
        self._guard.hear(text)

    async def review(
        self,
        actions: Sequence[SimpleAction],
        observation: Observation,
        step: int,
        checks: Sequence[str],
        observe: Observe,
    ) -> Review:
        """See `Gate.review`."""
        question = next((a for a in actions if isinstance(a, Tool) and a.name == ASK_PERSON), None)
        reviewed = [question] if question is not None else list(actions)
        facts = await self._inspect(reviewed, observation)
        for action, element in zip(reviewed, facts.elements, strict=False):
            if why := find_unforeseen(action, element):
                return _refusal(why)
        reasons = self._find_reasons(reviewed, facts, checks, question)
        if not reasons:
            return GO
        mark = make_fingerprint(reviewed, facts)
        if mark in self._refused:
            return Review(self._refused[mark])
        started = time.monotonic()
        with self._still():
            review = await self._ask(reviewed, facts, reasons, observation, step, mark, observe)
        waited_s = time.monotonic() - started
        self._waited_s += waited_s
        result = review.result
        if result is None and question is not None:
            result = ActionResult.success("a person approved")
        if result is not None and result.error is ActionError.REFUSED and not review.person:
            self._refused[mark] = result
        return Review(result, review.person, review.observation, waited_s)

    async def _inspect(
        self, actions: Sequence[SimpleAction], observation: Observation
    ) -> PageFacts:
        if self._task.env == "browser" and isinstance(self._session, Inspectable):
            pages = await inspect_pages(self._session, actions)
            for page in pages:
                self._guard.see(page)
            return pages[-1]
        # A desktop: the tree's names are all that is known of its elements.
        lines = parse_tree(observation.tree.text) if observation.tree else []
        by_ref = {line.ref: line for line in lines if line.ref is not None}
        elements: list[ElementFacts | None] = []
        for action in actions:
            target = getattr(action, "target", None)
            line = by_ref.get(target.ref) if target is not None else None
            tag = "" if line is None else line.role
            elements.append(None if line is None else ElementFacts(tag=tag, name=line.name))
        return PageFacts(url=observation.url, title=observation.title, elements=tuple(elements))

    def _find_reasons(
        self,
        actions: Sequence[SimpleAction],
        facts: PageFacts,
        checks: Sequence[str],
        question: Tool | None,
    ) -> list[Reason]:
        approve = self._approve
        rules = approve.rules if approve.mode == "risky" else ()
        effects = list_effects(actions, facts)
        reasons = find_risks(effects, facts, self._task.allow, rules)
        if facts.dialog and not isinstance(actions[0], Dialog) and approve.is_on:
            reasons.append(
                Reason("injection", f"the page opens dialog after dialog: {facts.dialog}")
            )
        if "injection" in rules:
            for alarm in self._guard.judge(effects, facts):
                quote = f" ({alarm.quote})" if alarm.quote else ""
                reasons.append(Reason("injection", f"{alarm.why}{quote}"))
        if question is not None:
            reasons.append(Reason("agent", str(question.arguments.get("why", ""))[:500]))
        elif "agent" in rules or approve.mode == "all":
            reasons += [Reason("agent", check[:500]) for check in checks]
        if approve.mode == "all" and effects and not reasons:
            reasons.append(Reason("agent", "every action of this task waits"))
        return reasons

    async def _ask(
        self,
        actions: Sequence[SimpleAction],
        facts: PageFacts,
        reasons: Sequence[Reason],
        observation: Observation,
        step: int,
        mark: str,
        observe: Observe,
    ) -> Review:
        wait_s = min(self._approve.wait_s, MAX_WAITS_S - self._waited_s)
        if wait_s <= 0:
            return _refusal("this task has waited for persons for too long")
        shown = await self._session.step([], PICTURE)
        new_row = Approval(
            id="",
            root_id=self._row.root_id or self._row.id,
            episode_id=self._row.id,
            step=step,
            fingerprint=mark,
            reasons=[{"rule": reason.rule, "why": reason.why} for reason in reasons],
            actions=[action.model_dump(mode="json", exclude_none=True) for action in actions],
            summary=_summarise(actions, observation, list_effects(actions, facts)),
            url=facts.url[:500],
            wait_s=wait_s,
            created_at=utcnow(),
            expires_at=utcnow(),
            picture=picture_of(shown.observation),
        )
        row = await asyncio.to_thread(self._approvals.ask, new_row)
        take_over = TakeOver(self._session, self._approvals)
        row = await self._wait(row, take_over, wait_s)
        if not await asyncio.to_thread(self._approvals.use, row.id, self._row.id):
            raise EpisodeFault(InvalidReason.WORKER_LOST, "another attempt of the task goes on")
        match ApprovalStatus(row.status):
            case ApprovalStatus.APPROVED:
                facts_now = await self._inspect(actions, observation)
                if make_fingerprint(actions, facts_now) == mark:
                    return GO
                return await self._look_again(
                    "a person approved, but the page changed meanwhile: look at it again", observe
                )
            case ApprovalStatus.REFUSED:
                words = row.words or "no reason was given"
                return _refusal(f"a person refused this action: {words}")
            case ApprovalStatus.RETURNED:
                words = f" and said: {row.words}" if row.words else ""
                review = await self._look_again(
                    f"a person took over, did {len(take_over.actions)} actions and handed "
                    f"back{words}. Your action was not carried out: look at the page as it is now",
                    observe,
                )
                return Review(review.result, tuple(take_over.actions), review.observation)
            case ApprovalStatus.EXPIRED:
                return _refusal(f"no person approved this action within {row.wait_s:g} s")
            case _:
                await self._wait_for_end()
                return _refusal("the task is being ended")

    async def _look_again(self, message: str, observe: Observe) -> Review:
        reply = await self._session.step([], observe)
        return Review(_refusal(message).result, observation=reply.observation)

    async def _wait(self, row: Approval, take_over: TakeOver, wait_s: float) -> Approval:
        """Until a person answered, the time is up, or the task was cancelled. Raises
        EpisodeFault."""
        patient_until = time.monotonic() + wait_s + PATIENCE_S
        while True:
            try:
                row = await asyncio.to_thread(self._approvals.look, row.id)
                status = ApprovalStatus(row.status)
                if not status.is_open:
                    return row
                if self._should_cancel():
                    await asyncio.to_thread(self._approvals.withdraw, self._row.id)
                elif status is ApprovalStatus.TAKEN:
                    patient_until = time.monotonic() + wait_s + PATIENCE_S
                    await take_over.follow(row)
            except SQLAlchemyError as error:
                # The question stands in the database: with it away, nobody can answer.
                if time.monotonic() > patient_until:
                    detail = f"the database was away while a person was asked: {error}"
                    raise EpisodeFault(InvalidReason.WORKER_LOST, detail) from error
                log.warning("%s: cannot see whether a person answered: %s", self._row.id, error)
            await asyncio.sleep(POLL_S)

    async def _wait_for_end(self) -> None:
        """A question is withdrawn when its task is cancelled, of which the worker hears with its
        next heartbeat: until then the agent must not go on."""
        deadline = time.monotonic() + END_S
        while not self._should_cancel() and time.monotonic() < deadline:
            await asyncio.sleep(POLL_S)


def make_fingerprint(actions: Sequence[SimpleAction], facts: PageFacts) -> str:
    """Of what a person is asked: the actions, and what they would touch, where. Numbers of elements
    are left out, since another attempt counts them anew."""
    unstable: dict[str, Any] = {"target": {"tree"}, "path": {"__all__": {"tree"}}}
    known = [element for element in facts.elements if element is not None]
    if len(known) == len(actions):
        unstable["target"] = {"tree", "ref"}
    parts = [action.model_dump(mode="json", exclude=unstable) for action in actions]
    touched = [None if e is None else e.model_dump(mode="json") for e in facts.elements]
    data = orjson.dumps([parts, touched, facts.url, facts.dialog], option=orjson.OPT_SORT_KEYS)
    return hashlib.sha256(data).hexdigest()


def _summarise(
    actions: Sequence[SimpleAction], observation: Observation, effects: Sequence[Effect]
) -> str:
    """The actions in words, with what their elements are called where the tree does not say."""
    lines = parse_tree(observation.tree.text) if observation.tree else []
    texts = [describe(action, lines) for action in actions]
    names = [effect.label for effect in effects if effect.label]
    missing = [name for name in names if not any(name in text for text in texts)]
    suffix = f" ({', '.join(dict.fromkeys(missing))})" if missing else ""
    return ("; ".join(texts) + suffix)[:SUMMARY_CHARS]


def _refusal(message: str) -> Review:
    return Review(ActionResult.failure(ActionError.REFUSED, message))
