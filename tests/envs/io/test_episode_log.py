"""Each line names its episode, also from a task that the episode started."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator

import pytest

from envs.io.episode_log import NONE, get_episode, log_for, set_log_format


@pytest.fixture(autouse=True)
def _own_handlers() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    root.handlers = []
    yield
    root.handlers, root.level = handlers, level


def test_a_line_names_its_episode(capsys: pytest.CaptureFixture[str]) -> None:
    set_log_format("INFO")

    async def say(text: str) -> None:
        logging.getLogger("x").info(text)

    async def work() -> None:
        with log_for("e1"):
            started = asyncio.create_task(say("one"))
        await say("two")
        await started

    asyncio.run(work())
    lines = capsys.readouterr().err.splitlines()
    assert [line.partition(" INFO ")[2] for line in lines] == ["x [-]: two", "x [e1]: one"]


@pytest.mark.parametrize("sent", ["e1\nforged", "", "a b", "\x1b[31m", "e" * 65, "\u00e9"])
def test_what_is_no_id_is_not_written(sent: str) -> None:
    with log_for(sent):
        assert get_episode() == NONE
