"""Forms that create and change records: on a page, in steps, in a dialog, on the record's page."""

from __future__ import annotations

from envs.gyms.generated.rules import Values, create_record, edit_record
from envs.gyms.generated.schema import Entity
from envs.gyms.generated.screens import Block, Control, FormView, Link, Screen
from envs.gyms.generated.site import Site, make_title
from envs.gyms.generated.values import parse_value
from envs.gyms.kit.records import Item, get_record
from envs.gyms.kit.request import Redirect
from envs.gyms.server.gym import Refused

FIELDS_OF_A_STEP = 3


def make_create_form(site: Site, entity: Entity, opener: str | None = None) -> FormView:
    """A form for a new record; in a dialog where there is an `opener`."""
    action, hidden = site.make_target(f"/{entity.key}/new", "create")
    place = site.request.url(f"/{entity.key}")
    return FormView(
        action=action,
        hidden=hidden,
        controls=site.make_controls(entity, None),
        submit=site.word("save_new"),
        cancel=None if opener else Link(site.word("cancel"), place),
        opener=opener,
        title=f"{site.word('create')} {entity.singular}",
    )


def make_edit_form(site: Site, entity: Entity, record: Item, opener: str | None = None) -> FormView:
    """A form for a record that there is; on its own page it can be cancelled."""
    path = f"/{entity.key}/{record['id']}"
    is_apart = entity.form in ("page", "steps")
    action, hidden = site.make_target(f"{path}/edit" if is_apart else path, "save")
    return FormView(
        action=action,
        hidden=hidden,
        controls=site.make_controls(entity, record),
        submit=site.word("save"),
        cancel=Link(site.word("cancel"), site.request.url(path)) if is_apart else None,
        opener=opener,
        title=f"{site.word('edit')} {record['name']}",
    )


def show_creation(site: Site, kind: str) -> Screen:
    """The form for a new record, or a part of it."""
    entity = site.find_entity(kind)
    site.request.log_event(f"new:{kind}")
    form = make_create_form(site, entity)
    if entity.form == "steps":
        form = _take_part(site, entity, form)
    title = f"{site.word('create')} {entity.singular}"
    return Screen(title=title, blocks=(form,), crumbs=_make_crumbs(site, entity))


def _take_part(site: Site, entity: Entity, form: FormView) -> FormView:
    """Some of the fields; what was entered before is handed on in hidden ones."""
    query = site.request.query
    entered = {**query, **site.request.draft}
    parts = -(-len(form.controls) // FIELDS_OF_A_STEP)
    part = min(_parse_part(query.get("part", "1")), parts)
    first = (part - 1) * FIELDS_OF_A_STEP
    shown = form.controls[first : first + FIELDS_OF_A_STEP]
    names = {control.name for control in form.controls} - {control.name for control in shown}
    handed_on = {name: value for name, value in entered.items() if name in names}
    controls = tuple(_enter(control, entered) for control in shown)
    if part < parts:
        return FormView(
            action=site.request.url(f"/{entity.key}/new"),
            controls=controls,
            submit=site.word("continue"),
            hidden={**handed_on, "part": str(part + 1)},
            cancel=form.cancel,
            title=f"{form.title}: {part} / {parts}",
            is_query=True,
        )
    return FormView(
        action=form.action,
        controls=controls,
        submit=form.submit,
        hidden={**form.hidden, **handed_on},
        cancel=form.cancel,
        title=f"{form.title}: {part} / {parts}",
    )


def _enter(control: Control, entered: dict[str, str]) -> Control:
    return Control(
        name=control.name,
        label=control.label,
        kind=control.kind,
        value=entered.get(control.name, control.value),
        options=control.options,
        hint=control.hint,
    )


def _parse_part(text: str) -> int:
    return max(1, int(text)) if text.isdecimal() and len(text) < 3 else 1


def show_edit_form(site: Site, kind: str, key: str) -> Screen:
    """The form for a record, on a page of its own."""
    entity = site.find_entity(kind)
    record = get_record(site.state, kind, key)
    site.request.log_event(f"edit:{key}")
    blocks: tuple[Block, ...] = (make_edit_form(site, entity, record),)
    crumbs = (*_make_crumbs(site, entity), site.link_to(entity, record))
    title = f"{site.word('edit')} {record['name']}"
    return Screen(title=title, blocks=blocks, crumbs=crumbs)


def _make_crumbs(site: Site, entity: Entity) -> tuple[Link, ...]:
    home = Link(site.word("home"), site.request.url("/"))
    return (home, Link(make_title(entity), site.request.url(f"/{entity.key}")))


def create_from_form(site: Site, kind: str) -> Redirect:
    """POST: a new record."""
    entity = site.find_entity(kind)
    record = create_record(site.schema, entity, site.state, _parse_values(site, entity))
    text = site.word("created", name=record["name"])
    return site.request.redirect_to(f"/{kind}/{record['id']}", text)


def save_from_form(site: Site, kind: str, key: str) -> Redirect:
    """POST: the fields of a record."""
    entity = site.find_entity(kind)
    record = edit_record(site.schema, entity, site.state, key, _parse_values(site, entity))
    return site.request.redirect_to(f"/{kind}/{key}", site.word("saved", name=record["name"]))


def _parse_values(site: Site, entity: Entity) -> Values:
    """What the form holds. Raises Refused."""
    form = site.request.form
    values: Values = {
        field.key: parse_value(field, form.get(field.key, ""), site.state, site.request.locale)
        for field in entity.fields
    }
    if entity.naming != "code":
        values["name"] = " ".join(form.get("name", "").split())
        if not values["name"]:
            raise Refused(f"{entity.name_label} is required")
    return values
