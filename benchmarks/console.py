"""`deskhand bench console`: the console's pages in a real Chromium.

`console.paint_ms` is the first contentful paint of each page, as the browser measures it, on
loopback and without its cache. Then the wall: `sessions` running tasks, of which each records a
picture a second, and one browser that watches. `console.wall_lag_ms` is the age of a picture when
the wall shows it; it must not grow, so the second half stands beside the first.
"""

from __future__ import annotations

import base64
import contextlib
import io
import secrets
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, sync_playwright
from rich.console import Console

from agent_server.api.models import TaskRequest
from agent_server.client.client import Client
from agent_server.client.connection import ApiUnreachable
from agent_server.episodes.trajectory import Completion, Step
from agent_server.settings import Settings
from agent_server.store.artifacts import Artifacts, Recorder
from agent_server.store.store import Store
from benchmarks.figures import Figure, number, percentiles
from benchmarks.result import report
from envs.browser.chromium import find_binary
from envs.contract.actions import ActionResult, Wait
from envs.contract.observations import Screenshot
from envs.providers.local import free_port

PAGES = ("tasks", "wall", "new", "runs", "policy", "gyms", "keys", "system")
PAINTS = 20
OWNER = "benchmark"
START_S, STOP_S = 60.0, 30.0
SIZE = (1024, 768)
NEWEST = """() => [...document.querySelectorAll('.wall img')].map((image) => image.src)"""


def run(json: Path | None, sessions: int, seconds: float) -> None:
    """Measures, prints the figures and writes them to `json`."""
    terminal = Console()
    with tempfile.TemporaryDirectory(
        prefix="deskhand-bench-", ignore_cleanup_errors=True
    ) as folder:
        settings = Settings(run_dir=Path(folder), api_key=secrets.token_urlsafe(16), lease_s=3600)
        with serve_api(settings) as url, sync_playwright() as playwright:
            chromium = playwright.chromium.launch(
                executable_path=find_binary(), args=["--no-sandbox", "--disable-gpu"]
            )
            page = chromium.new_page(viewport={"width": 1280, "height": 800})
            page.goto(f"{url}/console/sign-in#{settings.api_key}")
            page.wait_for_url("**/console/tasks")
            with terminal.status("first paint of the pages"):
                figures = measure_paint(page, url)
            with terminal.status(f"a wall of {sessions} sessions for {seconds:g} s"):
                figures |= measure_wall(page, url, settings, sessions, seconds)
            chromium.close()
    report(figures, terminal, json)


@contextlib.contextmanager
def serve_api(settings: Settings) -> Iterator[str]:
    """The real API as a process of its own; its URL."""
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    process = subprocess.Popen(
        [sys.executable, "-m", "agent_server.api", "--port", str(port)], env=settings.to_env()
    )
    try:
        with Client(url, settings.api_key) as client:
            _wait_until_ready(client)
        yield url
    finally:
        process.terminate()
        process.wait(STOP_S)


def _wait_until_ready(client: Client) -> None:
    deadline = time.monotonic() + START_S
    while True:
        try:
            client.get_ready()
            return
        except ApiUnreachable:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.05)


def measure_paint(page: Page, url: str) -> dict[str, Figure]:
    """First contentful paint of each page, and of all together."""
    figures: dict[str, Figure] = {}
    every: list[float] = []
    for name in PAGES:
        paints = []
        for _ in range(PAINTS):
            page.goto(f"{url}/console/{name}")
            paints.append(_wait_for_paint(page))
        every += paints
        figures[f"console.paint_{name}_ms"] = percentiles(paints, "ms")
    return {"console.paint_ms": percentiles(every, "ms")} | figures


def _wait_for_paint(page: Page) -> float:
    entry = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime"
    deadline = time.monotonic() + START_S
    while (painted_ms := page.evaluate(entry)) is None:
        if time.monotonic() > deadline:
            raise TimeoutError(f"{page.url} was not painted within {START_S:g} s")
        time.sleep(0.01)
    return float(painted_ms)


def measure_wall(
    page: Page, url: str, settings: Settings, sessions: int, seconds: float
) -> dict[str, Figure]:
    """How old pictures are when the wall shows them, in the first and the second half."""
    recorded: dict[str, float] = {}
    stop = threading.Event()
    with contextlib.ExitStack() as stack:
        recorders = list(start_sessions(url, settings, sessions, stack))
        thread = threading.Thread(
            target=record_pictures, args=(recorders, recorded, stop), daemon=True
        )
        thread.start()
        try:
            lags = _watch(page, url, recorded, seconds)
        finally:
            stop.set()
            thread.join(STOP_S)
    half = len(lags) // 2
    return {
        "console.wall_sessions": number(sessions, "sessions"),
        "console.wall_lag_ms": percentiles(lags, "ms"),
        "console.wall_lag_first_half_ms": percentiles(lags[:half], "ms"),
        "console.wall_lag_second_half_ms": percentiles(lags[half:], "ms"),
    }


def start_sessions(
    url: str, settings: Settings, sessions: int, stack: contextlib.ExitStack
) -> Iterator[tuple[str, Recorder]]:
    """Running tasks, as a worker would have leased them."""
    artifacts = Artifacts(settings.artifacts)
    with Client(url, settings.api_key) as client, Store.open(settings) as store:
        for index in range(sessions):
            request = TaskRequest(instruction=f"session {index}", start_url="http://127.0.0.1:9/")
            task = client.create_task(request)
            store.episodes.lease(task.id, OWNER)
            yield task.id, stack.enter_context(Recorder(artifacts, task.id))


def record_pictures(
    recorders: list[tuple[str, Recorder]], recorded: dict[str, float], stop: threading.Event
) -> None:
    """A picture of each session each second, evenly over it."""
    index = 0
    picture = _make_picture()
    began = time.monotonic()
    while not stop.is_set():
        for place, (task_id, recorder) in enumerate(recorders):
            due = began + index + place / len(recorders)
            if stop.wait(max(0.0, due - time.monotonic())):
                return
            name = recorder.save_screenshot(index, picture)
            recorded[f"{task_id}/{name}"] = time.monotonic()
            step = Step(
                index=index,
                prompt="",
                completion=Completion(text="wait"),
                action=Wait(ms=1),
                result=ActionResult.success(),
                screenshot=name,
            )
            recorder.record_step(step)
        index += 1


def _make_picture() -> Screenshot:
    file = io.BytesIO()
    Image.effect_noise(SIZE, 40).convert("RGB").save(file, "JPEG", quality=40)
    data = base64.b64encode(file.getvalue()).decode()
    return Screenshot(format="jpeg", width=SIZE[0], height=SIZE[1], data=data)


def _watch(page: Page, url: str, recorded: dict[str, float], seconds: float) -> list[float]:
    """Ages in ms of the pictures that a wall shows for the first time."""
    lags: list[float] = []
    seen: set[str] = set()
    page.goto(f"{url}/console/wall")
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        sources = page.evaluate(NEWEST)
        now = time.monotonic()
        for source in sources:
            task_id, _, name = source.rpartition("/tasks/")[2].partition("/pictures/")
            picture = f"{task_id}/{name}"
            if picture in recorded and picture not in seen:
                seen.add(picture)
                lags.append((now - recorded[picture]) * 1000)
        time.sleep(0.05)
    return lags
