"""The API tools of a generated app: the same six for every schema, by the app's own rules."""

from __future__ import annotations

from typing import Any

from envs.gyms.generated import rules
from envs.gyms.generated.schema import AppSchema, Entity, Field
from envs.gyms.generated.values import Value, parse_value
from envs.gyms.kit.records import get_record
from envs.gyms.kit.site_tools import SiteTool, ToolContext, site_tool
from envs.gyms.server.gym import Refused

MOST = 30


def make_tools(schema: AppSchema) -> tuple[SiteTool, ...]:
    """Under <name of the schema>.<verb>. Fields are given by their keys, values as the state holds
    them: cents, ISO dates, ids."""

    def get_entity(kind: str) -> Entity:
        known = [entity.key for entity in schema.entities]
        if kind not in known:
            raise Refused(f"there is no kind {kind[:20]!r}; there are: {', '.join(known)}")
        return schema.entity(kind)

    @site_tool(f"{schema.name}.find")
    def find(context: ToolContext, kind: str, text: str = "") -> list[dict[str, Any]]:
        """Records of a kind whose name contains the text, at most 30, with all fields."""
        records = context.state[get_entity(kind).key]
        for record in records:
            context.log_event(f"record:{record['id']}")
        context.log_event(f"list:{kind}")
        return [item for item in records if text.lower() in str(item["name"]).lower()][:MOST]

    @site_tool(f"{schema.name}.create")
    def create(context: ToolContext, kind: str, fields: dict[str, Value]) -> str:
        """Creates a record of a kind; fields: all by key, and "name" unless it has a code."""
        entity = get_entity(kind)
        values = _check_values(context, entity, fields)
        if missing := [field.label for field in entity.fields if field.key not in values]:
            raise Refused(f"{missing[0]} is required")
        return f"created {rules.create_record(schema, entity, context.state, values)['name']}"

    @site_tool(f"{schema.name}.edit")
    def edit(context: ToolContext, kind: str, key: str, fields: dict[str, Value]) -> str:
        """Changes fields of a record by its id."""
        entity = get_entity(kind)
        values = _check_values(context, entity, fields)
        return f"changed {rules.edit_record(schema, entity, context.state, key, values)['name']}"

    @site_tool(f"{schema.name}.take")
    def take(context: ToolContext, kind: str, key: str, step: str) -> str:
        """Moves a record by its id on, by a step: its verb or its key."""
        entity = get_entity(kind)
        for known in entity.steps:
            if step in (known.key, known.verb):
                record = rules.take_step(schema, entity, context.state, key, known)
                return f"{record['name']} is {record['state']}"
        raise Refused(f"there is no step {step[:20]!r}")

    @site_tool(f"{schema.name}.delete")
    def delete(context: ToolContext, kind: str, key: str) -> str:
        """Deletes a record by its id."""
        entity = get_entity(kind)
        if not entity.can_delete:
            raise Refused(f"{entity.plural} cannot be deleted")
        return f"deleted {rules.delete_record(schema, entity, context.state, key)}"

    @site_tool(f"{schema.name}.describe")
    def describe(context: ToolContext, kind: str) -> dict[str, Any]:
        """Fields and steps of a kind."""
        entity = get_entity(kind)
        return entity.model_dump(include={"key", "name_label", "fields", "states", "steps"})

    return find, create, edit, take, delete, describe


def _check_values(
    context: ToolContext, entity: Entity, fields: dict[str, Value]
) -> dict[str, Value]:
    """By the rules of forms, so that a tool can do nothing that a page cannot. Raises Refused."""
    values: dict[str, Value] = {}
    for key, value in fields.items():
        if key == "name" and entity.naming != "code":
            values[key] = " ".join(str(value).split())
            continue
        known = {field.key: field for field in entity.fields}
        if key not in known:
            raise Refused(f"there is no field {key[:20]!r}; there are: {', '.join(known)}")
        values[key] = _check_value(context, known[key], value)
    return values


def _check_value(context: ToolContext, field: Field, value: Value) -> Value:
    if field.kind == "reference" and value:
        return str(get_record(context.state, field.target, str(value))["id"])
    if field.kind == "money":
        value = context.locale.format_money(value) if isinstance(value, int) else value
    if field.kind == "flag":
        value = "yes" if value is True or value == "yes" else ""
    return parse_value(field, str(value), context.state, context.locale)
