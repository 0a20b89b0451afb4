"""Steps of planner and grounder, for the learner.

Guarantees: each answer of a trained role is a step of its own, in the order of speaking, so that an
algorithm compares planners with planners and grounders with grounders in the same state; answers of
the other role give nothing to learn. Where the roles are not apart, steps stay as they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from agent_server.episodes.trajectory import Step
from agent_server.policy.planned import (
    make_grounder_prompt,
    make_planner_prompt,
    read_end,
    read_plan,
    say_in_words,
)
from envs.contract.actions import ActionResult
from envs.dialects.roles import Role, Roles
from trainer.context import Context


def read_steps(context: Context, episode_id: str) -> tuple[Step, ...]:
    """What the policy said in an episode and is to learn from, with pictures. Raises KeyError."""
    steps = context.artifacts.read_seen(episode_id).steps
    return tuple(split_roles(steps, context.config.roles))


def split_roles(steps: Sequence[Step], roles: Roles) -> Iterator[Step]:
    """The answers of the trained roles, each as a step. An oracle's steps pass as they are."""
    for step in steps:
        plan = step.completion.plan
        if plan is None:
            yield step
            continue
        has_action = bool(step.completion.token_ids or step.completion.usage)
        if "planner" in roles.learners:
            # What the grounder made of a plan is no fault of its format.
            result = ActionResult.success() if has_action else step.result
            yield _as_step(step, "planner", plan.prompt).model_copy(
                update={"completion": plan.completion, "result": result}
            )
        if "grounder" in roles.learners and has_action:
            alone = step.completion.model_copy(update={"plan": None})
            yield _as_step(step, "grounder", step.prompt).model_copy(update={"completion": alone})


def _as_step(step: Step, role: Role, prompt: str) -> Step:
    # Algorithms that compare answers on the same page must not compare a plan with an action.
    return step.model_copy(update={"prompt": prompt, "tree": f"role: {role}\n{step.tree}"})


def demonstrate(prompt: str, answer: str, roles: Roles) -> list[tuple[str, str]]:
    """A demonstration as prompts and answers of the trained roles: the words of an oracle's action
    for the planner, the action for the grounder."""
    if not roles.apart:
        return [(prompt, answer)]
    action = answer.rstrip().rsplit("\n", 1)[-1]
    end = read_end(read_plan(action))
    words = action if end is not None else say_in_words(answer, prompt)
    pairs: list[tuple[Role, str, str]] = [
        ("planner", make_planner_prompt(prompt, roles.explain), words)
    ]
    if end is None:
        pairs.append(("grounder", make_grounder_prompt(prompt, words, roles.explain), action))
    return [(prompt, answer) for role, prompt, answer in pairs if role in roles.learners]
