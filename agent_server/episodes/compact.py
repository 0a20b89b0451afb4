"""The compact dialect: one thought and one action as short text, written and parsed.

Guarantees: `parse` never raises and never evaluates anything; text that it cannot parse becomes an
error for the policy. `parse(render(thought, action, lines), lines)` gives the same action for every
action of the union (refs lose their tree id, which the runner knows).

An element is called by its name, or by as many of its first words as no other name begins with
("Cart" for "Cart (2)"); its ref distinguishes it from others that begin alike. A decoder need only
copy what it reads. A name and a ref that do not belong together are refused, so that a policy never
does something else than it said.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from agent_server.episodes.agent import Answer, Policy, Sampling, Turn, outcome
from envs.contract.actions import (
    Action,
    ActionResult,
    Click,
    Done,
    History,
    Infeasible,
    Key,
    Mark,
    Move,
    Navigate,
    Scroll,
    SetValue,
    Space,
    Target,
    Tool,
    Type,
    Zoom,
    action_adapter,
    single_actions,
    why_invalid,
)
from envs.contract.observations import (
    Observation,
    Observe,
    TreeLine,
    lines_of,
    one_line,
    parse_tree,
)
from envs.contract.task import Task
from envs.dialects.dialect import Call, Parsed, Refused, decode_json, make_refusal

TASK = "task: "
FOLLOW_UP = "and now: "
HISTORY_STEPS = 8
"""Older steps are left out; the page itself shows most of what they did."""
ERROR_CHARS = 90
VALUE_CHARS = 240

_VERB = r"^(?P<verb>click|hover|type|enter|select|set|check|uncheck)"
BY_REF = re.compile(_VERB + r"(?: (?P<name>.*?))? #(?P<ref>\d{1,6})(?: = (?P<value>.*))?$")
BY_NAME = re.compile(_VERB + r" (?P<name>.+?)(?: = (?P<value>.*))?$")
FIELD = re.compile(r"^#(?P<ref>\d{1,6}) = (?P<value>.*)$")
FOR_POINTER_ONLY = frozenset({"link", "button"})
BY_POINTER = frozenset({"click", "hover"})
NEEDS_VALUE = frozenset({"type", "enter", "select", "set"})
LOOK = re.compile(r"^(?P<verb>zoom|crop|mark)(?P<numbers>(?: \d{1,4}){2,40})$")
"""Numbers are parts of a thousand of the screen: x and y in turn."""
WITHOUT_ARGUMENT: dict[str, Action] = {
    "scroll down": Scroll(dy=1, unit="page"),
    "scroll up": Scroll(dy=-1, unit="page"),
    "back": History(op="back"),
    "done": Done(),
    "infeasible": Infeasible(),
}


def parse(text: str, tree_lines: Sequence[TreeLine] = (), tree: int | None = None) -> Parsed:
    r"""Parse `thought\naction` (the thought may be missing). Names are looked up in `tree_lines`;
    refs are bound to the tree id `tree`."""
    lines = [line for line in text.strip().split("\n") if line.strip()]
    if not lines:
        return make_refusal("the answer is empty; write one action")
    if len(lines) > 2:
        return make_refusal("write one thought line and one action line only", lines[0])
    thought = lines[0].strip() if len(lines) == 2 else ""
    try:
        action = _parse_action(lines[-1].strip(), tree_lines, tree)
    except ValidationError as error:
        return make_refusal(why_invalid(error), thought)
    except ValueError as error:
        return make_refusal(str(error)[:200], thought)
    return Parsed(thought, (Call(actions=single_actions(action)),))


def _parse_action(line: str, tree_lines: Sequence[TreeLine], tree: int | None) -> Action:
    if line in WITHOUT_ARGUMENT:
        return WITHOUT_ARGUMENT[line]
    if match := LOOK.match(line):
        return _look(match["verb"], [float(number) for number in match["numbers"].split()])
    if match := BY_REF.match(line):
        ref = int(match["ref"])
        _check_name(match["name"], ref, tree_lines)
        return _element_action(match["verb"], match["value"], Target(ref=ref, tree=tree))
    if match := BY_NAME.match(line):
        ref = _find_ref(match["verb"], match["name"], tree_lines)
        return _element_action(match["verb"], match["value"], Target(ref=ref, tree=tree))
    verb, _, rest = line.partition(" ")
    if verb == "done" and rest.startswith("= "):
        return Done(answer=rest[2:])
    if verb == "infeasible" and rest.startswith("= "):
        return Infeasible(reason=rest[2:])
    if verb == "key" and rest:
        return Key(keys=tuple(rest.split("+")) if rest != "+" else ("+",))
    if verb == "goto" and rest:
        return Navigate(url=rest)
    if verb == "find" and rest.startswith("= "):
        return Tool(name="browser.find_text", arguments={"text": rest[2:]})
    if verb == "fill" and rest:
        return Tool(name="browser.fill_form", arguments={"fields": _fields(rest)})
    if verb == "tool" and rest:
        name, _, arguments = rest.partition(" ")
        return Tool(name=name, arguments=_json_object(arguments or "{}"))
    if verb == "act" and rest:
        return action_adapter.validate_python(_json_object(rest))
    raise ValueError(f"cannot read the action {line[:80]!r}")


def _look(verb: str, numbers: list[float]) -> Action:
    points = [
        Target(x=x, y=y, space=Space.NORM1000)
        for x, y in zip(numbers[::2], numbers[1::2], strict=False)
    ]
    if len(numbers) % 2 or (verb != "mark" and len(points) != 2):
        raise ValueError(f"{verb} needs x1 y1 x2 y2, parts of a thousand of the screen")
    if verb == "mark":
        return Mark(points=tuple(points))
    return Zoom(corners=(points[0], points[1]), enlarge=verb == "zoom")


def _candidates(verb: str, name: str, tree_lines: Sequence[TreeLine]) -> list[int]:
    """Refs of the lines that this verb may mean: a whole name wins over a beginning."""
    lines = [line for line in tree_lines if verb in BY_POINTER or line.role not in FOR_POINTER_ONLY]
    whole = [line.ref for line in lines if line.ref is not None and line.name == name]
    beginnings = [line.ref for line in lines if line.ref is not None and _begins(line.name, name)]
    return whole or beginnings


def _begins(name: str, words: str) -> bool:
    return name == words or name.startswith(f"{words} ")


def _find_ref(verb: str, name: str, tree_lines: Sequence[TreeLine]) -> int:
    refs = _candidates(verb, name, tree_lines)
    if not refs:
        raise ValueError(f"nothing here to {verb} is called {name[:60]!r}")
    if len(refs) > 1:
        numbers = ", ".join(f"#{ref}" for ref in refs[:6])
        raise ValueError(f"several are called {name[:40]!r}: {numbers}; add the number")
    return refs[0]


def _check_name(name: str | None, ref: int, tree_lines: Sequence[TreeLine]) -> None:
    """Nothing to check where the answer names nothing, or the ref is unknown: the host says so."""
    for line in tree_lines:
        if line.ref == ref and name and not _begins(line.name, name):
            raise ValueError(f"#{ref} is called {line.name[:40]!r}, not {name[:40]!r}")


def _element_action(verb: str, value: str | None, target: Target) -> Action:
    if (value is not None) != (verb in NEEDS_VALUE):
        raise ValueError(
            f"{verb} needs ' = value'" if value is None else f"{verb} takes no ' = value'"
        )
    if verb == "click":
        return Click(target=target)
    if verb == "hover":
        return Move(target=target)
    if verb in ("check", "uncheck"):
        return SetValue(target=target, value=verb == "check")
    if verb in ("select", "set"):
        return SetValue(target=target, value=value)
    return Type(text=value, target=target, clear=True, submit=verb == "enter")


def _fields(text: str) -> dict[str, str]:
    fields: dict[str, str] = {}
    for part in text.split(" ; "):
        match = FIELD.match(part)
        if match is None:
            raise ValueError(f"fill wants '#n = text ; #m = text', got {part[:60]!r}")
        fields[match["ref"]] = match["value"]
    return fields


def _json_object(text: str) -> dict[str, Any]:
    try:
        value = decode_json(text)
    except Refused as error:
        raise ValueError(str(error)) from error
    if not isinstance(value, dict):
        raise ValueError("expected a JSON object")
    return value


def render(
    thought: str, action: Action, lines: Sequence[TreeLine], called: str | None = None
) -> str:
    """The text a policy would write for this action, given the lines of the tree it saw. `called`:
    words to call its element by, where they mean it; "" is its ref alone."""
    names = {line.ref: line.name for line in lines if line.ref is not None}
    ref = _ref_of(action)
    name = "" if ref is None else names.get(ref, "")
    expected = _without_tree(action)
    names_to_try = _candidate_names(name, ref, called)
    bodies = (describe(action, lines, words) for words in names_to_try)
    as_json = f"act {action.model_dump_json(exclude_none=True)}"
    body = next((b for b in bodies if _without_tree(_parse_back(b, lines)) == expected), as_json)
    thought = " ".join(thought.split())
    return f"{thought}\n{body}" if thought else body


def _ref_of(action: Action) -> int | None:
    match action:
        case Click(target=Target(ref=ref)) | Type(target=Target(ref=ref)):
            return ref
        case SetValue(target=Target(ref=ref)) | Move(target=Target(ref=ref)):
            return ref
        case _:
            return None


def _candidate_names(name: str, ref: int | None, called: str | None) -> Iterator[str]:
    """The words before the first number say what it is; then with the ref, which is one token,
    while a price is many. What it is to be called comes first."""
    if called:
        yield called
    if called is not None:
        yield f"{called} #{ref}".strip()
    words = name.split(" ") if name else []
    plain = next((i for i, word in enumerate(words) if any(map(str.isdigit, word))), len(words))
    start = " ".join(words[: max(plain, 1)])
    yield start
    yield f"{start} #{ref}".strip()


def describe(action: Action, lines: Sequence[TreeLine], called: str | None = None) -> str:
    """One line for an action. `called` is what its element is called; by default its whole name,
    which is fit for a history, where refs are stale."""
    ref = _ref_of(action)
    line = next((line for line in lines if ref is not None and line.ref == ref), None)
    name = called if called is not None else "" if line is None else line.name
    match action:
        case Click(target=Target(ref=int())) | Move(target=Target(ref=int())):
            return _on_element("click" if isinstance(action, Click) else "hover", name)
        case Type(target=Target(ref=int()), text=text, submit=submit):
            return _on_element("enter" if submit else "type", name, text)
        case SetValue(target=Target(ref=int()), value=bool(value)):
            return _on_element("check" if value else "uncheck", name)
        case SetValue(target=Target(ref=int()), value=str(value)):
            verb = "select" if line is not None and line.role == "select" else "set"
            return _on_element(verb, name, value)
        case Scroll(dy=dy, dx=0, unit="page", target=None) if dy in (1, -1):
            return "scroll down" if dy > 0 else "scroll up"
        case History(op="back"):
            return "back"
        case Navigate(url=url):
            return f"goto {url}"
        case Key(keys=keys, repeat=1):
            return "key " + "+".join(keys)
        case Done(answer=answer):
            return "done" if answer is None else f"done = {answer}"
        case Infeasible(reason=reason):
            return f"infeasible = {reason}" if reason else "infeasible"
        case Tool(name="browser.find_text", arguments={"text": str(text), **rest}) if not rest:
            return f"find = {text}"
        case Tool(name="browser.fill_form", arguments={"fields": dict(fields), **rest}) if not rest:
            return "fill " + " ; ".join(f"#{ref} = {text}" for ref, text in fields.items())
        case Tool(name=tool, arguments=arguments):
            return f"tool {tool} {json.dumps(arguments, ensure_ascii=False)}"
        case _:
            return _look_line(action) or f"act {action.model_dump_json(exclude_none=True)}"


def _look_line(action: Action) -> str | None:
    """Of a zoom or mark that whole parts of a thousand can say; else None."""
    match action:
        case Zoom(corners=points, enlarge=enlarge):
            verb = "zoom" if enlarge else "crop"
        case Mark(points=points, line=False):
            verb = "mark"
        case _:
            return None
    places = [number for point in points for number in (point.x or 0.0, point.y or 0.0)]
    is_plain = all(number.is_integer() and 0 <= number < 10_000 for number in places)
    if not is_plain or any(point.space is not Space.NORM1000 for point in points):
        return None
    return f"{verb} {' '.join(f'{number:g}' for number in places)}"


def _on_element(verb: str, name: str, value: str | None = None) -> str:
    words = [verb, name] if name else [verb]
    return " ".join(words if value is None else [*words, f"= {value}"])


def _parse_back(body: str, lines: Sequence[TreeLine]) -> Action | None:
    if "\n" in body or body != body.strip():
        return None
    return parse(body, lines).action


def _without_tree(action: Action | None) -> object:
    if action is None:
        return None
    data = action.model_dump()
    if data.get("target"):
        data["target"]["tree"] = None
    return data


@dataclass(frozen=True, slots=True)
class Past:
    """A finished step, as later prompts describe it."""

    description: str
    result: ActionResult

    @classmethod
    def of(cls, action: Action | None, tree: str, result: ActionResult) -> Past:
        """Describe an action; `tree`, the text it was chosen on, gives the element's name."""
        if action is None:
            return cls("?", result)
        return cls(describe(action, parse_tree(tree)), result)

    def lines(self) -> list[str]:
        """One or two lines of a prompt: the action, and its error or value."""
        lines = [f"did: {self.description}"]
        if not self.result.ok:
            lines.append(f"error: {one_line(self.result.message, ERROR_CHARS)}")
        elif self.result.value is not None:
            lines.append(f"got: {one_line(str(self.result.value), VALUE_CHARS)}")
        return lines


def task_line(instruction: str) -> str:
    """The one line of a prompt that says what to do."""
    return f"{TASK}{one_line(instruction, 2000)}"


def build_prompt(
    instruction: str,
    history: list[Past],
    observation: Observation,
    follow_ups: Sequence[str] = (),
) -> str:
    """The user message that the policy answers."""
    lines = [*lines_of(observation), task_line(instruction)]
    lines += [f"{FOLLOW_UP}{one_line(text, 2000)}" for text in follow_ups]
    for past in history[-HISTORY_STEPS:]:
        lines += past.lines()
    return "\n".join(lines)


class CompactTurns:
    """Writes the prompts of one episode and parses the answers."""

    def __init__(self, task: Task) -> None:
        self._instruction = task.instruction
        self._follow_ups: list[str] = []
        self._history: list[Past] = []
        self._last: tuple[Parsed, str] | None = None

    def tell(self, text: str) -> None:
        """Every later prompt has it below the task."""
        self._follow_ups.append(text)

    @property
    def result(self) -> ActionResult | None:
        """Of the last answer, as the newest prompt tells it; None in the first prompt."""
        return self._history[-1].result if self._history else None

    def prompt(self, observation: Observation, results: Sequence[ActionResult]) -> str:
        """The next prompt; `results` are of the last answer's actions."""
        if self._last is not None:
            parsed, tree = self._last
            self._history.append(Past.of(parsed.action, tree, outcome(parsed, results)))
        return build_prompt(self._instruction, self._history, observation, self._follow_ups)

    def read(self, text: str, observation: Observation) -> Parsed:
        """Parse an answer to this observation."""
        tree = observation.tree
        tree_text = "" if tree is None else tree.text
        parsed = parse(text, parse_tree(tree_text), None if tree is None else tree.id)
        self._last = (parsed, tree_text)
        return parsed


class CompactAgent:
    """A policy of Deskhand: served, an oracle, or a control."""

    longest_s = 0.0

    def __init__(self, task: Task, policy: Policy) -> None:
        self._task, self._policy = task, policy
        self._turns = CompactTurns(task)

    def extend_observe(self, observe: Observe) -> Observe:
        """Nothing more than the request."""
        return observe

    def tell(self, text: str) -> None:
        """See `Agent.tell`."""
        self._turns.tell(text)

    async def act(
        self, observation: Observation, results: Sequence[ActionResult], sampling: Sampling
    ) -> Answer:
        """See `Agent.act`."""
        prompt = self._turns.prompt(observation, results)
        turn = Turn(self._task, observation, prompt, sampling, result=self._turns.result)
        completion = await self._policy.act(turn)
        return Answer(prompt, completion, self._turns.read(completion.text, observation))
