"""Planner and grounder: two policies that answer one step together (AutoGLM, arXiv 2411.00820).

The planner reads the whole prompt and says in one line what to do and on which element, in words,
or that the task is over. The grounder reads the page and those words, neither task nor history, and
answers with the action. Guarantees: to the agent they are one policy, whose thought is the plan;
token ids, logprobs and versions of the two are recorded apart (`Completion.plan`); a role that an
endpoint plays counts in no version.
"""

from __future__ import annotations

import dataclasses

from agent_server.episodes.agent import Policy, Turn
from agent_server.episodes.compact import TASK, WITHOUT_ARGUMENT, describe, parse
from agent_server.episodes.seeing_agent import WRITERS
from agent_server.episodes.trajectory import Completion, Planned
from envs.contract.actions import (
    Action,
    Click,
    Done,
    Infeasible,
    Move,
    SetValue,
    Target,
    Type,
)
from envs.contract.observations import TreeLine, one_line, parse_tree
from envs.dialects.coordinates import RELATIVE
from envs.dialects.dialect import Display
from envs.dialects.roles import Role, Roles
from envs.dialects.view import DialectName

PLAN_CHARS = 300
DO, ROLE = "do: ", "role: "
EXPLAINED: dict[Role, str] = {
    "planner": "Answer with one line: what to do next and on which element, in words. At the end "
    "of the task: done, or done = ANSWER; if it cannot be done: infeasible = REASON.",
    "grounder": "Answer with the one action that does what the line `do:` says.",
}
_ENDS = ("done", "infeasible")


def make_planner_prompt(prompt: str, explain: bool = False) -> str:
    """All that a policy alone would read."""
    return "\n".join([prompt, *_role_lines("planner", explain)])


def make_grounder_prompt(prompt: str, words: str, explain: bool = False) -> str:
    """The page of the same prompt, and what to do on it."""
    return "\n".join([*page_lines(prompt), f"{DO}{words}", *_role_lines("grounder", explain)])


def _role_lines(role: Role, explain: bool) -> list[str]:
    return [f"{ROLE}{role}", *([EXPLAINED[role]] if explain else [])]


def page_lines(prompt: str) -> list[str]:
    """What stands before the task: the page, and how to answer where a view explains it."""
    lines = prompt.split("\n")
    end = next((at for at, line in enumerate(lines) if line.startswith(TASK)), len(lines))
    return lines[:end]


def read_plan(text: str) -> str:
    """The planner's line; empty where it said nothing."""
    lines = [line for line in text.split("\n") if line.strip()]
    return one_line(lines[0], PLAN_CHARS) if lines else ""


def read_end(plan: str) -> Action | None:
    """The action that ends the task, if the plan is to end it."""
    verb, _, _ = plan.partition(" = ")
    if verb not in _ENDS:
        return None
    return WITHOUT_ARGUMENT[plan] if plan in WITHOUT_ARGUMENT else parse(plan).action


def say_in_words(answer: str, prompt: str) -> str:
    """What a planner would say where a policy alone gives this answer to this prompt: the plan of a
    demonstration. Elements are called by kind and name, of several alike also by their place."""
    lines = parse_tree("\n".join(page_lines(prompt)))
    parsed = parse(answer, lines)
    if parsed.action is None:
        # Of points the thought alone has words.
        return read_plan(answer)
    return _in_words(parsed.action, lines) or describe(parsed.action, lines)


def _in_words(action: Action, lines: list[TreeLine]) -> str | None:
    match action:
        case Click(target=Target(ref=int(ref)), button="left", count=1, modifiers=()):
            return f"click {_element(ref, lines)}"
        case Move(target=Target(ref=int(ref))):
            return f"point at {_element(ref, lines)}"
        case Type(target=Target(ref=int(ref)), text=text, submit=submit):
            enter = " and press Enter" if submit else ""
            return f"type {text} into {_element(ref, lines)}{enter}"
        case SetValue(target=Target(ref=int(ref)), value=bool(value)):
            return f"{'check' if value else 'uncheck'} {_element(ref, lines)}"
        case SetValue(target=Target(ref=int(ref)), value=value):
            return f"set {_element(ref, lines)} to {value}"
    return None


def _element(ref: int, lines: list[TreeLine]) -> str:
    line = next((line for line in lines if line.ref == ref), None)
    if line is None:
        return f"#{ref}"
    alike = [
        each.ref for each in lines if (each.role, each.name) == (line.role, line.name) and each.ref
    ]
    place = f", number {alike.index(ref) + 1} of {len(alike)}" if len(alike) > 1 else ""
    return f"the {line.role} {line.name}{place}".rstrip()


class PlannedPolicy:
    """See `agent_server.episodes.agent.Policy`. The two may be the same policy."""

    def __init__(
        self, planner: Policy, grounder: Policy, dialect: DialectName, roles: Roles
    ) -> None:
        self._planner, self._grounder = planner, grounder
        self._dialect, self._roles = dialect, roles

    async def act(self, turn: Turn) -> Completion:
        """Raises what the policies raise."""
        prompt = make_planner_prompt(turn.prompt, self._roles.explain)
        sampling = turn.sampling.model_copy(update={"max_tokens": self._roles.plan_tokens})
        answer = await self._planner.act(
            dataclasses.replace(turn, prompt=prompt, sampling=sampling)
        )
        answer = self._as_played(answer, "planner")
        planned, plan = Planned(prompt=prompt, completion=answer), read_plan(answer.text)
        end = read_end(plan)
        if end is not None or not plan:
            text = plan if end is None else self._end_in_dialect(plan, end)
            return Completion(text=text, plan=planned, latency_s=answer.latency_s)
        prompt = make_grounder_prompt(turn.prompt, plan, self._roles.explain)
        grounded = await self._grounder.act(dataclasses.replace(turn, prompt=prompt))
        grounded = self._as_played(grounded, "grounder")
        return grounded.model_copy(
            update={
                "text": self._join(plan, grounded.text),
                "plan": planned,
                "latency_s": answer.latency_s + grounded.latency_s,
            }
        )

    def _as_played(self, answer: Completion, role: Role) -> Completion:
        """An endpoint's versions are not ours: its tokens would make an episode look stale."""
        if role != self._roles.endpoint_plays:
            return answer
        return Completion(
            text=answer.text,
            finish_reason=answer.finish_reason,
            latency_s=answer.latency_s,
            usage=answer.tokens,
            pictures=answer.pictures,
        )

    def _join(self, plan: str, action: str) -> str:
        thought = f"Thought: {plan}" if self._dialect == "uitars" else plan
        return f"{thought}\n{action}"

    def _end_in_dialect(self, plan: str, end: Action) -> str:
        if self._dialect == "compact":
            return plan
        assert isinstance(end, Done | Infeasible)
        # An end has no place on the screen: of which size it is does not matter.
        return WRITERS[self._dialect]("", [end], Display(1, 1), RELATIVE)
