"""In real Chromium: a policy that is shown small pictures reads small print only after a zoom."""

from __future__ import annotations

import base64
import hashlib
import io
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from agent_server.episodes.agent import Sampling, Turn
from agent_server.episodes.runner import run_episode
from agent_server.episodes.seeing_agent import SeeingAgent
from agent_server.episodes.trajectory import Completion
from agent_server.store.artifacts import Artifacts, Recorder
from envs.contract.actions import Done, Zoom
from envs.contract.observations import Screenshot
from envs.contract.outcomes import Status
from envs.contract.task import Task
from envs.dialects.dialect import Display
from envs.dialects.pictures import fit_to_display
from envs.dialects.view import View
from envs.providers.local import local_host
from tests.loopback_server import serve

pytestmark = [pytest.mark.browser, pytest.mark.asyncio]
CODE = "101100101101"
CELL, LEFT, TOP, HEIGHT = 3, 30, 30, 12
"""The code is printed as bars of 3 pixels: as fine as the strokes of small letters."""
VIEW = View(observe="picture", dialect="uitars", pictures=2)
SHOWN = (256, 192)
"""A quarter of the page's size."""


def page() -> str:
    bars = "".join(
        f"<i style='position:absolute;left:{LEFT + CELL * at}px;top:{TOP}px;width:{CELL}px;"
        f"height:{HEIGHT}px;background:#{'000' if bit == '1' else 'fff'}'></i>"
        for at, bit in enumerate(CODE)
    )
    return f"<title>Small print</title><body style='margin:0'>{bars}"


@contextmanager
def serving() -> Iterator[str]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(page().encode())

        def log_message(self, *_: Any) -> None:
            pass

    with serve(Handler) as site:
        yield site


def read_code(picture: Screenshot) -> str | None:
    """The bars as the picture shows them; None where one is neither black nor white."""
    image = Image.open(io.BytesIO(base64.b64decode(picture.data))).convert("L")
    screen, part = picture.screen, picture.part
    left, top, scale = (0.0, 0.0, picture.width / 1024)
    if part is not None:
        assert screen == (1024, 768)
        left, top, scale = part.left, part.top, picture.width / (part.right - part.left)
    bits = ""
    for at in range(len(CODE)):
        x = (LEFT + CELL * (at + 0.5) - left) * scale
        shade = image.getpixel((int(x), int((TOP + HEIGHT / 2 - top) * scale)))
        assert isinstance(shade, int)
        if 60 < shade < 195:
            return None
        bits += "1" if shade <= 60 else "0"
    return bits


class Reader:
    """Answers with the code if it can read it, else looks closer."""

    def __init__(self) -> None:
        self.turns = list[Turn]()

    async def act(self, turn: Turn) -> Completion:
        self.turns.append(turn)
        code = read_code(turn.pictures[-1])
        # In parts of a thousand of the whole screen: 20 to 84 across, 24 to 72 down, in pixels.
        look = "Action: zoom(start_box='(20,31)', end_box='(82,94)')"
        return Completion(text=look if code is None else f"Action: finished(content='{code}')")


def fit(picture: Screenshot) -> Screenshot:
    return fit_to_display(picture, Display(*picture.screen, SHOWN))


async def test_small_print_is_read_after_a_zoom_and_the_record_has_both_pictures(
    tmp_path: Path,
) -> None:
    policy, artifacts = Reader(), Artifacts(str(tmp_path))
    with serving() as site:
        task = Task(id="code", instruction="Read the code", start_url=site)
        agent = SeeingAgent(task, policy, VIEW, fit, policy_speaks_compact=False)
        async with local_host(with_gyms=False, sites=[site]) as host:
            session = await host.open()
            with Recorder(artifacts, "e1") as recorder:
                result = await run_episode(
                    task, session, agent, Sampling(), task.limits, recorder, screenshots=True
                )
                recorder.finish(result, {})
            await session.close()
    assert (result.status, result.answer) == (Status.UNJUDGED, CODE)
    first, second = artifacts.read_trajectory("e1").steps
    assert isinstance(first.action, Zoom)
    assert second.action == Done(answer=CODE)
    assert second.prompt.startswith("picture: the part (20,31) to (82,94) of the screen")
    whole, part = second.completion.pictures
    assert whole.name == first.completion.pictures[-1].name, "the screen stays in sight"
    assert hashlib.sha256(artifacts.read_screenshot("e1", part.name)).hexdigest() in part.name
    assert (whole.size, part.width) == (SHOWN, 256)
    assert first.screenshot is not None
    assert second.screenshot is not None
    assert "did: Action: zoom" in policy.turns[1].prompt
