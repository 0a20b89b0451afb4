"""Dialogs are looked at and dismissed, until the page behind them is seen."""

from __future__ import annotations

from typing import Any

from agent_server.approvals.inspection import DIALOGS, Inspectable, inspect_pages
from envs.contract.actions import Click, Dialog
from envs.contract.observations import Observation, Observe
from envs.contract.page_facts import PageFacts
from envs.contract.session import StepReply


class Dialogs:
    """A page behind so many dialogs."""

    def __init__(self, dialogs: int) -> None:
        self.left = dialogs
        self.taken: list[Any] = []

    async def inspect(self, actions: Any) -> PageFacts:
        return PageFacts(dialog="alert: stop") if self.left else PageFacts(url="http://a.test/")

    async def step(self, actions: list[Any], observe: Observe) -> StepReply:
        self.left -= 1
        self.taken += actions
        return StepReply(results=(), observation=Observation(hash=""))


async def test_dialogs_are_dismissed_to_see_the_page() -> None:
    session = Dialogs(2)
    assert isinstance(session, Inspectable)
    pages = await inspect_pages(session, [Click()])
    assert [page.dialog for page in pages] == ["alert: stop", "alert: stop", ""]
    assert session.taken == [Dialog(accept=False)] * 2


async def test_a_dialog_that_the_action_answers_stays() -> None:
    session = Dialogs(1)
    (page,) = await inspect_pages(session, [Dialog(accept=True)])
    assert (page.dialog, session.taken) == ("alert: stop", [])


async def test_dialogs_without_end_are_given_up() -> None:
    pages = await inspect_pages(Dialogs(100), [Click()])
    assert len(pages) == DIALOGS + 1
    assert pages[-1].dialog
