"""Examples of others are read, drawn by difficulty, and imitated beside the oracle's steps."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path
from typing import Any

import orjson
import pytest

from tests.trainer.tiny_run import open_context, working
from trainer.config import ConfigError, TrainConfig
from trainer.context import PhaseRecord
from trainer.phases.chat_examples import (
    ChatExample,
    check_examples,
    draw_examples,
    example_samples,
    read_examples,
)
from trainer.phases.imitate import imitate

USER = {"role": "user", "content": "link Cart #1\ntask: buy"}
ANSWER = {"role": "assistant", "content": "click Cart"}


def write(file: Path, *lines: dict[str, Any]) -> str:
    file.write_bytes(b"".join(orjson.dumps(line) + b"\n" for line in lines))
    return str(file)


async def test_they_are_a_share_of_what_is_imitated(tmp_path: Path) -> None:
    name = write(tmp_path / "chat.jsonl", {"messages": [USER, ANSWER], "id": 7})
    imitation = {"episodes": 4, "updates": 1, "data": [name], "data_share": 0.5}
    with open_context(tmp_path / "run", schedule=["imitate"], imitate=imitation) as context:
        async with working(context):
            await imitate(context, PhaseRecord("imitate", "imitate"), 0, keep)
        rows = (tmp_path / "run" / "metrics.jsonl").read_text().splitlines()
        figures = next(row for row in map(orjson.loads, rows) if "examples_of_others" in row)
        assert figures["examples_of_others"] == figures["oracle_steps"] == 4
        samples = example_samples(context, (name,), 2, 0.1)
        assert samples == example_samples(context, (name,), 2, 0.1)
        text = context.tokenizer.decode(list(samples[0].prompt_ids))
        assert "task: buy" in text
        assert "click Cart" in context.tokenizer.decode(list(samples[0].completion_ids))


async def test_solutions_of_problems_keep_their_share_beside_them(tmp_path: Path) -> None:
    name = write(tmp_path / "chat.jsonl", {"messages": [USER, ANSWER], "id": 7})
    changes: dict[str, Any] = {
        "imitate": {"episodes": 4, "updates": 1, "data": [name], "data_share": 0.25},
        "reasoning": {"share": 0.25, "eval_problems": 0},
    }
    with open_context(tmp_path / "run", schedule=["imitate"], **changes) as context:
        async with working(context):
            await imitate(context, PhaseRecord("imitate", "imitate"), 0, keep)
    rows = (tmp_path / "run" / "metrics.jsonl").read_text().splitlines()
    figures = next(row for row in map(orjson.loads, rows) if "oracle_steps" in row)
    keys = ("oracle_steps", "reasoning_solutions", "examples_of_others")
    assert [figures[key] for key in keys] == [4, 2, 2]


async def keep(updates: int) -> None:
    """Saves nothing."""


def test_a_hard_task_is_drawn_as_often_as_the_easy_ones() -> None:
    easy = [ChatExample(f"easy {number}", "a", (), 1.0) for number in range(9)]
    hard = ChatExample("hard", "a", (), 0.1)
    drawn = Counter(each.prompt for each in draw_examples([*easy, hard], 600, random.Random(1)))
    assert 240 < drawn["hard"] < 360


def test_messages_in_parts_and_a_system_message_are_read(tmp_path: Path) -> None:
    parts = [{"type": "image"}, {"type": "text", "text": "task: buy"}]
    messages = [{"role": "system", "content": "Be brief."}, USER | {"content": parts}, ANSWER]
    (example,) = read_examples((write(tmp_path / "chat.jsonl", {"messages": messages}),))
    assert (example.prompt, example.answer) == ("Be brief.\ntask: buy", "click Cart")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ({"messages": [USER]}, "line 1: roles are user: a prompt of ours is one user message"),
        ({"messages": [USER, ANSWER, USER, ANSWER]}, "so write one line for each answer"),
        ({"messages": [USER, ANSWER | {"content": " "}]}, "the assistant's message is empty"),
        ({"messages": [USER, ANSWER], "split": "test"}, "would make the figures worthless"),
        ({"messages": [USER, ANSWER], "images": ["none.png"]}, r"No such file .*none\.png"),
        ({"messages": [{"role": "tool", "content": ""}]}, r"messages\.0\.role: "),
    ],
)
def test_a_line_that_cannot_be_used_is_named(
    tmp_path: Path, line: dict[str, Any], message: str
) -> None:
    name = write(tmp_path / "chat.jsonl", line)
    config = TrainConfig.model_validate({"imitate": {"data": [name], "data_share": 0.1}})
    with pytest.raises(ConfigError, match=message):
        check_examples(config)


def test_files_without_examples_are_refused(tmp_path: Path) -> None:
    empty = write(tmp_path / "empty.jsonl")
    for name, message in ((str(tmp_path / "none"), "cannot read"), (empty, "no example")):
        config = TrainConfig.model_validate({"imitate": {"data": [name]}})
        with pytest.raises(ConfigError, match=message):
            check_examples(config)
