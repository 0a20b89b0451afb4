"""A script in lines that a person reads, and what of it belongs to the recorded day alone."""

from __future__ import annotations

from collections.abc import Iterator

import orjson

from agent_server.scripts.make_checks import is_fixed
from agent_server.scripts.model import (
    ByAttributes,
    Done,
    Infeasible,
    Named,
    Nearby,
    Placed,
    Read,
    Script,
    ScriptStep,
    Selector,
)
from agent_server.scripts.texts import is_steady, parameters_in


def list_fixed(script: Script) -> list[str]:
    """What a replay with other values would do as on the recorded day, one sentence each: texts
    that no parameter gives, elements that are called by a number, an answer that is read nowhere.
    Empty: nothing of the kind was seen."""
    notes = []
    for number, step in enumerate(script.steps, start=1):
        text = step.action.get("text")
        if isinstance(text, str) and text and not parameters_in(text):
            notes.append(f"step {number} types {text[:60]!r}, which is no parameter")
        names = [selector.name for selector in step.target if isinstance(selector, Named)]
        has_beginning = any("begins" in selector.model_dump() for selector in step.target)
        if names and not is_steady(names[0]) and not has_beginning:
            notes.append(f"step {number} acts on {names[0][:60]!r}, which has a number")
    if is_fixed(script.end):
        notes.append("the answer is that of the recorded run: no page shows it as it is")
    return notes


def describe_script(script: Script) -> Iterator[str]:
    """Its task, parameters, steps with all ways to find their elements, and end."""
    yield f"{script.name}, version {script.version}, {len(script.steps)} steps"
    yield f"task: {script.task.instruction}"
    place = script.task.start_url or f"{script.task.gym}/{script.task.template}@{script.task.seed}"
    yield f"begins: {place}"
    for parameter in script.parameters:
        yield f"parameter {parameter.name} = {parameter.value!r}  ({parameter.about})"
    for number, step in enumerate(script.steps, start=1):
        yield f"{number:3} {_describe_action(step)}"
        for index, selector in enumerate(step.target):
            yield f"      {'on' if index == 0 else 'or'} {_describe_template(selector)}"
        for selector in step.onto[:1]:
            yield f"      onto {_describe_template(selector)}"
        if checks := _describe_check(step):
            yield f"      then {checks}"
    yield f"end: {_describe_end(script)}"
    for note in list_fixed(script):
        yield f"note: {note}"


def _describe_action(step: ScriptStep) -> str:
    rest = {key: value for key, value in step.action.items() if key != "type"}
    shown = f" {orjson.dumps(rest).decode()}" if rest else ""
    return f"{step.action.get('type')}{shown}{'  (sends a form)' if step.sends else ''}"


def _describe_template(selector: Selector) -> str:
    match selector:
        case Named(role=role, name=name):
            return f"the {role} {name!r}"
        case ByAttributes(css=css):
            return f"the element {css}"
        case Nearby(role=role, after=after):
            return f"the {role} after {after!r}"
        case Placed(role=role, nth=nth, of=of):
            return f"{role} {nth} of {of}"
        case _:
            return f"the {selector.role} that begins with {selector.begins!r}"


def _describe_check(step: ScriptStep) -> str:
    parts = [step.then.path] if step.then.path else []
    parts += [f"{key}={value}" for key, value in step.then.query.items()]
    parts += [repr(step.then.shows)] if step.then.shows else []
    return ", ".join(parts)


def _describe_end(script: Script) -> str:
    match script.end:
        case Infeasible(reason=reason):
            return f"it cannot be done: {reason}"
        case Done(answer=answer):
            return "done" if answer is None else f"done, answer {answer!r}"
        case Read(field=str(field)):
            return f"done, answer: the value of {field!r}"
        case Read(after=after, before=before):
            return f"done, answer: what stands after {after!r}" + (
                before and f", before {before!r}"
            )
