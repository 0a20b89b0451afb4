"""The page of a record: its fields, what refers to it, and what can be done with it."""

from __future__ import annotations

from envs.gyms.generated.record_forms import make_edit_form
from envs.gyms.generated.rules import delete_record, take_step, toggle_star
from envs.gyms.generated.schema import Entity
from envs.gyms.generated.screens import (
    Actions,
    Block,
    Button,
    FormView,
    Link,
    Note,
    Question,
    RecordView,
    Related,
    Screen,
)
from envs.gyms.generated.site import STATE, Site, make_title
from envs.gyms.kit.records import Item, get_record
from envs.gyms.kit.request import Redirect

MOST_RELATED, MOST_BESIDE = 8, 10


def show_record(site: Site, kind: str, key: str) -> Screen:
    """All that there is to know of a record."""
    entity = site.find_entity(kind)
    record = get_record(site.state, kind, key)
    site.request.log_event(f"record:{key}")
    blocks: list[Block] = []
    keys = [field.key for field in entity.fields]
    if entity.form == "inline":
        keys = [field.key for field in entity.references]
        blocks.append(make_edit_form(site, entity, record))
    if entity.states:
        keys.append(STATE)
    cells = tuple(site.make_cell(entity, record, field) for field in keys)
    blocks.insert(0, RecordView(cells, site.schema.look.details))
    blocks.append(_list_actions(site, entity, record))
    if entity.form == "dialog":
        blocks.append(make_edit_form(site, entity, record, opener=site.word("edit")))
    blocks += _list_related(site, entity, record)
    home = Link(site.word("home"), site.request.url("/"))
    crumbs = (home, Link(make_title(entity), site.request.url(f"/{kind}")))
    return Screen(
        title=str(record["name"]),
        blocks=tuple(blocks),
        crumbs=crumbs,
        aside=_list_beside(site, entity) if site.schema.look.family == "panes" else None,
    )


def _list_beside(site: Site, entity: Entity) -> Related:
    """The first records of the entity, to stand beside the one that is open."""
    records = sorted(site.state[entity.key], key=lambda item: str(item["name"]))
    entries = tuple((site.link_to(entity, item), "") for item in records[:MOST_BESIDE])
    return Related(make_title(entity), entries)


def _list_actions(site: Site, entity: Entity, record: Item) -> Actions:
    path = f"/{entity.key}/{record['id']}"
    edit = Link(site.word("edit"), site.request.url(f"{path}/edit"))
    steps: list[Link | Button] = [
        site.make_button(path, "take", step.verb, step=step.key)
        for step in entity.steps
        if record[STATE] in step.sources
    ]
    rest: list[Link | Button] = [_make_star(site, record, path)]
    if entity.can_delete:
        rest.append(_make_deletion(site, record, path))
    shown = [edit] if entity.form in ("page", "steps") else []
    if entity.steps_in_menu:
        return Actions(tuple(shown), site.word("more"), (*steps, *rest))
    return Actions((*shown, *steps, *rest))


def _make_star(site: Site, record: Item, path: str) -> Button:
    text = site.word("star")
    return site.make_button(path, "star", f"Undo: {text}" if site.is_starred(record) else text)


def _make_deletion(site: Site, record: Item, path: str) -> Link | Button:
    text = site.word("delete")
    if site.schema.look.asks_on_page:
        return Link(text, site.request.url(f"{path}/delete"))
    action, hidden = site.make_target(path, "remove")
    return Button(text=text, action=action, hidden=hidden, question=_make_question(site, record))


def _make_question(site: Site, record: Item) -> Question:
    text = f"{site.word('delete')} {record['name']}?"
    return Question(text=text, yes=site.word("yes"), no=site.word("no"))


def _list_related(site: Site, entity: Entity, record: Item) -> list[Block]:
    """The records that refer to this one, by entity, the first of them."""
    blocks: list[Block] = []
    for child, field in site.schema.children_of(entity.key):
        records = [item for item in site.state[child.key] if item[field.key] == record["id"]]
        entries = tuple(
            (site.link_to(child, item), str(item[STATE]) if child.states else "")
            for item in records[:MOST_RELATED]
        )
        title = f"{make_title(child)}: {len(records)}"
        blocks.append(Related(title, entries))
    return blocks


def show_deletion(site: Site, kind: str, key: str) -> Screen:
    """The page that asks whether a record is really to be deleted."""
    entity = site.find_entity(kind)
    record = get_record(site.state, kind, key)
    question, path = _make_question(site, record), f"/{kind}/{key}"
    action, hidden = site.make_target(f"{path}/delete", "remove")
    form = FormView(
        action=action,
        hidden=hidden,
        controls=(),
        submit=question.yes,
        cancel=Link(question.no, site.request.url(path)),
    )
    crumbs = (Link(make_title(entity), site.request.url(f"/{kind}")), site.link_to(entity, record))
    title = f"{site.word('delete')} {record['name']}"
    return Screen(title=title, blocks=(Note(question.text), form), crumbs=crumbs)


def take_step_of_record(site: Site, kind: str, key: str) -> Redirect:
    """POST: moves the record on, and leads back to where the button was."""
    entity = site.find_entity(kind)
    step = site.find_step(entity, site.request.form.get("step", ""))
    record = take_step(site.schema, entity, site.state, key, step)
    return site.request.redirect_to(f"/{kind}/{key}", f"{record['name']}: {record[STATE]}")


def star_record(site: Site, kind: str, key: str) -> Redirect:
    """POST: marks the record for the user, or takes the mark away."""
    get_record(site.state, kind, key)
    toggle_star(site.state, key)
    return site.request.redirect_to(f"/{kind}/{key}")


def remove_record(site: Site, kind: str, key: str) -> Redirect:
    """POST: deletes the record."""
    name = delete_record(site.schema, site.find_entity(kind), site.state, key)
    return site.request.redirect_to(f"/{kind}", site.word("deleted", name=name))
