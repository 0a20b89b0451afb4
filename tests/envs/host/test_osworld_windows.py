"""OSWorld's window calls on a real desktop."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Any

import aiohttp
import orjson
import pytest

from tests.envs.desktop_box import Box, desktop_box

desktop = pytest.mark.desktop


@pytest.fixture(scope="module")
def box() -> Iterator[Box]:
    with desktop_box("--allow-shell") as started:
        yield started


@pytest.fixture
async def http(box: Box) -> AsyncIterator[aiohttp.ClientSession]:
    headers = {"Authorization": f"Bearer {box.token}"}
    timeout = aiohttp.ClientTimeout(total=60)
    async with aiohttp.ClientSession(box.url, headers=headers, timeout=timeout) as session:
        yield session


async def post(http: aiohttp.ClientSession, path: str, body: Any) -> tuple[int, Any]:
    async with http.post(path, json=body) as reply:
        content = await reply.read()
        return reply.status, orjson.loads(content) if content[:1] in b"{[" else content.decode()


@desktop
async def test_windows_that_do_not_do_as_asked_are_failures(
    http: aiohttp.ClientSession, box: Box
) -> None:
    (box.home / "Documents" / "plan.txt").write_text("plan")
    for body, expected in (({"path": "~/Documents/plan.txt"}, 200), ({"path": "~/none"}, 404)):
        assert (await post(http, "/setup/open_file", body))[0] == expected
    for call in ("activate_window", "close_window"):
        status, reply = await post(http, f"/setup/{call}", {"window_name": "Gimp"})
        assert status == 404
        assert "plan.txt" in reply["message"]
    window = {"window_name": "mousepad.Mousepad", "strict": True, "by_class": True}
    assert (await post(http, "/setup/activate_window", window))[0] == 200
    typing = "import pyautogui; pyautogui.write('more')"
    await post(http, "/execute", {"command": ["python", "-c", typing]})
    status, reply = await post(http, "/setup/close_window", window)
    assert status == 500
    assert "still open" in reply["message"]
    leaving = "import pyautogui; pyautogui.press('esc'); pyautogui.hotkey('ctrl', 's')"
    await post(http, "/execute", {"command": ["python", "-c", leaving]})
    assert (await post(http, "/setup/close_window", window))[0] == 200
