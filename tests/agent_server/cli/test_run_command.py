"""What `deskhand run` makes of its options, and what it prints."""

from __future__ import annotations

from pathlib import Path

import pytest
import typer
from rich.text import Text
from typer.testing import CliRunner

from agent_server.agents.config import AgentFileError
from agent_server.api.models import TaskState
from agent_server.cli import commands
from agent_server.cli.run_command import ShellTask, describe_end, describe_step, find_policy
from agent_server.episodes.trajectory import Completion, Step
from agent_server.store.tables import Episode
from envs.contract.actions import ActionResult, Wait

TASK = ShellTask(
    instruction="Find the cheapest blue shirt",
    url="https://shop.example/",
    allow=("shop.example",),
    agent="mine.toml",
    model=None,
    desktop=False,
    max_steps=7,
    max_seconds=60,
    run_dir=Path("runs/shell"),
)


def test_the_request_has_what_the_command_line_said() -> None:
    request = TASK.to_request("mine")
    assert (request.start_url, request.allow) == ("https://shop.example/", ("shop.example",))
    assert (request.policy, request.max_steps, request.max_seconds) == ("mine", 7, 60)


def test_an_agent_s_file_gives_the_name(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('dialect = "compact"\nbase_url = "http://127.0.0.1:1/v1"\nmodel = "m"\n')
    assert find_policy(str(file)) == ("mine", (file,))
    assert find_policy("noop") == ("noop", ())
    assert find_policy(None) == ("live", ())
    with pytest.raises(AgentFileError, match="cannot read"):
        find_policy(str(tmp_path / "none.toml"))


def test_text_of_pages_is_shown_as_it_is() -> None:
    step = Step(
        index=2,
        prompt="",
        completion=Completion(text=""),
        thought="[red]look[/]",
        action=Wait(ms=5),
        result=ActionResult.success(),
        refused_hosts=("evil.test",),
    )
    shown = Text.from_markup(describe_step(step)).plain
    assert shown.splitlines() == [
        '3 act {"type":"wait","ms":5}',
        "  [red]look[/]",
        "  not reached (--allow): evil.test",
    ]


def test_the_end_says_how_and_what_the_answer_is() -> None:
    row = Episode(
        id="e1", run_id="api", task={"id": "t", "instruction": "x"}, status="unjudged",
        reason="done", answer="$12 [sale]", steps=1,
    )  # fmt: skip
    shown = Text.from_markup(describe_end(TaskState.of(row, retry_follows=False))).plain
    assert shown == "done after 1 step\nanswer: $12 [sale]"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["buy"], "--agent FILE or --model DIR"),
        (["buy", "--agent", "noop"], "--url URL, or --desktop"),
    ],
)
def test_what_is_missing_is_said_before_anything_starts(
    arguments: list[str], sentence: str
) -> None:
    app = typer.Typer()
    commands.register(app)
    result = CliRunner().invoke(app, ["run", *arguments], env={"COLUMNS": "200"})
    assert result.exit_code == 2
    assert sentence in result.output
