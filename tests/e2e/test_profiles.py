"""A log-in that one task saves and another one uses, on the whole stack with a model's endpoint:
the site knows the second task, and no value is in prompts, files of the run, logs or the API."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from aiohttp import web

from agent_server.stack.local_stack import Stack, StackConfig
from agent_server.store.profiles import make_key
from deskhand import ApiProblem, AsyncClient, SessionRequest, TaskRequest
from tests.e2e.tool_model import next_call
from tests.http_server import serving

VALUE = "t0ken-of-a-session-42"
PAGE = """<!doctype html><title>Account</title><h1>WHO</h1>
<script>localStorage.setItem('seen', 'VALUE');</script>"""


class World:
    """A site that knows who signed in at /in; and the model, which is done at once."""

    def __init__(self) -> None:
        self.url = ""
        self.prompts: list[str] = []

    async def show_page(self, request: web.Request) -> web.Response:
        knows = request.cookies.get("sid") == VALUE
        text = PAGE.replace("WHO", "Welcome back" if knows else "A stranger")
        answer = web.Response(text=text.replace("VALUE", VALUE), content_type="text/html")
        if request.path == "/in":
            answer.set_cookie("sid", VALUE, httponly=True, max_age=3600)
        return answer

    async def answer(self, request: web.Request) -> web.Response:
        text = await request.text()
        self.prompts.append(text)
        known = "yes" if "Welcome back" in text else "no"
        return next_call(text, [("done", {"answer": known})])

    def make_app(self, stopped: asyncio.Event) -> web.Application:
        app = web.Application(client_max_size=64 * 2**20)
        app.router.add_get("/", self.show_page)
        app.router.add_get("/in", self.show_page)
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
async def test_a_saved_log_in_is_used_and_never_shown(tmp_path: Path) -> None:
    run_dir, keys = tmp_path / "run", tmp_path / "keys"
    keys.write_text(make_key())
    keys.chmod(0o600)
    replies: list[str] = []
    with open_world() as world:
        agent = tmp_path / "mine.toml"
        agent.write_text(f'dialect = "openai_tools"\nbase_url = "{world.url}/v1"\nmodel = "m"\n')
        config = StackConfig(
            run_dir=run_dir,
            sites=(world.url,),
            extra={"agents": (agent,), "profile_keys": keys},
        )
        async with (
            Stack(config) as stack,
            AsyncClient(stack.api_url, stack.settings.api_key) as client,
        ):

            async def run(path: str, profile: str | None, save: bool = False) -> str | None:
                request = TaskRequest(
                    instruction="Is anna known?",
                    start_url=f"{world.url}{path}",
                    policy="mine",
                    profile=profile,
                    save_profile=save,
                )
                ended = await client.run_task(request)
                assert (ended.reason, ended.detail) == ("done", None), ended
                replies.append(ended.model_dump_json())
                return ended.answer

            with pytest.raises(ApiProblem, match="no profile 'anna'"):
                await run("/", "anna")
            assert await run("/in", "anna", save=True) == "no"
            assert await run("/", None) == "no"
            assert await run("/", "anna") == "yes"
            (profile,) = await client.list_profiles()
            assert (profile.name, profile.domains, profile.cookies) == ("anna", ("127.0.0.1",), 1)
            started = await client.open_session(
                SessionRequest(start_url=f"{world.url}/", profile="anna")
            )
            tree = started.observation.tree
            assert "Welcome back" in ("" if tree is None else tree.text)
            session = started.session.id
            saved = await client.save_session_profile(session, "copy")
            replies += [profile.model_dump_json(), saved.model_dump_json()]
            await client.close_session(session)
            await client.delete_profile("anna")
            assert [each.name for each in await client.list_profiles()] == ["copy"]
    assert world.prompts
    assert not any(VALUE in text for text in (*world.prompts, *replies))
    files = [path for path in run_dir.rglob("*") if path.is_file()]
    assert [path for path in files if VALUE.encode() in path.read_bytes()] == []
