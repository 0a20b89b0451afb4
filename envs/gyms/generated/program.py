"""What a kind of task program is, and the template that it makes of a program of a schema."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

from envs.contract.actions import Tool
from envs.gyms.generated.sampling import Draw, apply_changes
from envs.gyms.generated.schema import AppSchema, Entity, Program
from envs.gyms.kit.answers import Kind
from envs.gyms.kit.company import Company
from envs.gyms.kit.script import Script
from envs.gyms.kit.template import (
    FINISHED,
    Milestone,
    Params,
    Template,
    change_nothing,
    visited_page,
)
from envs.gyms.server.gym import State
from envs.gyms.server.view import Page

TOOLS = {"create": "create", "edit": "edit", "step": "take", "delete": "delete"}
TOOL_ARGUMENTS = {
    "create": ("fields",),
    "edit": ("key", "fields"),
    "step": ("key", "step"),
    "delete": ("key",),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A program bound to its schema. `draw_params` gives the slots of the phrasings, `changes` for
    `apply_changes` and what `solve` needs; `steps` is the longest way of `solve`. `answer`: the
    right answer from params and state. `refusal`: the event of the refusal, of a task that cannot
    be done; its `changes` are what is refused. `prepare` makes the records such that there is a
    task."""

    skills: tuple[str, ...]
    steps: int
    draw_params: Callable[[Draw], Params]
    solve: Callable[[Page, Params], Script]
    prepare: Callable[[Draw], None] | None = None
    answer: Callable[[Params, State], str] | None = None
    answer_kind: Kind = "text"
    answer_units: tuple[str, ...] = ()
    refusal: str = ""
    opens_record: bool = True


def make_template(schema: AppSchema, program: Program, plan: Plan) -> Template[Company]:
    """The kit's template of a program."""
    name = schema.name

    def sample(world: Company, rng: random.Random, state: State) -> Params:
        return plan.draw_params(Draw(schema, world, rng, state[name]))

    def prepare(world: Company, rng: random.Random, state: State) -> None:
        assert plan.prepare is not None
        plan.prepare(Draw(schema, world, rng, state[name]))

    def apply(world: Company, p: Params, state: State) -> None:
        apply_changes(schema, p["changes"], state[name])

    def find_answer(world: Company, p: Params, state: State) -> str:
        assert plan.answer is not None
        return plan.answer(p, state[name])

    is_change = plan.answer is None and not plan.refusal
    return Template(
        name=program.name,
        skills=plan.skills,
        oracle_steps=plan.steps,
        phrasings=program.phrasings,
        sample_params=sample,
        solve=plan.solve,
        milestones=_list_milestones(name, program.entity, plan),
        apply_expected=apply if is_change else change_nothing,
        prepare_state=prepare if plan.prepare else change_nothing,
        expected_answer=find_answer if plan.answer else None,
        answer_kind=plan.answer_kind,
        answer_units=plan.answer_units,
        infeasible=bool(plan.refusal),
        required_events=(f"{name}:{plan.refusal}",) if plan.refusal else (),
        tool_calls=None if plan.answer else lambda p: _list_calls(name, p),
    )


def _list_milestones(name: str, kind: str, plan: Plan) -> tuple[Milestone, ...]:
    milestones: list[Milestone] = [("list", visited_page(f"{name}:list:{kind}"))]
    if plan.opens_record:
        milestones.append(("record", visited_page(name + ":record:{key}")))
    return (*milestones, FINISHED)


def _list_calls(name: str, p: Params) -> list[Tool]:
    """The changes as calls of site tools, after a look at the records."""
    calls = []
    for verb, kind, *rest in p["changes"]:
        arguments = dict(zip(TOOL_ARGUMENTS[verb], rest, strict=True))
        calls.append(Tool(name=f"{name}.find", arguments={"kind": kind, "text": ""}))
        calls.append(Tool(name=f"{name}.{TOOLS[verb]}", arguments={"kind": kind, **arguments}))
    return calls


def count_moves(schema: AppSchema, entity: Entity) -> int:
    """The longest way to a record that is named: navigation, search or pages of the list, and a
    look further down."""
    return _count_to_list(schema) + (1 if entity.has_search else _count_pages(schema, entity)) + 2


def count_moves_found(schema: AppSchema, entity: Entity) -> int:
    """The longest way to records that have some values: navigation, two filters, pages of what is
    left."""
    sends = 1 if schema.look.filters_at_once else 2
    pages = _count_pages(schema, entity)
    filters = min(2, len(entity.filters)) * (sends + _count_openings(schema))
    return _count_to_list(schema) + filters + pages + 2


def _count_openings(schema: AppSchema) -> int:
    """How often a drop-down is clicked before its options are there."""
    return 1 if schema.look.family == "material" else 0


def _count_to_list(schema: AppSchema) -> int:
    return 2 if schema.look.navigation in ("menu", "tiles", "search") else 1


def _count_pages(schema: AppSchema, entity: Entity) -> int:
    """Turns of the list's pages, each with a look further down."""
    if entity.view in ("grouped", "board"):
        return 2
    return 2 * (-(-entity.count // schema.look.page_size) - 1)


def count_inputs(schema: AppSchema, fields: int) -> int:
    """The longest way through its form: opened, filled, looked through and sent."""
    return fields * (1 + _count_openings(schema)) + 3


def count_parts(entity: Entity) -> int:
    """How often the form for a new record is sent on to its next part."""
    return len(entity.fields) // 3 if entity.form == "steps" else 0
