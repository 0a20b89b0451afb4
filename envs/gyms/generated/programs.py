"""All kinds of task programs by name, and the templates of a schema."""

from __future__ import annotations

from collections.abc import Callable

from envs.gyms.generated import programs_ask, programs_edit, programs_step
from envs.gyms.generated.program import Plan, make_template
from envs.gyms.generated.programs_refuse import REFUSED
from envs.gyms.generated.schema import AppSchema, Program
from envs.gyms.kit.company import Company
from envs.gyms.kit.template import Template

PLANS: dict[str, Callable[[AppSchema, Program], Plan]] = {
    "create": programs_edit.plan_create,
    "edit": programs_edit.plan_edit,
    "edit_two": programs_edit.plan_edit,
    "edit_found": programs_edit.plan_edit_found,
    "edit_twins": programs_edit.plan_edit_twins,
    "link": programs_edit.plan_edit,
    "link_found": programs_edit.plan_edit_found,
    "copy": programs_edit.plan_copy,
    "step": programs_step.plan_step,
    "step_found": programs_step.plan_step_found,
    "step_extreme": programs_step.plan_step_extreme,
    "step_twice": programs_step.plan_step,
    "step_all": programs_step.plan_step_all,
    "delete": programs_step.plan_delete,
    "delete_found": programs_step.plan_delete,
    "lookup": programs_ask.plan_lookup,
    "lookup_found": programs_ask.plan_lookup,
    "lookup_hop": programs_ask.plan_lookup_hop,
    "count": programs_ask.plan_count,
    "sum": programs_ask.plan_sum,
    "extreme": programs_ask.plan_extreme,
    **REFUSED,
}


def make_templates(schema: AppSchema) -> tuple[Template[Company], ...]:
    """One of each program, in the schema's order."""
    return tuple(
        make_template(schema, program, PLANS[program.kind](schema, program))
        for program in schema.programs
    )
