"""Risky actions of an episode wait in the database, and the answer decides what becomes of them."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from agent_server.approvals.gate import PersonGate, make_fingerprint
from agent_server.episodes.gate import GO, Review
from agent_server.store.approvals import ApprovalStatus
from agent_server.store.store import Store
from agent_server.store.tables import Approval, Episode
from envs.contract.actions import ActionError, Click, History, SimpleAction, Target, Tool, Wait
from envs.contract.approval import ASK_PERSON, Approve
from envs.contract.observations import Observe
from envs.contract.page_facts import ElementFacts, PageFacts
from envs.contract.session import StepReply
from tests.agent_server.toy_env import ToySession, toy_task

PAY = Click(target=Target(ref=1, tree=1))
FACTS = PageFacts(url="http://shop.test/", elements=(ElementFacts(tag="button", name="Pay"),))


class ShopSession(ToySession):
    """A toy whose one button says Pay, until `facts` say otherwise."""

    def __init__(self) -> None:
        super().__init__()
        self.facts = FACTS

    async def inspect(self, actions: Any) -> PageFacts:
        return self.facts


class Trial:
    """A gate on a real database, and somebody who answers."""

    def __init__(self, store: Store, **approve: Any) -> None:
        self.session, self.store = ShopSession(), store
        self.is_cancelled = False
        self.still = 0
        task = toy_task(1).model_copy(update={"approve": Approve(**approve)})
        row = Episode(id="e1", run_id="api", purpose="api", root_id="e1", task={})
        self.gate = PersonGate(
            task, row, self.session, store.approvals, lambda: self.is_cancelled, self._stand_still
        )

    @contextlib.contextmanager
    def _stand_still(self) -> Iterator[None]:
        self.still += 1
        yield

    async def review(self, action: SimpleAction = PAY, *checks: str) -> Review:
        observation = (await self.session.step([], Observe())).observation
        return await self.gate.review([action], observation, 0, checks, Observe())

    async def asked(self) -> Approval:
        async with asyncio.timeout(20):
            while not (rows := self.store.approvals.list_open()):
                await asyncio.sleep(0.02)
        return rows[0]

    async def answer(self, status: ApprovalStatus, words: str = "") -> Review:
        reviewing = asyncio.create_task(self.review())
        row = await self.asked()
        assert self.store.approvals.answer(row.id, status, words)
        return await reviewing


Begin = Callable[..., Trial]


@pytest.fixture
async def begin(tmp_path: Path) -> AsyncIterator[Begin]:
    with Store(f"sqlite:///{tmp_path / 'test.db'}") as store:
        yield lambda **approve: Trial(store, **approve)


async def test_an_approved_action_runs(begin: Begin) -> None:
    trial = begin()
    review = await trial.answer(ApprovalStatus.APPROVED)
    assert review.result is None
    assert review.waited_s > 0
    assert trial.still == 1


async def test_a_refusal_is_read_and_not_asked_for_again(begin: Begin) -> None:
    trial = begin()
    review = await trial.answer(ApprovalStatus.REFUSED, "too dear")
    assert review.result is not None
    assert review.result.error is ActionError.REFUSED
    assert "too dear" in review.result.message
    again = await trial.review()
    assert (again.result, again.waited_s) == (review.result, 0.0)


async def test_what_is_not_risky_does_not_wait(begin: Begin) -> None:
    trial = begin()
    trial.session.facts = FACTS.model_copy(update={"elements": (ElementFacts(name="Next"),)})
    assert await trial.review() is GO
    assert await trial.review(Wait(ms=1)) is GO
    assert trial.still == 0


async def test_a_reload_waits_where_it_sends_a_form_again_and_nowhere_else(begin: Begin) -> None:
    trial = begin(rules=("submit",))
    reload = History(op="reload")
    trial.session.facts = PageFacts(url=FACTS.url, elements=(None,), resends=("",))
    assert await trial.review(reload) is GO
    trial.session.facts = PageFacts(url=FACTS.url, elements=(None,), resends=(FACTS.url,))
    reviewing = asyncio.create_task(trial.review(reload))
    row = await trial.asked()
    assert [reason["rule"] for reason in row.reasons] == ["submit"]
    assert trial.store.approvals.answer(row.id, ApprovalStatus.APPROVED, "")
    assert (await reviewing).result is None


async def test_only_the_rules_that_hold_ask(begin: Begin) -> None:
    assert await begin(rules=("delete",)).review() is GO


async def test_all_waits_where_all_shall(begin: Begin) -> None:
    trial = begin(mode="all", wait_s=0.5)
    trial.session.facts = FACTS.model_copy(update={"elements": (ElementFacts(name="Next"),)})
    review = await trial.review()
    assert review.result is not None
    assert "no person approved this action within 0.5 s" in review.result.message


async def test_a_page_that_changed_while_a_person_was_asked_is_looked_at_again(
    begin: Begin,
) -> None:
    trial = begin()
    reviewing = asyncio.create_task(trial.review())
    row = await trial.asked()
    button = ElementFacts(tag="button", name="Pay twice")
    trial.session.facts = FACTS.model_copy(update={"elements": (button,)})
    trial.store.approvals.answer(row.id, ApprovalStatus.APPROVED)
    review = await reviewing
    assert review.result is not None
    assert "the page changed" in review.result.message


async def test_an_agent_asks_for_a_person_itself(begin: Begin) -> None:
    trial = begin()
    question = Tool(name=ASK_PERSON, arguments={"why": "is this the right shirt?"})
    reviewing = asyncio.create_task(trial.review(question))
    row = await trial.asked()
    assert row.reasons == [{"rule": "agent", "why": "is this the right shirt?"}]
    trial.store.approvals.answer(row.id, ApprovalStatus.APPROVED)
    result = (await reviewing).result
    assert result is not None
    assert (result.ok, result.value) == (True, "a person approved")


async def test_the_model_s_own_checks_ask(begin: Begin) -> None:
    trial = begin(rules=("agent",))
    reviewing = asyncio.create_task(trial.review(PAY, "this looks like a bank"))
    row = await trial.asked()
    assert row.reasons == [{"rule": "agent", "why": "this looks like a bank"}]
    trial.store.approvals.answer(row.id, ApprovalStatus.APPROVED)
    assert (await reviewing).result is None


async def test_a_cancelled_task_gives_up_its_question(begin: Begin) -> None:
    trial = begin()
    reviewing = asyncio.create_task(trial.review())
    row = await trial.asked()
    trial.is_cancelled = True
    review = await reviewing
    assert review.result is not None
    assert trial.store.approvals.look(row.id).status == ApprovalStatus.WITHDRAWN


async def test_a_person_acts_and_hands_back(begin: Begin) -> None:
    trial = begin()
    reviewing = asyncio.create_task(trial.review())
    row = await trial.asked()
    approvals = trial.store.approvals
    approvals.answer(row.id, ApprovalStatus.TAKEN)
    click = Click(target=Target(ref=1))
    approvals.add_inputs(row.id, [click.model_dump(mode="json", exclude_none=True)])
    async with asyncio.timeout(20):
        while approvals.look(row.id).inputs_done < 1:
            await asyncio.sleep(0.02)
    approvals.answer(row.id, ApprovalStatus.RETURNED, "did it")
    review = await reviewing
    assert review.person == (click,)
    assert trial.session.count == 1
    assert review.observation is not None
    assert review.result is not None
    assert "handed back and said: did it" in review.result.message


async def test_dialogs_in_the_way_are_dismissed_and_an_endless_row_of_them_asks(
    begin: Begin,
) -> None:
    trial = begin(wait_s=0.5)

    async def keep_open(actions: list[Any], observe: Observe) -> StepReply:
        return await ToySession.step(trial.session, [], observe)

    trial.session.step = keep_open  # type: ignore[method-assign]
    trial.session.facts = PageFacts(dialog="alert: again", elements=(None,))
    review = await trial.review()
    assert review.result is not None
    (row,) = trial.store.approvals.of_task("e1")
    assert "dialog after dialog" in row.reasons[0]["why"]


def test_a_fingerprint_is_of_what_is_touched_not_of_numbers() -> None:
    other = PAY.model_copy(update={"target": Target(ref=7, tree=3)})
    renamed = FACTS.model_copy(update={"elements": (ElementFacts(tag="button", name="Sell"),)})
    assert make_fingerprint([PAY], FACTS) == make_fingerprint([other], FACTS)
    assert make_fingerprint([PAY], FACTS) != make_fingerprint([PAY], renamed)
    assert make_fingerprint([PAY], PageFacts()) != make_fingerprint([other], PageFacts())
