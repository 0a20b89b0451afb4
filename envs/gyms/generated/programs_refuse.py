"""Task programs that cannot be done: the app's own rules refuse them. Their wordings are those of
tasks that can be."""

from __future__ import annotations

from collections.abc import Callable

from envs.gyms.generated import moves
from envs.gyms.generated.program import Plan, count_inputs, count_moves
from envs.gyms.generated.sampling import Draw, draw_edit, name_record
from envs.gyms.generated.schema import AppSchema, Program
from envs.gyms.generated.site import STATE
from envs.gyms.kit.script import GiveUp, Script
from envs.gyms.kit.template import Params
from envs.gyms.server.view import Page


def plan_refused_delete(schema: AppSchema, program: Program) -> Plan:
    """A record that others refer to is to be deleted."""
    entity = schema.entity(program.entity)

    def draw_params(draw: Draw) -> Params:
        in_use = {
            str(item[field.key])
            for child, field in schema.children_of(entity.key)
            for item in draw.state[child.key]
        }
        record = draw.choose([r for r in draw.get_records(entity) if r["id"] in in_use])
        return name_record(record) | {"changes": [["delete", entity.key, str(record["id"])]]}

    def solve(page: Page, p: Params) -> Script:
        page = yield from moves.find_record(page, schema, entity, p["name"])
        yield from moves.delete_record(page, schema, entity)
        raise GiveUp(f"{p['name']} is in use")

    return Plan(
        skills=("search", "dialog", "refuse"),
        steps=count_moves(schema, entity) + 4,
        draw_params=draw_params,
        solve=solve,
        refusal="in_use:{key}",
    )


def plan_refused_step(schema: AppSchema, program: Program) -> Plan:
    """A record is to take a step, but the box that the step needs is not ticked."""
    entity = schema.entity(program.entity)
    step = entity.step(program.step)

    def prepare(draw: Draw) -> None:
        record = draw.rng.choice(draw.get_records(entity))
        record[STATE], record[step.needs] = step.sources[0], False

    def draw_params(draw: Draw) -> Params:
        record = draw.choose(
            [
                record
                for record in draw.get_records(entity)
                if record[STATE] == step.sources[0] and not record[step.needs]
            ]
        )
        changes = [["step", entity.key, str(record["id"]), step.key]]
        return name_record(record) | {"changes": changes}

    def solve(page: Page, p: Params) -> Script:
        page = yield from moves.find_record(page, schema, entity, p["name"])
        yield from moves.take_step(page, schema, entity, step.verb)
        raise GiveUp(f"{entity.field(step.needs).label} is not ticked")

    return Plan(
        skills=("search", "refuse"),
        steps=count_moves(schema, entity) + 3,
        draw_params=draw_params,
        solve=solve,
        prepare=prepare,
        refusal="unmet:{key}",
    )


def plan_refused_edit(schema: AppSchema, program: Program) -> Plan:
    """A record is to be edited whose state forbids it."""
    entity = schema.entity(program.entity)

    def draw_params(draw: Draw) -> Params:
        locked = [r for r in draw.get_records(entity) if r[STATE] in entity.locked]
        record = draw.choose(locked)
        return name_record(record) | draw_edit(draw, entity, program.fields, record)

    def solve(page: Page, p: Params) -> Script:
        page = yield from moves.find_record(page, schema, entity, p["name"])
        yield from moves.edit_record(page, schema, entity, p["texts"])
        raise GiveUp(f"{p['name']} cannot be changed any more")

    return Plan(
        skills=("search", "form", "refuse"),
        steps=count_moves(schema, entity) + count_inputs(schema, 1),
        draw_params=draw_params,
        solve=solve,
        refusal="locked:{key}",
    )


REFUSED: dict[str, Callable[[AppSchema, Program], Plan]] = {
    "refused_delete": plan_refused_delete,
    "refused_step": plan_refused_step,
    "refused_edit": plan_refused_edit,
}
