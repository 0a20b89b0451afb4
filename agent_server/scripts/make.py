"""A trajectory becomes a script.

    script = make_script("new-invoice", task, steps, stated={"customer": "Cinder Media"})

Guarantees: what the trajectory did to overcome interruptions, what failed and what only looked
(scrolling, waiting, searching the page) is left out; a value becomes a parameter if the user says
so, or if it was typed or chosen and stands in the instruction; everything else stays as it was.
Raises CannotScript where a step cannot be found again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agent_server.episodes.trajectory import Step
from agent_server.scripts.interruptions import Page, find_unsaved, is_interruption
from agent_server.scripts.make_checks import make_check, make_end, path_pattern
from agent_server.scripts.model import (
    ByAttributes,
    Named,
    Parameter,
    Script,
    ScriptStep,
    ScriptTask,
    Selector,
)
from agent_server.scripts.selectors import is_sender, make_selectors, make_sender
from agent_server.scripts.texts import insert, shows_value
from envs.contract.actions import (
    Click,
    Done,
    Drag,
    ElementTraits,
    Infeasible,
    Mark,
    Navigate,
    Note,
    Scroll,
    SetValue,
    SimpleAction,
    Target,
    Tool,
    Type,
    Wait,
    Zoom,
    single_actions,
)
from envs.contract.observations import Observation, Tree, TreeLine
from envs.contract.secret import PLACEHOLDER
from envs.contract.task import Task

LOOKS = frozenset({"browser.find_text", "browser.read_table", "browser.page_text"})
"""Tools that change nothing."""
_WORD = re.compile(r"[^a-z0-9]+")
MAX_PARAMETER = 500
"""Longer texts are no parameters unless the user says so."""


class CannotScript(ValueError):
    """The trajectory cannot become a script; the message says which step, and why."""


@dataclass(frozen=True, slots=True)
class Move:
    """One action of a trajectory that a script repeats, with its page and what came after it."""

    action: SimpleAction
    page: Page
    after: Page
    traits: ElementTraits | None
    thought: str
    number: int
    """Of the step in the trajectory, from 1."""

    @property
    def sends(self) -> bool:
        """Whether it sends a form that changes something."""
        if isinstance(self.action, Drag):
            return True
        if self.traits is None or self.traits.method != "post":
            return False
        if isinstance(self.action, Type):
            return self.action.submit
        return isinstance(self.action, Click) and is_sender(self.traits)


def make_script(
    name: str,
    task: Task,
    steps: Sequence[Step],
    stated: Mapping[str, str] | None = None,
    episode: str | None = None,
) -> Script:
    """The script of a trajectory's steps. `stated`: parameters by name, with the values that they
    had. Raises CannotScript."""
    moves, end, last = list_moves(steps)
    values, about = find_parameters(task, moves, stated or {})
    made = [make_step(move, values) for move in moves]
    return Script(
        name=name,
        made_from=() if episode is None else (episode,),
        task=make_task(task, values),
        parameters=tuple(
            Parameter(name=key, value=value, about=about.get(key, ""))
            for key, value in values.items()
        ),
        steps=tuple(made),
        end=make_end(end, last, values),
    )


def make_task(task: Task, values: Mapping[str, str]) -> ScriptTask:
    """The task as a script keeps it."""
    return ScriptTask(
        instruction=insert(task.instruction, values),
        env=task.env,
        gym=task.gym,
        template=task.template,
        seed=None if task.gym is None else task.seed,
        start_url=task.start_url,
        allow=task.allow,
        secrets=task.secrets,
        max_steps=task.limits.max_steps,
    )


def list_moves(steps: Sequence[Step]) -> tuple[list[Move], Done | Infeasible, Page]:
    """What a script repeats, how the trajectory ended, and on which page. Raises CannotScript."""
    moves: list[Move] = []
    unsaved: str | None = None
    for index, step in enumerate(steps):
        page = _page_of(step)
        trouble = find_unsaved(page)
        if trouble is not None and trouble != unsaved:
            # It was done in vain; what follows does it again.
            _drop_last_form(moves)
        unsaved = trouble
        if step.person:
            raise CannotScript(
                f"step {index + 1}: a person took over there; that is not recorded whole"
            )
        if step.action is None or not step.result.ok:
            continue
        after = _page_of(steps[index + 1]) if index + 1 < len(steps) else page
        actions = [action for whole in single_actions(step.action) for action in _unfold(whole)]
        for action in actions:
            if isinstance(action, Done | Infeasible):
                return moves, action, page
            traits = step.result.element if len(actions) == 1 else None
            if _is_repeated(action, page):
                final = action is actions[-1]
                moves.append(
                    Move(action, page, after if final else page, traits, step.thought, index + 1)
                )
    raise CannotScript(
        "the trajectory has no end: only one that its agent finished can be repeated"
    )


def _drop_last_form(moves: list[Move]) -> None:
    """Removes the steps on the page of the form that was sent last, and those after them."""
    sent = next((i for i in reversed(range(len(moves))) if moves[i].sends), None)
    if sent is None:
        return
    path = path_pattern(moves[sent].page.url, {})
    first = sent
    while first and not moves[first - 1].sends:
        if path_pattern(moves[first - 1].page.url, {}) != path:
            break
        first -= 1
    del moves[first:]


def _is_repeated(action: SimpleAction, page: Page) -> bool:
    if isinstance(action, Scroll | Wait | Note | Zoom | Mark) or (
        isinstance(action, Tool) and action.name in LOOKS
    ):
        return False
    line = find_ref(page, getattr(action, "target", None))
    return not (isinstance(action, Click) and line is not None and is_interruption(page, line))


def _unfold(action: SimpleAction) -> Iterator[SimpleAction]:
    """Tools that set fields by their numbers, as the actions that they stand for."""
    if not isinstance(action, Tool):
        yield action
        return
    arguments: dict[str, Any] = action.arguments
    if action.name == "browser.fill_form" and isinstance(arguments.get("fields"), dict):
        for ref, value in arguments["fields"].items():
            yield SetValue(target=Target(ref=int(ref)), value=value)
    elif action.name == "browser.select_option" and "ref" in arguments:
        target = Target(ref=int(arguments["ref"]))
        yield SetValue(target=target, value=str(arguments.get("option", "")))
    elif action.name == "browser.goto" and "url" in arguments:
        yield Navigate(url=str(arguments["url"]))
    else:
        yield action


def _page_of(step: Step) -> Page:
    tree = Tree(id=1, text=step.tree)
    return Page.of(Observation(hash="", url=step.url, tree=tree))


def find_ref(page: Page, target: Target | None) -> TreeLine | None:
    """The line of a target, where it names one by its number."""
    if target is None or target.ref is None:
        return None
    return next((line for line in page.lines if line.ref == target.ref), None)


def find_parameters(
    task: Task, moves: Sequence[Move], stated: Mapping[str, str]
) -> tuple[dict[str, str], dict[str, str]]:
    """Values by name, and where each was used. Raises CannotScript for a stated one that was used
    nowhere."""
    values, about = dict(stated), dict.fromkeys(stated, "said when the script was made")
    uses = [use for move in moves for use in _uses_of(move) if PLACEHOLDER.search(use[1]) is None]
    for name, value in stated.items():
        if not any(shows_value(text, value) for _, text, _ in uses):
            raise CannotScript(f"parameter {name}: {value!r} was neither typed, chosen nor opened")
    known = {
        key: str(value)
        for key, value in task.params.items()
        if isinstance(value, str | int) and not isinstance(value, bool)
    }
    for label, text, is_entered in uses:
        shown = [
            (key, value)
            for key, value in known.items()
            if shows_value(task.instruction, value)
            and (text == value or (not is_entered and len(value) > 2 and shows_value(text, value)))
        ]
        if not shown and is_entered and shows_value(task.instruction, text):
            shown = [(_name_of(label), text)]
        for key, value in shown:
            if value not in values.values() and len(value) <= MAX_PARAMETER:
                name = _free_name(key, values)
                values[name], about[name] = value, label
    return values, about


def _uses_of(move: Move) -> Iterator[tuple[str, str, bool]]:
    """Label and text of what a move entered (True), and the name of what it acted on (False)."""
    line = find_ref(move.page, getattr(move.action, "target", None))
    label = line.name if line else move.traits.label if move.traits else ""
    match move.action:
        case Type(text=text):
            yield label, text, True
        case SetValue(value=str(text)):
            yield label, text, True
        case Navigate(url=url):
            yield "address", url, False
        case Tool(arguments=arguments):
            for key, value in arguments.items():
                if isinstance(value, str | int) and not isinstance(value, bool):
                    yield key, str(value), True
        case Drag(path=path):
            for target in path:
                if end := find_ref(move.page, target):
                    yield end.role, end.name, False
        case _:
            pass
    if label:
        yield (line.role if line else "element"), label, False


def _name_of(label: str) -> str:
    name = _WORD.sub("_", label.lower()).strip("_")[:40]
    return name if name and name[0].isalpha() else f"value_{name}".rstrip("_")


def _free_name(name: str, taken: Mapping[str, str]) -> str:
    name = _name_of(name)
    number = 2
    free = name
    while free in taken:
        free, number = f"{name}_{number}", number + 1
    return free


def make_step(move: Move, values: Mapping[str, str]) -> ScriptStep:
    """One step. Raises CannotScript where its element has nothing to be found by."""
    action, traits = move.action, move.traits
    target = getattr(action, "target", None)
    selectors: tuple[Selector, ...] = ()
    onto: tuple[Selector, ...] = ()
    if isinstance(action, Drag):
        if len(action.path) != 2:
            raise CannotScript(f"step {move.number}: a drag along a path cannot be repeated")
        selectors = _find_again(move, action.path[0], traits, values)
        onto = _find_again(move, action.path[1], None, values)
    elif isinstance(target, Target):
        selectors = _find_again(move, target, traits, values)
    action = _make_repeatable(action, move)
    data = action.model_dump(mode="json", exclude_defaults=True, exclude={"target", "path"})
    chooses = isinstance(action, SetValue) and traits is not None and traits.method == "get"
    return ScriptStep(
        action={"type": action.type} | _insert_json(data, values),
        target=selectors,
        onto=onto,
        sends=move.sends,
        form=make_sender(traits, values) if chooses and traits is not None else None,
        then=make_check(move.page, move.after, values),
        thought=move.thought[:500],
    )


def _make_repeatable(action: SimpleAction, move: Move) -> SimpleAction:
    """A click that ticked a box sets it: done twice, it is still ticked. Text replaces what is
    there."""
    line = find_ref(move.page, getattr(action, "target", None))
    if isinstance(action, Click) and line is not None and line.role == "check":
        assert action.target is not None
        return SetValue(target=action.target, value="checked" not in line.states)
    if isinstance(action, Type) and line is not None and not line.value:
        return action.model_copy(update={"clear": True})
    return action


def _find_again(
    move: Move, target: Target, traits: ElementTraits | None, values: Mapping[str, str]
) -> tuple[Selector, ...]:
    line = find_ref(move.page, target)
    if line is not None:
        selectors = make_selectors(move.page.lines, line, traits, values)
    elif target.selector is not None:
        selectors = (ByAttributes(css=insert(target.selector, values)),)
    else:
        selectors = _find_by_traits(move.page, traits, values)
    if not selectors:
        what = f"{line.role} {line.name!r}" if line else "what was clicked"
        raise CannotScript(f"step {move.number}: nothing tells how to find {what} again")
    return selectors


def _find_by_traits(
    page: Page, traits: ElementTraits | None, values: Mapping[str, str]
) -> tuple[Selector, ...]:
    """For a point of a picture: what stood there, by the page's own word."""
    if traits is None:
        return ()
    line = TreeLine(traits.role, traits.label, None, (), (), 1)
    same = [x for x in page.lines if (x.role, x.name) == (traits.role, traits.label) and x.ref]
    if len(same) == 1:
        return make_selectors(page.lines, same[0], traits, values)
    if page.lines:
        return tuple(
            selector
            for selector in make_selectors([line], line, traits, values)
            if isinstance(selector, ByAttributes)
        )
    return tuple(
        selector
        for selector in make_selectors([line], line, traits, values)
        if isinstance(selector, Named | ByAttributes)
    )


def _insert_json(value: Any, values: Mapping[str, str]) -> Any:
    if isinstance(value, str):
        return insert(value, values)
    if isinstance(value, Mapping):
        return {key: _insert_json(entry, values) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [_insert_json(entry, values) for entry in value]
    return value
