"""A schema as an app of the kit: state, pages, rules."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial

from envs.gyms.generated import families, list_pages, record_forms, record_pages
from envs.gyms.generated.initial_state import make_state
from envs.gyms.generated.rules import toggle_star
from envs.gyms.generated.schema import AppSchema
from envs.gyms.generated.screens import Screen
from envs.gyms.generated.site import Site, make_title
from envs.gyms.generated.tools import make_tools
from envs.gyms.kit.app import App, PageSpec
from envs.gyms.kit.request import Redirect, RequestContext
from envs.gyms.server.gym import State

SHOWN: tuple[tuple[str, Callable[..., Screen]], ...] = (
    ("/", list_pages.show_home),
    ("/find", list_pages.show_hits),
    ("/{kind}", list_pages.show_list),
    ("/{kind}/new", record_forms.show_creation),
    ("/{kind}/{key}", record_pages.show_record),
    ("/{kind}/{key}/edit", record_forms.show_edit_form),
    ("/{kind}/{key}/delete", record_pages.show_deletion),
)
"""Paths of pages, the first that fits."""
SENT: tuple[tuple[str, Callable[..., Redirect]], ...] = (
    ("/{kind}/tick", list_pages.take_step_of_ticked),
    ("/{kind}/new/create", record_forms.create_from_form),
    ("/{kind}/{key}/save", record_forms.save_from_form),
    ("/{kind}/{key}/edit/save", record_forms.save_from_form),
    ("/{kind}/{key}/take", record_pages.take_step_of_record),
    ("/{kind}/{key}/star", record_pages.star_record),
    ("/{kind}/{key}/remove", record_pages.remove_record),
    ("/{kind}/{key}/delete/remove", record_pages.remove_record),
)
"""Paths of forms."""


def make_app(schema: AppSchema) -> App:
    """Served under /<name of the schema>/."""
    shown = [
        PageSpec(method="GET", path=path, handler=partial(_show, schema, make_screen))
        for path, make_screen in SHOWN
    ]
    sent = [
        PageSpec(method="POST", path=path, handler=partial(_handle, schema, handle))
        for path, handle in SENT
    ]
    return App(
        name=schema.name,
        title=schema.title,
        nav=tuple((make_title(entity), f"/{entity.key}") for entity in schema.entities),
        make_state=partial(make_state, schema),
        make_stray_change=partial(_mark_any_record, schema),
        tools=make_tools(schema),
        pages=(*shown, *sent),
        numbered=tuple(entity.key for entity in schema.entities),
        render_not_found=partial(families.render_not_found, schema),
    )


def _show(
    schema: AppSchema,
    make_screen: Callable[..., Screen],
    request: RequestContext,
    **path: str,
) -> str:
    return families.render(schema, request, make_screen(Site(schema, request), **path))


def _handle(
    schema: AppSchema,
    handle: Callable[..., Redirect],
    request: RequestContext,
    **path: str,
) -> Redirect:
    return handle(Site(schema, request), **path)


def _mark_any_record(schema: AppSchema, state: State, rng: random.Random) -> None:
    records = state[rng.choice(schema.entities).key]
    toggle_star(state, str(rng.choice(records)["id"]))
