"""What all page functions of a generated app share: words, cells of records, targets of forms."""

from __future__ import annotations

from dataclasses import dataclass

from envs.gyms.generated.initial_state import STARRED
from envs.gyms.generated.schema import AppSchema, Entity, Field, Step
from envs.gyms.generated.screens import Button, Cell, Control, Link
from envs.gyms.generated.values import format_value
from envs.gyms.generated.words import STOPS
from envs.gyms.kit.disturbances import get_label
from envs.gyms.kit.html import PAGE_FIELD
from envs.gyms.kit.records import Item
from envs.gyms.kit.request import RequestContext
from envs.gyms.server.gym import NotFound, Refused, State

STATE = "state"
_STOPPED = {state for _, state in STOPS}


@dataclass(frozen=True, slots=True)
class Site:
    """One request to one app."""

    schema: AppSchema
    request: RequestContext

    @property
    def state(self) -> State:
        """The app's records."""
        return self.request.state

    def word(self, key: str, **values: object) -> str:
        """A text that all apps have, as this app says it."""
        return get_label(self.request, self.schema.look.words[key].format(**values))

    def find_entity(self, kind: str) -> Entity:
        """By the key in an address. Raises NotFound."""
        for entity in self.schema.entities:
            if entity.key == kind:
                return entity
        raise NotFound(f"There is no page {kind[:40]}")

    def find_step(self, entity: Entity, key: str) -> Step:
        """By the key in a form. Raises Refused."""
        for step in entity.steps:
            if step.key == key:
                return step
        raise Refused("There is no such step")

    def link_to(self, entity: Entity, record: Item) -> Link:
        """To a record's page, under its name."""
        return Link(str(record["name"]), self.request.url(f"/{entity.key}/{record['id']}"))

    def make_cell(self, entity: Entity, record: Item, key: str) -> Cell:
        """Label and value of a field, or of the state."""
        if key == STATE:
            state = str(record[STATE])
            return Cell(entity.state, state, tone=get_tone(entity, state))
        field = entity.field(key)
        href = None
        if field.kind == "reference" and record[key]:
            href = self.request.url(f"/{field.target}/{record[key]}")
        return Cell(field.label, self.format_field(field, record), href)

    def format_field(self, field: Field, record: Item) -> str:
        """A field's value as pages show it."""
        return format_value(self.schema, field, record[field.key], self.state, self.request.locale)

    def make_button(
        self,
        page: str,
        verb: str,
        text: str,
        *,
        label: str | None = None,
        **hidden: str,
    ) -> Button:
        """A button that posts to <page>/<verb>; what is refused leads back to where it stands."""
        action, fields = self.make_target(page, verb, **hidden)
        return Button(text=text, action=action, hidden=fields, label=label)

    def make_target(self, page: str, verb: str, **hidden: str) -> tuple[str, dict[str, str]]:
        """Action and hidden fields of a form that posts to <page>/<verb>."""
        action = f"{self.request.url(page)}/{verb}"
        fields = {"token": self.request.visit.token(action), PAGE_FIELD: self.request.path}
        return action, fields | hidden

    def make_controls(self, entity: Entity, record: Item | None) -> tuple[Control, ...]:
        """Of a form for a record: its name, unless the app gives it, and its fields."""
        controls = [self._make_control(field, record) for field in entity.fields]
        if entity.naming != "code":
            value = str(record["name"]) if record else ""
            name = Control(name="name", label=entity.name_label, value=self._draft("name", value))
            controls.insert(0, name)
        return tuple(controls)

    def _make_control(self, field: Field, record: Item | None) -> Control:
        draft, locale = self.request.draft, self.request.locale
        if field.kind == "flag":
            is_ticked = bool(record and record[field.key])
            if draft:
                is_ticked = draft.get(field.key) == "yes"
            value = "yes" if is_ticked else ""
            return Control(name=field.key, label=field.label, kind="check", value=value)
        if field.kind == "reference":
            records = sorted(self.state[field.target], key=lambda item: str(item["name"]))
            options = [("", self.schema.look.words["none"])]
            options += [(str(item["id"]), str(item["name"])) for item in records]
            value = self._draft(field.key, str(record[field.key]) if record else "")
            return Control(
                name=field.key,
                label=field.label,
                kind="choice",
                value=value,
                options=tuple(options),
            )
        value = self._draft(field.key, self.format_field(field, record) if record else "")
        if field.kind == "choice":
            return Control(
                name=field.key,
                label=field.label,
                kind="radio" if self.schema.look.radios else "choice",
                value=value or field.options[0],
                options=tuple((option, option) for option in field.options),
            )
        hint = locale.date_example if field.kind == "date" else field.unit
        return Control(name=field.key, label=field.label, value=value, hint=hint)

    def _draft(self, name: str, value: str) -> str:
        return self.request.draft.get(name, value)

    def is_starred(self, record: Item) -> bool:
        """Whether the user has marked it."""
        return record["id"] in self.state[STARRED]

    def title_of(self, entity: Entity) -> str:
        """Of its list: "Work orders"."""
        return make_title(entity)


def get_tone(entity: Entity, state: str) -> str:
    """How a state is meant, see `Cell`."""
    if state in _STOPPED:
        return "declined"
    way = [other for other in entity.states if other not in _STOPPED]
    return "new" if state == way[0] else "active" if state == way[-1] else "pending"


def make_title(entity: Entity) -> str:
    """How the navigation and the list call an entity."""
    return entity.plural[0].upper() + entity.plural[1:]
