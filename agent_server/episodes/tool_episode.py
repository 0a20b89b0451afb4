"""One episode in a toolbox: the policy calls tools until it answers, then the reward scores it.

Guarantees: bounded in steps; the resource is lent for the whole episode and its `begin` ran before;
an answer that cannot be read, an unknown tool and a tool that fails are results that the policy
reads. What the user's own `begin` or reward raises is not the policy's: it is raised.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from agent_server.episodes.agent import Policy, Sampling, Turn, outcome
from agent_server.episodes.compact import CompactTurns
from agent_server.episodes.resource_pool import ResourcePool
from agent_server.episodes.toolbox import Toolbox, ToolProblem
from agent_server.episodes.trajectory import Step
from envs.contract.actions import Action, ActionError, ActionResult, Done, Infeasible, Tool
from envs.contract.observations import Observation
from envs.contract.task import Limits, Task


@dataclass(frozen=True, slots=True)
class ToolEpisode:
    """What happened, and the reward."""

    steps: tuple[Step, ...]
    score: float


def make_tool_task(box: Toolbox, problem: ToolProblem, seed: int) -> Task:
    """The problem as a task: what it came from, and its limit."""
    return Task(
        id=f"toolbox/{box.name}@{seed}",
        instruction=problem.question,
        gym="toolbox",
        template=box.name,
        seed=seed,
        tools="api",
        limits=Limits(max_steps=box.max_steps),
    )


def describe_tools(box: Toolbox) -> list[str]:
    """One line a tool: what the policy may call, and how."""
    lines = []
    for schema in box.tools.schemas():
        properties: dict[str, Any] = schema["parameters"].get("properties", {})
        arguments = ", ".join(
            f"{name}: {kind.get('type', 'any')}" for name, kind in properties.items()
        )
        summary = schema["description"].partition("\n")[0]
        lines.append(f"tool {schema['name']}({arguments}): {summary}")
    return lines


async def play(
    box: Toolbox, pool: ResourcePool, task: Task, policy: Policy, sampling: Sampling
) -> ToolEpisode:
    """Plays the problem of the task's seed. Raises EpisodeFault of the policy, PoolBusy, and what
    the user's own code raises."""
    problem = box.make_problem(task.seed)
    observation = Observation(hash="", url="", title=box.name)
    turns, steps = CompactTurns(task), list[Step]()
    results: tuple[ActionResult, ...] = ()
    answer: str | None = None
    async with pool.lend() as resource:
        await box.prepare(resource, problem)
        while len(steps) < task.limits.max_steps:
            prompt = "\n".join([*describe_tools(box), turns.prompt(observation, results)])
            completion = await policy.act(Turn(task, observation, prompt, sampling))
            parsed = turns.read(completion.text, observation)
            action = parsed.action
            results = () if parsed.error else (await _act(box, resource, action),)
            steps.append(
                Step(
                    index=len(steps),
                    prompt=prompt,
                    completion=completion,
                    thought=parsed.thought,
                    action=action,
                    result=outcome(parsed, results),
                )
            )
            if isinstance(action, Done | Infeasible):
                answer = action.answer if isinstance(action, Done) else None
                break
        score = await box.score(resource, problem, answer)
    return ToolEpisode(tuple(steps), score)


async def _act(box: Toolbox, resource: Any, action: Action | None) -> ActionResult:
    if isinstance(action, Done | Infeasible):
        return ActionResult.success()
    if not isinstance(action, Tool):
        message = "there is no page here; call a tool, or answer with done = ANSWER"
        return ActionResult.failure(ActionError.NOT_ALLOWED, message)
    if action.name not in box.tools:
        names = ", ".join(schema["name"] for schema in box.tools.schemas())
        message = f"there is no tool {action.name}; there are: {names}"
        return ActionResult.failure(ActionError.TOOL_ARGUMENTS, message)
    return await box.tools.call(action.name, action.arguments, resource)
