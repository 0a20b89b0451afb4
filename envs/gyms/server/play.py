"""An app in a person's own browser: the app in a frame, the task and its verdict beside it.

Guarantees: it listens on 127.0.0.1 only and its address holds a secret, so that no other page on
this machine can play along; the verdict is the one that an agent would get; Ctrl-C ends it.
"""

from __future__ import annotations

import random
import secrets
import socket
from pathlib import Path
from typing import Any

import uvicorn
from fastapi import FastAPI, Response
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse
from markupsafe import Markup, escape

from envs.contract.task import Task, describe_unknown_template
from envs.gyms.kit.gym import AppGym
from envs.gyms.server.app import COOKIE, create_app
from envs.gyms.server.gym import ApplicationFailed, WebGym
from envs.gyms.server.registry import get_web_gym
from envs.gyms.server.session_states import begin_session, read_current_state
from envs.gyms.server.sessions import SessionStore

_PAGE = Markup((Path(__file__).parent / "play.html").read_text())


def create_player(
    gym: WebGym, template: str | None, seed: int, disturb: float, secret: str
) -> tuple[FastAPI, str]:
    """The server, and the path of its page."""
    store = SessionStore()
    app = create_app(secrets.token_urlsafe(24), store)
    key, base = secrets.token_hex(12), f"/_play/{secret}"
    chosen: dict[str, str] = {"template": template or random.Random(seed).choice(gym.templates)}

    async def begin(at: int) -> Task:
        task = gym.make_task(chosen["template"], at)
        if disturb and isinstance(gym, AppGym):
            task = gym.disturb(task, disturb)
        await begin_session(store, key, gym, task)
        return task

    @app.get(base)
    async def show_page(seed: int = seed, template: str | None = None) -> Response:
        if template is not None:
            if template not in gym.templates:
                return HTMLResponse("There is no such template", 404)
            chosen["template"] = template
            return RedirectResponse(f"{base}?seed={seed}", 303)
        try:
            task = await begin(seed)
        except ApplicationFailed as failure:
            return HTMLResponse(f"The application does not start: {escape(failure)}", 503)
        others = Markup(" ").join(
            Markup('<a href="?template={0}&amp;seed={1}">{0}</a>').format(name, seed)
            for name in gym.templates
        )
        text = _PAGE.format(
            gym=gym.name, template=chosen["template"], seed=seed, instruction=task.instruction,
            start=gym.start_path(task), next=seed + 1, base=Markup(escape(base)), others=others,
        )  # fmt: skip
        reply = HTMLResponse(text, headers={"Cache-Control": "no-store"})
        reply.set_cookie(COOKIE, key, httponly=True, samesite="strict")
        return reply

    @app.post(f"{base}/verdict")
    async def show_verdict(body: dict[str, Any]) -> Response:
        session = store.get(key)
        if session is None:
            return JSONResponse({"ended": "idle for too long: load the page again"})
        try:
            await read_current_state(session)
        except ApplicationFailed as failure:
            return JSONResponse({"ended": f"the application failed: {failure}"})
        verdict = gym.verdict(
            session.task, session.before, session.state, body.get("answer"),
            bool(body.get("infeasible")),
        )  # fmt: skip
        return JSONResponse(verdict.model_dump(mode="json"))

    return app, base


def serve(gym: str, template: str | None, seed: int, disturb: float, port: int) -> None:
    """Until Ctrl-C. Raises KeyError for unknown names, OSError for a port that is taken."""
    web_gym = get_web_gym(gym)
    if template is not None and template not in web_gym.templates:
        raise KeyError(describe_unknown_template(gym, template, web_gym.templates))
    app, path = create_player(web_gym, template, seed, disturb, secrets.token_urlsafe(12))
    with socket.create_server(("127.0.0.1", port), backlog=128) as listener:
        # Connections wait from here on, so the address works as soon as it is printed.
        print(f"http://127.0.0.1:{listener.getsockname()[1]}{path}   (Ctrl-C ends it)", flush=True)
        config = uvicorn.Config(app, log_level="warning", access_log=False)
        uvicorn.Server(config).run(sockets=[listener])
