"""Tasks that sign in with a secret, on the whole stack with a model's endpoint: the site gets the
value, and nothing else does, neither prompts, files of the run, logs nor the API.

SECRET_TASKS=200 runs so many tasks instead of a few.
"""

from __future__ import annotations

import asyncio
import gzip
import os
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

import pytest
from aiohttp import web

from agent_server.stack.local_stack import Stack, StackConfig
from deskhand import AsyncClient, TaskRequest
from tests.e2e.tool_model import next_call
from tests.http_server import serving

TASKS = int(os.environ.get("SECRET_TASKS", "4"))
VALUE = "Correct&Horse-9"
SPELLINGS = [VALUE, quote(VALUE), VALUE.replace("&", "&amp;"), VALUE.replace("&", "\\u0026")]
PAGE = (
    "<!doctype html><title>Sign in</title><form action=/in><input aria-label=Password name=p>"
    "<button>Sign in</button></form>"
)


class World:
    """A site that signs people in and shows what they typed; and the model, which signs in."""

    def __init__(self) -> None:
        self.url = ""
        self.signed_in_with: list[str] = []
        self.prompts: list[str] = []

    async def show_page(self, request: web.Request) -> web.Response:
        return web.Response(text=PAGE, content_type="text/html")

    async def sign_in(self, request: web.Request) -> web.Response:
        value = request.query["p"]
        self.signed_in_with.append(value)
        script = f"<script>console.log('{value}')</script>"
        text = f"<!doctype html><title>{value}</title>{script}<h1>{value}</h1>"
        return web.Response(text=text, content_type="text/html")

    async def answer(self, request: web.Request) -> web.Response:
        text = await request.text()
        self.prompts.append(text)
        typed = {"text": "{secret:password}", "target": {"selector": "input"}, "submit": True}
        return next_call(
            text, [("type", typed), ("wait", {"ms": 1}), ("done", {"answer": "signed in"})]
        )

    def make_app(self, stopped: asyncio.Event) -> web.Application:
        app = web.Application(client_max_size=64 * 2**20)
        app.router.add_get("/", self.show_page)
        app.router.add_get("/in", self.sign_in)
        app.router.add_post("/v1/chat/completions", self.answer)
        return app


@contextmanager
def open_world() -> Iterator[World]:
    world = World()
    with serving(world.make_app) as world.url:
        yield world


def write_files(folder: Path, url: str) -> tuple[Path, Path]:
    """The agent's and the secrets'."""
    agent, secrets = folder / "mine.toml", folder / "secrets.toml"
    agent.write_text(f'dialect = "openai_tools"\nbase_url = "{url}/v1"\nmodel = "m"\n')
    secrets.touch(mode=0o600)
    secrets.write_text(f'[password]\nvalue = "{VALUE}"\nallow = ["{url}"]\n')
    return agent, secrets


def list_leaks(content: bytes) -> list[str]:
    """Spellings of the value in a file, unpacked where it is packed."""
    contents = [content]
    for unpack in (gzip.decompress, zlib.decompress):
        try:
            contents.append(unpack(content))
        except (OSError, EOFError, zlib.error):
            continue
    return [text for text in SPELLINGS if any(text.encode() in part for part in contents)]


@pytest.mark.e2e
@pytest.mark.browser
@pytest.mark.timeout(120 + 10 * TASKS)
async def test_a_secret_reaches_its_site_and_nothing_else(tmp_path: Path) -> None:
    run_dir = tmp_path / "run"
    with open_world() as world:
        agent, secrets = write_files(tmp_path, world.url)
        config = StackConfig(
            run_dir=run_dir,
            concurrency=4,
            sites=(world.url,),
            extra={"agents": (agent,), "secrets": secrets},
        )
        replies: list[str] = []
        async with (
            Stack(config) as stack,
            AsyncClient(stack.api_url, stack.settings.api_key) as client,
        ):
            request = TaskRequest(
                instruction="Sign in",
                start_url=f"{world.url}/",
                secrets=("password",),
                policy="mine",
                screenshots=True,
            )
            tasks = [await client.create_task(request) for _ in range(TASKS)]
            for task in tasks:
                async for event in client.follow_task(task.id):
                    replies.append(repr(event))
                ended = await client.get_task(task.id)
                assert (ended.reason, ended.answer) == ("done", "signed in"), ended
                replies.append(ended.model_dump_json())
    assert world.signed_in_with == [VALUE] * TASKS
    assert any("{secret:password}" in prompt for prompt in world.prompts)
    for text in (*world.prompts, *replies):
        assert not list_leaks(text.encode())
    files = [path for path in run_dir.rglob("*") if path.is_file()]
    assert len(files) > TASKS
    assert {str(path): leaks for path in files if (leaks := list_leaks(path.read_bytes()))} == {}


def test_the_search_finds_a_leak_that_is_there() -> None:
    """The control."""
    assert list_leaks(f"x{VALUE}y".encode()) == [VALUE]
    assert list_leaks(gzip.compress(quote(VALUE).encode())) == [quote(VALUE)]
