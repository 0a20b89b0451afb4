"""What an app lets its user do: the only functions that change its records.

Pages, site tools and verifiers share them. What they refuse changes nothing; the event of the
refusal names the rule and the record.
"""

from __future__ import annotations

from envs.gyms.generated.initial_state import FIRST_NUMBER, STARRED
from envs.gyms.generated.schema import AppSchema, Entity, Step
from envs.gyms.generated.values import MOST_CHARS, Value
from envs.gyms.kit.records import Item, get_record, next_id
from envs.gyms.server.gym import Refused, State

Values = dict[str, Value]


def create_record(schema: AppSchema, entity: Entity, state: State, values: Values) -> Item:
    """A new record, in the first state. Codes are given by the app, other names are "name"."""
    records: list[Item] = state[entity.key]
    name = _next_code(entity, records) if entity.naming == "code" else str(values.get("name", ""))
    _require_name(entity, records, name, None)
    record: Item = {"id": next_id(records, schema.id_prefix(entity)), "name": name}
    record |= {field.key: values[field.key] for field in entity.fields}
    if entity.states:
        record["state"] = entity.states[0]
    records.append(record)
    return record


def _next_code(entity: Entity, records: list[Item]) -> str:
    numbers = (str(record["name"]).rpartition("-")[2] for record in records)
    last = max((int(text) for text in numbers if text.isdecimal()), default=FIRST_NUMBER)
    return f"{entity.words[0]}-{last + 1}"


def _require_name(entity: Entity, records: list[Item], name: str, key: str | None) -> None:
    if not name.strip():
        raise Refused(f"{entity.name_label} is required")
    if len(name) > MOST_CHARS:
        raise Refused(f"{entity.name_label} is too long")
    if any(record["name"] == name and record["id"] != key for record in records):
        raise Refused(f"There is a {entity.singular} {name} already")


def edit_record(schema: AppSchema, entity: Entity, state: State, key: str, values: Values) -> Item:
    """Sets the fields that `values` names. Refused in a locked state."""
    record = get_record(state, entity.key, key)
    if entity.states and record["state"] in entity.locked:
        raise Refused(
            f"{record['name']} is {record['state']} and cannot be changed any more",
            event=f"locked:{key}",
        )
    if "name" in values:
        _require_name(entity, state[entity.key], str(values["name"]), key)
    record |= values
    return record


def take_step(schema: AppSchema, entity: Entity, state: State, key: str, step: Step) -> Item:
    """Moves a record on to the step's goal. Refused from other states, and while the box that the
    step needs is not ticked."""
    record = get_record(state, entity.key, key)
    if record["state"] not in step.sources:
        raise Refused(
            f'"{step.verb}" is not possible: {record["name"]} is {record["state"]}',
            event=f"early:{key}",
        )
    if step.needs and not record[step.needs]:
        label = entity.field(step.needs).label
        raise Refused(
            f'"{step.verb}" is not possible for {record["name"]}: {label} is not ticked',
            event=f"unmet:{key}",
        )
    record["state"] = step.goal
    return record


def delete_record(schema: AppSchema, entity: Entity, state: State, key: str) -> str:
    """Takes a record away, and gives its name. Refused while others refer to it."""
    record = get_record(state, entity.key, key)
    for child, field in schema.children_of(entity.key):
        count = sum(item[field.key] == key for item in state[child.key])
        if count:
            nouns = child.singular if count == 1 else child.plural
            raise Refused(
                f"{record['name']} cannot be deleted: {count} {nouns} refer to it",
                event=f"in_use:{key}",
            )
    state[entity.key].remove(record)
    state[STARRED] = [starred for starred in state[STARRED] if starred != key]
    return str(record["name"])


def toggle_star(state: State, key: str) -> bool:
    """Marks a record for the user, or takes the mark away; whether it is marked now."""
    starred: list[str] = state[STARRED]
    if key in starred:
        starred.remove(key)
        return False
    starred.append(key)
    return True
