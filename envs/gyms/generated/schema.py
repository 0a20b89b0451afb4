"""What a generated app is: entities, how its pages look, and its tasks, as data.

A schema is written as JSON, can be changed by hand and read back. Guarantees: what is read refers
to entities, fields, states and steps that exist; an error names the one that does not.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from pydantic import BaseModel, ConfigDict, model_validator

FieldKind = Literal["text", "number", "money", "date", "choice", "flag", "reference"]
Naming = Literal["person", "firm", "thing", "code"]
View = Literal["table", "cards", "lines", "grouped", "board"]
FormStyle = Literal["page", "steps", "inline", "dialog"]
Family = Literal["classic", "client", "legacy", "panes", "material"]
Navigation = Literal["bar", "side", "tabs", "menu", "tiles", "search"]
DETAILS: tuple[str, ...] = ("pairs", "table", "prose")
PROGRAM_KINDS = (
    *("create", "edit", "edit_two", "edit_found", "edit_twins", "link", "link_found", "copy"),
    *("step", "step_found", "step_extreme", "step_twice", "step_all", "delete", "delete_found"),
    *("lookup", "lookup_found", "lookup_hop", "count", "sum", "extreme"),
    *("refused_delete", "refused_step", "refused_edit"),
)


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Field(_Model):
    """One field of an entity. `options` of a choice; `unit`, `low` and `high` of a number; `target`
    is the entity that a reference points to; `sampler` says what its texts are like."""

    key: str
    label: str
    kind: FieldKind
    options: tuple[str, ...] = ()
    unit: str = ""
    low: int = 0
    high: int = 0
    target: str = ""
    sampler: str = ""


class Step(_Model):
    """A change of state: the button `verb` leads from one of `sources` to `goal`, if the flag
    `needs` is ticked, where there is one."""

    key: str
    verb: str
    sources: tuple[str, ...]
    goal: str
    needs: str = ""


class Entity(_Model):
    """A kind of record. `words` end the names of things, or begin codes. `columns` and `filters`
    are keys of fields, `group_by` too; `state` is the label of its state, if it has `steps`.
    Records in `locked` states cannot be edited."""

    key: str
    singular: str
    plural: str
    naming: Naming
    name_label: str
    words: tuple[str, ...] = ()
    fields: tuple[Field, ...]
    states: tuple[str, ...] = ()
    state: str = ""
    steps: tuple[Step, ...] = ()
    locked: tuple[str, ...] = ()
    count: int
    view: View = "table"
    columns: tuple[str, ...] = ()
    filters: tuple[str, ...] = ()
    group_by: str = ""
    has_search: bool = True
    form: FormStyle = "page"
    can_create: bool = True
    can_delete: bool = True
    steps_in_list: bool = False
    steps_in_menu: bool = False
    has_bulk: bool = False

    def field(self, key: str) -> Field:
        """By key. Raises KeyError."""
        for field in self.fields:
            if field.key == key:
                return field
        raise KeyError(f"{self.key} has no field {key!r}")

    def step(self, key: str) -> Step:
        """By key. Raises KeyError."""
        for step in self.steps:
            if step.key == key:
                return step
        raise KeyError(f"{self.key} has no step {key!r}")

    @property
    def references(self) -> tuple[Field, ...]:
        """The fields that point to other entities."""
        return tuple(field for field in self.fields if field.kind == "reference")


class Look(_Model):
    """How the pages look. `words`: the texts of controls that all apps have, see `words.py`;
    `filters_at_once`: a list's drop-downs need no button; `radios`: choices are radio buttons;
    `asks_on_page`: whether something is to be deleted is asked on a page, not in a dialog."""

    family: Family
    navigation: Navigation
    theme: int = 0
    details: str = "pairs"
    page_size: int = 8
    filters_at_once: bool = True
    radios: bool = False
    asks_on_page: bool = False
    words: dict[str, str]


class Program(_Model):
    """A task program: its kind (see `programs.py`), what of the schema it is about, and how it is
    worded. `phrasings` hold {slots} that the kind fills."""

    name: str
    kind: str
    entity: str
    fields: tuple[str, ...] = ()
    step: str = ""
    phrasings: tuple[str, ...]


class AppSchema(_Model):
    """A whole app."""

    name: str
    seed: int
    domain: str
    title: str
    look: Look
    entities: tuple[Entity, ...]
    programs: tuple[Program, ...] = ()

    def entity(self, key: str) -> Entity:
        """By key. Raises KeyError."""
        for entity in self.entities:
            if entity.key == key:
                return entity
        raise KeyError(f"{self.name} has no entity {key!r}")

    def id_prefix(self, entity: Entity) -> str:
        """The letter that the ids of its records begin with."""
        return "abcdefgh"[[other.key for other in self.entities].index(entity.key)]

    def children_of(self, key: str) -> tuple[tuple[Entity, Field], ...]:
        """The entities whose records refer to records of this one, and the fields that do."""
        return tuple(
            (entity, field)
            for entity in self.entities
            for field in entity.references
            if field.target == key
        )

    @model_validator(mode="after")
    def _check_names(self) -> AppSchema:
        for entity in self.entities:
            _check_entity(self, entity)
        for program in self.programs:
            _check_program(self, program)
        return self


def _check_entity(schema: AppSchema, entity: Entity) -> None:
    keys = {field.key for field in entity.fields}
    _require(f"{entity.key}.columns", entity.columns, keys | {"state"})
    _require(f"{entity.key}.filters", entity.filters, keys | {"state"})
    _require(f"{entity.key}.locked", entity.locked, entity.states)
    targets = [field.target for field in entity.references]
    _require(f"{entity.key}.fields", targets, [other.key for other in schema.entities])
    for step in entity.steps:
        _require(f"{entity.key}.{step.key}", (*step.sources, step.goal), entity.states)
        _require(f"{entity.key}.{step.key}.needs", [step.needs] if step.needs else (), keys)


def _check_program(schema: AppSchema, program: Program) -> None:
    where = f"program {program.name}"
    _require(where, [program.kind], PROGRAM_KINDS)
    _require(where, [program.entity], [entity.key for entity in schema.entities])
    entity = schema.entity(program.entity)
    steps = [step.key for step in entity.steps]
    _require(where, [program.step] if program.step else (), steps)


def _require(where: str, names: Iterable[str], known: Iterable[str]) -> None:
    known_names = set(known)
    for name in names:
        if name not in known_names:
            raise ValueError(f"{where}: there is no {name!r}; there are: {sorted(known_names)}")
