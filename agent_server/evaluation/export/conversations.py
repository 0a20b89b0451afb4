"""Episodes that succeeded as conversations with tool calls, to imitate: one JSON line each.

    <to>/conversations.jsonl    {"messages": [...], "tools": "...", "task_id": ..., ...}

This is the form of OpenAI's fine-tuning and of TRL's SFTTrainer (`assistant_only_loss=True`: no
loss on what the environment says). Arguments and `tools` are JSON texts: all rows have one type.
Guarantees: what was answered and could not be read as an action, or failed, is left out with its
result, for it is nothing to imitate; each call has its result; no picture is exported.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import orjson

from agent_server.episodes.trajectory import Step
from agent_server.evaluation.job.plan import Evaluation, read_planned_tasks
from agent_server.evaluation.job.results import Trial
from agent_server.settings import Settings
from agent_server.store.artifacts import Artifacts
from envs.contract.actions import SimpleAction, single_actions
from envs.dialects import openai_tools

Json = dict[str, Any]
FILE = "conversations.jsonl"


def export_conversations(
    to: Path, folder: Path, evaluation: Evaluation, trials: Sequence[Trial]
) -> Iterator[str]:
    """Write one line a trial with a full score; yields what was written, in sentences. Raises
    NotAnEvaluation."""
    to.mkdir(parents=True, exist_ok=True)
    artifacts, tasks = Artifacts(Settings(run_dir=folder).artifacts), read_planned_tasks(folder)
    count = 0
    with (to / FILE).open("wb") as lines:
        for trial in trials:
            if trial.episode_id is None or trial.score is None or trial.score < 1:
                continue
            steps, _ = artifacts.read_steps(trial.episode_id, 0)
            instruction = evaluation.spec.apply_to(tasks[trial.task_id]).instruction
            row = make_conversation(instruction, steps)
            row |= {"task_id": trial.task_id, "trial": trial.trial, "policy": trial.policy}
            lines.write(orjson.dumps(row) + b"\n")
            count += 1
    yield f"wrote {count} of {len(trials)} trials, those with a full score, to {to / FILE}"


def make_conversation(instruction: str, steps: Sequence[Step]) -> Json:
    """Messages and tools of one episode. What the environment shows comes with the result of the
    call before it."""
    kept = [step for step in steps if step.action is not None and step.result.ok]
    shown = [_describe_page(step) for step in kept]
    messages: list[Json] = [
        {"role": "user", "content": f"Task: {instruction}\n\n{shown[0] if shown else ''}".strip()}
    ]
    for step, after in zip(kept, [*shown[1:], ""], strict=True):
        assert step.action is not None
        actions = single_actions(step.action)
        calls = [_make_call(f"call_{step.index}_{at}", each) for at, each in enumerate(actions)]
        messages.append({"role": "assistant", "content": step.thought, "tool_calls": calls})
        for at, call in enumerate(calls):
            # Of several calls the last one leads to what is shown.
            page = after if at + 1 == len(calls) else ""
            content = f"{_result_of(step)}\n\n{page}".strip()
            name = call["function"]["name"]
            message = {"role": "tool", "tool_call_id": call["id"], "name": name}
            messages.append(message | {"content": content})
    return {"messages": messages, "tools": orjson.dumps(openai_tools.tools()).decode()}


def _describe_page(step: Step) -> str:
    texts = [*step.follow_ups, f"url: {step.url}" if step.url else "", step.tree]
    return "\n".join(text for text in texts if text)


def _result_of(step: Step) -> str:
    value = step.result.value
    return step.outcome if value is None else f"ok: {orjson.dumps(value, default=str).decode()}"


def _make_call(call_id: str, action: SimpleAction) -> Json:
    fields = action.model_dump(mode="json", exclude_defaults=True, exclude={"type"})
    function = {"name": action.type, "arguments": orjson.dumps(fields).decode()}
    return {"id": call_id, "type": "function", "function": function}
