"""A task with a file, on the whole stack with a model's endpoint: the page gets the file, the
caller gets what the page gave, and both go with the task."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import pytest
from aiohttp import web

from agent_server.stack.local_stack import Stack, StackConfig
from agent_server.stack.prune import prune
from agent_server.store.store import Store
from deskhand import ApiProblem, AsyncClient, SessionRequest, TaskRequest
from envs.contract.actions import action_adapter
from tests.e2e.tool_model import next_call
from tests.http_server import serving

# The log comes last: what is written above a link moves it away from a click that is under way.
PAGE = """<!doctype html><title>Claims</title><input type=file id=proof>
<a id=receipt href=/receipt>Receipt</a><p id=log></p>
<script>proof.onchange = async () => { log.textContent = await proof.files[0].text(); };</script>"""
STEPS: list[tuple[str, dict[str, object]]] = [
    ("set_value", {"target": {"selector": "#proof"}, "value": "bill.txt"}),
    ("click", {"target": {"selector": "#receipt"}}),
    ("wait", {"ms": 300}),
    ("done", {"answer": "handed in"}),
]


class World:
    """A site that takes a file and gives one; and the model, which does so."""

    def __init__(self) -> None:
        self.url = ""
        self.prompts: list[str] = []

    async def show_page(self, request: web.Request) -> web.Response:
        return web.Response(text=PAGE, content_type="text/html")

    async def give_receipt(self, request: web.Request) -> web.Response:
        shown = {"Content-Disposition": "attachment; filename=receipt.txt"}
        return web.Response(body=b"received with thanks", headers=shown)

    async def answer(self, request: web.Request) -> web.Response:
        text = await request.text()
        self.prompts.append(text)
        return next_call(text, STEPS)

    def make_app(self, stopped: asyncio.Event) -> web.Application:
        app = web.Application(client_max_size=64 * 2**20)
        app.router.add_get("/", self.show_page)
        app.router.add_get("/receipt", self.give_receipt)
        app.router.add_post("/v1/chat/completions", self.answer)
        return app


@contextmanager
def open_world() -> Iterator[World]:
    world = World()
    with serving(world.make_app) as world.url:
        yield world


@pytest.mark.e2e
@pytest.mark.browser
@pytest.mark.timeout(400)
async def test_files_go_to_the_page_and_come_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_dir = tmp_path / "run"
    with open_world() as world:
        agent = tmp_path / "mine.toml"
        agent.write_text(f'dialect = "openai_tools"\nbase_url = "{world.url}/v1"\nmodel = "m"\n')
        config = StackConfig(run_dir=run_dir, sites=(world.url,), extra={"agents": (agent,)})
        async with (
            Stack(config) as stack,
            AsyncClient(stack.api_url, stack.settings.api_key) as client,
        ):
            settings = stack.settings
            upload = await client.upload_file("../bill.txt", b"one coffee: 3 EUR")
            assert (upload.name, upload.size) == ("bill.txt", 17)
            request = TaskRequest(
                instruction="Hand in the bill",
                start_url=f"{world.url}/",
                policy="mine",
                files=(upload.id,),
            )
            ended = await client.run_task(request)
            assert (ended.reason, ended.answer) == ("done", "handed in"), ended
            listed = await client.list_task_files(ended.id)
            names = [(file.name, file.is_input) for file in listed.files]
            assert names == [("bill.txt", True), ("receipt.txt", False)]
            assert await client.get_task_file(ended.id, "bill.txt") == b"one coffee: 3 EUR"
            assert await client.get_task_file(ended.id, "receipt.txt") == b"received with thanks"
            with pytest.raises(ApiProblem, match="no file"):
                await client.get_task_file(ended.id, "steps.jsonl")
            retried = await client.retry_task(ended.id, steps=0)
            assert (await client.list_task_files(retried.id)).files[0].name == "bill.txt"
            await check_session(client, world)
            async for event in client.follow_task(retried.id):
                if event.state is not None:
                    assert event.state.reason == "done", event.state
            again = await client.list_task_files(retried.id)
            assert [file.name for file in again.files] == ["bill.txt", "receipt.txt"], again
    assert "bill.txt" in world.prompts[0]
    assert any("downloaded receipt.txt" in prompt for prompt in world.prompts)
    assert any("one coffee: 3 EUR" in path.read_text() for path in run_dir.rglob("steps.jsonl"))
    assert len(list(run_dir.rglob("*receipt.txt"))) == 2
    later = ended.created_at + timedelta(days=settings.keep_days + 1)
    monkeypatch.setattr("agent_server.stack.prune.utcnow", lambda: later)
    monkeypatch.setattr("agent_server.store.retention.utcnow", lambda: later)
    with Store.open(settings) as store:
        prune(settings, store, apply=True)
    assert list(run_dir.rglob("*receipt.txt")) + list(run_dir.rglob("in.bill.txt")) == []


async def check_session(client: AsyncClient, world: World) -> None:
    """The same by a caller's own agent."""
    started = await client.open_session(SessionRequest(start_url=f"{world.url}/"))
    session = started.session.id
    await client.put_session_file(session, "bill.txt", b"by hand")
    actions = [
        action_adapter.validate_python({"type": name, **arguments}) for name, arguments in STEPS[:2]
    ]
    reply = await client.act(session, actions)
    assert all(result.ok for result in reply.results), reply
    async with asyncio.timeout(20):
        while len((files := await client.list_session_files(session)).files) < 2:
            await asyncio.sleep(0.1)
    assert [file.name for file in files.files] == ["bill.txt", "receipt.txt"]
    assert await client.get_session_file(session, "receipt.txt") == b"received with thanks"
    with pytest.raises(ApiProblem, match="no file name"):
        await client.put_session_file(session, "a/b", b"")
    await client.close_session(session)
