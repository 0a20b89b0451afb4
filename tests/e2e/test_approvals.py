"""Actions that wait for a person, on the whole stack with a real Chromium: approved, refused with
words, taken over, timed out, cancelled; and a worker that is killed while it waits."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import pytest_asyncio
from aiohttp import web

from agent_server.api.approval_models import ApprovalState
from agent_server.stack.local_stack import Stack, StackConfig
from deskhand import ApiProblem, AsyncClient, TaskRequest
from envs.contract.actions import ActionError, Click, Key, Target, Type
from envs.contract.outcomes import Status
from tests.http_server import serving

PATIENCE_S = 60.0
PAGE = (
    "<!doctype html><title>Bank</title><form action=/paid><input aria-label=Payee name=payee>"
    "<button style='position:absolute;left:100px;top:200px;width:200px;height:80px'>Pay</button>"
    "</form>"
)
AGENT = '''
class Payer:
    """Types a payee, pays, and tells what it heard."""

    def __init__(self):
        self.turn, self.heard = 0, "nothing"

    def reset(self, task):
        self.first = {"type": "type", "text": "ACME 12", "target": {"selector": "input"}}

    def act(self, observation):
        self.turn += 1
        if self.turn == 1:
            return self.first
        if self.turn == 2:
            return {"type": "click", "target": {"selector": "button"}}
        return {"type": "done", "answer": f"{observation.title}: {self.heard}"}

    def on_results(self, results):
        self.heard = results[-1].message or "ok"
'''


class Bank:
    """Remembers who was paid."""

    def __init__(self) -> None:
        self.url = ""
        self.paid: list[str] = []

    async def show_page(self, request: web.Request) -> web.Response:
        return web.Response(text=PAGE, content_type="text/html")

    async def pay(self, request: web.Request) -> web.Response:
        self.paid.append(request.query["payee"])
        return web.Response(text="<!doctype html><title>Paid</title>", content_type="text/html")

    def make_app(self, stopped: asyncio.Event) -> web.Application:
        app = web.Application()
        app.router.add_get("/", self.show_page)
        app.router.add_get("/paid", self.pay)
        return app


@contextmanager
def open_bank() -> Iterator[Bank]:
    bank = Bank()
    with serving(bank.make_app) as bank.url:
        yield bank


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def bank_stack(
    tmp_path_factory: pytest.TempPathFactory,
) -> AsyncIterator[tuple[Stack, Bank]]:
    folder = tmp_path_factory.mktemp("approvals")
    (folder / "payer.py").write_text(AGENT)
    agent = folder / "payer.toml"
    agent.write_text('dialect = "python"\nentry = "payer:Payer"\nobserve = ["tree"]\n')
    with open_bank() as bank:
        config = StackConfig(
            run_dir=folder / "run", concurrency=4, sites=(bank.url,), extra={"agents": (agent,)}
        )
        async with Stack(config) as stack:
            yield stack, bank


@pytest_asyncio.fixture(loop_scope="module")
async def client(bank_stack: tuple[Stack, Bank]) -> AsyncIterator[AsyncClient]:
    stack, bank = bank_stack
    bank.paid.clear()
    async with AsyncClient(stack.api_url, stack.settings.api_key) as opened:
        yield opened


def make_request(bank: Bank, **more: Any) -> TaskRequest:
    return TaskRequest(
        instruction="Pay ACME 12",
        start_url=f"{bank.url}/",
        policy="payer",
        screenshots=True,
        **{"approve": "risky", "max_seconds": 20, **more},
    )


async def wait_for_question(client: AsyncClient, task_id: str) -> ApprovalState:
    async with asyncio.timeout(PATIENCE_S):
        while True:
            waiting = [row for row in await client.list_waiting() if row.task_id == task_id]
            if waiting:
                assert (await client.get_task(task_id)).approval == waiting[0].id
                return waiting[0]
            await asyncio.sleep(0.05)


async def get_end(client: AsyncClient, task_id: str) -> str:
    async for event in client.follow_task(task_id):
        if event.state is not None:
            return f"{event.state.reason} {event.state.answer}"
    raise AssertionError("the stream ended without a state")


pytestmark = [
    pytest.mark.e2e,
    pytest.mark.browser,
    pytest.mark.timeout(300),
    pytest.mark.asyncio(loop_scope="module"),
]


async def test_an_approved_action_runs_once(
    bank_stack: tuple[Stack, Bank], client: AsyncClient
) -> None:
    _, bank = bank_stack
    task = await client.create_task(make_request(bank))
    question = await wait_for_question(client, task.id)
    assert [(reason.rule, "'Pay'" in reason.why) for reason in question.reasons] == [("pay", True)]
    assert "Pay" in question.summary
    assert (await client.get_approval_picture(task.id, question.id)).startswith(b"\xff\xd8")
    await asyncio.sleep(0.5)
    assert bank.paid == []
    answered = await client.answer_approval(task.id, question.id, "approve")
    assert (answered.status, answered.decided_by) == ("approved", "operator")
    assert await get_end(client, task.id) == "done Paid: ok"
    assert bank.paid == ["ACME 12"]
    with pytest.raises(ApiProblem, match="it is approved: too late to refuse"):
        await client.answer_approval(task.id, question.id, "refuse")
    assert [row.status for row in await client.list_approvals(task.id)] == ["approved"]


async def test_a_refusal_is_read_by_the_agent_and_waiting_costs_it_no_time(
    bank_stack: tuple[Stack, Bank], client: AsyncClient
) -> None:
    _, bank = bank_stack
    task = await client.create_task(make_request(bank, max_seconds=3))
    question = await wait_for_question(client, task.id)
    await asyncio.sleep(4)
    await client.answer_approval(task.id, question.id, "refuse", "wrong payee")
    end = await get_end(client, task.id)
    assert end == "done Bank: a person refused this action: wrong payee"
    assert bank.paid == []
    step = (await client.get_trajectory(task.id)).steps[1]
    assert step.result.error is ActionError.REFUSED
    assert step.timings_ms["asked_person"] > 4000


async def test_no_answer_is_a_refusal(bank_stack: tuple[Stack, Bank], client: AsyncClient) -> None:
    _, bank = bank_stack
    task = await client.create_task(make_request(bank, approve_wait_s=1))
    assert await get_end(client, task.id) == (
        "done Bank: no person approved this action within 1 s"
    )
    assert bank.paid == []


async def test_a_person_takes_over_and_hands_back(
    bank_stack: tuple[Stack, Bank], client: AsyncClient
) -> None:
    _, bank = bank_stack
    task = await client.create_task(make_request(bank))
    question = await wait_for_question(client, task.id)
    with pytest.raises(ApiProblem, match="take over first"):
        await client.act_as_person(task.id, question.id, [Key(keys=("enter",))])
    await client.answer_approval(task.id, question.id, "take")
    inputs = [
        Type(text="BETA", target=Target(selector="input"), clear=True),
        Click(target=Target(x=200 / 1024, y=240 / 768, space="norm1")),
    ]
    await client.act_as_person(task.id, question.id, inputs)
    async with asyncio.timeout(PATIENCE_S):
        while (await client.list_approvals(task.id))[0].inputs_done < 2:
            await asyncio.sleep(0.05)
    await client.answer_approval(task.id, question.id, "return", "paid BETA instead")
    end = await get_end(client, task.id)
    assert end.startswith("done Paid: a person took over, did 2 actions and handed back and said")
    assert bank.paid == ["BETA"]
    step = (await client.get_trajectory(task.id)).steps[1]
    assert step.person == tuple(inputs)


async def test_a_cancelled_task_waits_no_longer(
    bank_stack: tuple[Stack, Bank], client: AsyncClient
) -> None:
    _, bank = bank_stack
    task = await client.create_task(make_request(bank))
    question = await wait_for_question(client, task.id)
    await client.cancel_task(task.id)
    assert await get_end(client, task.id) == "None None"
    assert [row.status for row in await client.list_approvals(task.id)] == ["withdrawn"]
    assert question.id not in [row.id for row in await client.list_waiting()]


async def test_never_asks_nobody(bank_stack: tuple[Stack, Bank], client: AsyncClient) -> None:
    _, bank = bank_stack
    task = await client.create_task(make_request(bank, approve=None))
    assert await get_end(client, task.id) == "done Paid: ok"
    assert await client.list_approvals(task.id) == []


async def test_a_worker_that_dies_while_waiting_loses_nothing(
    bank_stack: tuple[Stack, Bank], client: AsyncClient
) -> None:
    """The question stays, its answer is kept while no worker is there, and is acted on once."""
    stack, bank = bank_stack
    task = await client.create_task(make_request(bank))
    question = await wait_for_question(client, task.id)
    worker = stack.pid("worker")
    assert worker is not None
    os.kill(worker, signal.SIGKILL)
    await client.answer_approval(task.id, question.id, "approve")
    assert await get_end(client, task.id) == "done Paid: ok"
    assert bank.paid == ["ACME 12"]
    ended = await client.get_task(task.id)
    assert (ended.attempt, ended.status) == (2, Status.UNJUDGED)
    assert [row.id for row in await client.list_approvals(task.id)] == [question.id]
