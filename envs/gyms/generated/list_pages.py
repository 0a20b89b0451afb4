"""Pages that list records: the front page, an entity's list, the search across entities."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from envs.gyms.generated.record_forms import make_create_form
from envs.gyms.generated.rules import take_step
from envs.gyms.generated.schema import Entity
from envs.gyms.generated.screens import (
    Actions,
    Block,
    Button,
    Control,
    FormView,
    Link,
    ListView,
    Note,
    Related,
    Row,
    Screen,
)
from envs.gyms.generated.site import STATE, Site, make_title
from envs.gyms.kit.records import Item
from envs.gyms.kit.request import Redirect
from envs.gyms.server.gym import Refused

SORTABLE = ("date", "money", "number")
LAST = "descending"
MOST_HITS = 12


@dataclass(frozen=True, slots=True)
class Order:
    """An option of the drop-down that sorts a list."""

    text: str
    key: Callable[[Item], Any]
    is_descending: bool = False


def show_home(site: Site) -> Screen:
    """The front page: tiles of all lists, or the first list."""
    if site.schema.look.navigation not in ("tiles", "search"):
        return show_list(site, site.schema.entities[0].key)
    entries = tuple(
        (
            Link(make_title(entity), site.request.url(f"/{entity.key}")),
            str(len(site.state[entity.key])),
        )
        for entity in site.schema.entities
    )
    return Screen(title=site.schema.title, blocks=(Related("", entries),))


def show_hits(site: Site) -> Screen:
    """What a search across all entities came upon."""
    words = site.request.query.get("q", "").lower().split()
    hits = [
        (site.link_to(entity, record), entity.singular)
        for entity in site.schema.entities
        for record in site.state[entity.key]
        if words and all(word in str(record["name"]).lower() for word in words)
    ]
    block: Block = Related("", tuple(hits[:MOST_HITS]))
    if not hits:
        block = Note(site.word("nothing"))
    return Screen(title=site.word("everywhere"), blocks=(block,), crumbs=(_home(site),))


def show_list(site: Site, kind: str) -> Screen:
    """All records of an entity: searched, filtered, sorted, page by page."""
    entity = site.find_entity(kind)
    site.request.log_event(f"list:{kind}")
    order = _get_order(site, entity)
    matches = sorted(_find_matching(site, entity), key=order.key, reverse=order.is_descending)
    is_paged = entity.view not in ("grouped", "board")
    size = site.schema.look.page_size if is_paged else max(1, len(matches))
    pages = max(1, -(-len(matches) // size))
    page = min(pages, _parse_page(site.request.query.get("page", "1")))
    shown = matches[(page - 1) * size : page * size]
    listing = ListView(
        view=entity.view,
        name_label=entity.name_label,
        columns=tuple(_label_of(entity, key) for key in entity.columns),
        rows=tuple(_make_row(site, entity, record) for record in shown),
        groups=_list_groups(entity) if not is_paged else (),
        summary=site.word("found", n=len(matches)),
        empty=site.word("nothing"),
        page=page,
        pages=pages,
        previous=_link_page(site, "previous_page", page - 1) if page > 1 else None,
        next=_link_page(site, "next_page", page + 1) if page < pages else None,
        bulk=_make_bulk(site, entity) if entity.has_bulk and entity.view != "board" else None,
    )
    blocks: list[Block] = []
    query = _make_query(site, entity, order)
    if query is not None:
        blocks.append(query)
    if entity.can_create:
        blocks.append(_make_creation(site, entity))
    return Screen(title=make_title(entity), blocks=(*blocks, listing), crumbs=(_home(site),))


def _home(site: Site) -> Link:
    return Link(site.word("home"), site.request.url("/"))


def _make_creation(site: Site, entity: Entity) -> Block:
    text = f"{site.word('create')} {entity.singular}"
    if entity.form == "dialog":
        return make_create_form(site, entity, opener=text)
    return Actions((Link(text, site.request.url(f"/{entity.key}/new")),))


def _label_of(entity: Entity, key: str) -> str:
    return entity.state if key == STATE else entity.field(key).label


def _find_matching(site: Site, entity: Entity) -> list[Item]:
    words = site.request.query.get("q", "").lower().split()
    chosen = {key: site.request.query.get(key, "") for key in entity.filters}
    return [
        record
        for record in site.state[entity.key]
        if all(word in _searchable_text(site, entity, record) for word in words)
        and all(not option or record[key] == option for key, option in chosen.items())
    ]


def _searchable_text(site: Site, entity: Entity, record: Item) -> str:
    texts = [str(record["name"])]
    texts += [
        site.format_field(field, record)
        for field in entity.fields
        if field.kind in ("text", "reference")
    ]
    return " ".join(texts).lower()


def list_orders(entity: Entity) -> tuple[Order, ...]:
    """By name, and by what can be measured, the most first."""
    orders = [Order(entity.name_label, lambda item: str(item["name"]))]
    for field in entity.fields:
        if field.kind in SORTABLE:
            orders.append(_order_by(field.key, f"{field.label}, {LAST}", is_descending=True))
    return tuple(orders)


def _order_by(key: str, text: str, *, is_descending: bool) -> Order:
    return Order(text, lambda item: (item[key], str(item["name"])), is_descending)


def _get_order(site: Site, entity: Entity) -> Order:
    text, orders = site.request.query.get("sort", ""), list_orders(entity)
    return next((order for order in orders if order.text == text), orders[0])


def _parse_page(text: str) -> int:
    return max(1, int(text)) if text.isdecimal() and len(text) < 5 else 1


def _link_page(site: Site, word: str, number: int) -> Link:
    query = urlencode({**site.request.query, "page": number})
    return Link(site.word(word), f"{site.request.path}?{query}")


def _list_groups(entity: Entity) -> tuple[str, ...]:
    if not entity.group_by:
        return ()
    return entity.states if entity.group_by == STATE else entity.field(entity.group_by).options


def _make_row(site: Site, entity: Entity, record: Item) -> Row:
    buttons: list[Button] = []
    if entity.steps_in_list and not entity.has_bulk:
        page = f"/{entity.key}/{record['id']}"
        buttons = [
            site.make_button(
                page, "take", step.verb, label=f"{step.verb} {record['name']}", step=step.key
            )
            for step in entity.steps
            if record[STATE] in step.sources
        ]
    return Row(
        name=site.link_to(entity, record),
        cells=tuple(site.make_cell(entity, record, key) for key in entity.columns),
        group=str(record[entity.group_by]) if entity.group_by else "",
        buttons=tuple(buttons),
        tick=f"tick-{record['id']}" if entity.has_bulk and entity.view != "board" else "",
    )


def _make_query(site: Site, entity: Entity, order: Order) -> FormView | None:
    """Search, filters and order in one form; None for an entity that has neither."""
    query, words = site.request.query, site.schema.look.words
    controls: list[Control] = []
    if entity.has_search:
        controls.append(Control(name="q", label=words["query"], value=query.get("q", "")))
    for key in entity.filters:
        options = entity.states if key == STATE else entity.field(key).options
        controls.append(
            Control(
                name=key,
                label=_label_of(entity, key),
                kind="choice",
                value=query.get(key, ""),
                options=(("", words["any"]), *((option, option) for option in options)),
            )
        )
    orders = list_orders(entity)
    if len(orders) > 1:
        texts = tuple((entry.text, entry.text) for entry in orders)
        controls.append(
            Control(
                name="sort", label=words["sort"], kind="choice", value=order.text, options=texts
            )
        )
    if not controls:
        return None
    return FormView(
        action=site.request.url(f"/{entity.key}"),
        controls=tuple(controls),
        submit=site.word("search" if entity.has_search else "apply"),
        is_query=True,
        at_once=site.schema.look.filters_at_once,
    )


def _make_bulk(site: Site, entity: Entity) -> FormView:
    action, hidden = site.make_target(f"/{entity.key}", "tick")
    options = tuple((step.key, step.verb) for step in entity.steps)
    choice = Control(
        name="step",
        label=site.schema.look.words["action"],
        kind="choice",
        value=options[0][0],
        options=options,
    )
    return FormView(action=action, hidden=hidden, controls=(choice,), submit=site.word("bulk"))


def take_step_of_ticked(site: Site, kind: str) -> Redirect:
    """POST: one step of all ticked records, or of none."""
    entity, form = site.find_entity(kind), site.request.form
    keys = [name.removeprefix("tick-") for name in form if name.startswith("tick-")]
    if not keys:
        raise Refused(site.word("nothing"))
    step, preview = site.find_step(entity, form.get("step", "")), copy.deepcopy(site.state)
    for state in (preview, site.state):  # what one of them refuses must change none
        for key in keys:
            take_step(site.schema, entity, state, key, step)
    return site.request.redirect_to(f"/{kind}", f"{step.verb}: {len(keys)}")
