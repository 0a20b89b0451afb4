"""/console/keys: named keys of the API, and the log of what was done with which.

Guarantees: a key is shown once, in the answer that made it, which no browser keeps.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated

from fastapi import APIRouter, Form
from fastapi.responses import HTMLResponse

from agent_server.api.state import ApiState, State
from agent_server.store.keys import SCOPES, KeyRefused, Scope
from agent_server.store.tables import ApiKey
from agent_server.web.page_route import PageRoute
from agent_server.web.pages import render
from agent_server.web.rows import BAD, GOOD, NEUTRAL, Badge, describe_age

router = APIRouter(prefix="/console/keys", include_in_schema=False, route_class=PageRoute)

PATH = "/console/keys"
SHOWN_ENTRIES = 100
EMPTY_FORM = {"name": "", "scope": "run", "days": "", "per_minute": ""}


@router.get("")
def show_keys(state: State, key: str = "") -> HTMLResponse:
    """All keys, and the newest entries of the log; with `key` those of one key."""
    return _render(state, chosen=key)


@router.post("")
def create_key(
    state: State,
    name: Annotated[str, Form()],
    scope: Annotated[str, Form()] = "run",
    days: Annotated[str, Form()] = "",
    per_minute: Annotated[str, Form()] = "",
) -> HTMLResponse:
    """Makes a key and shows it, or the form again with what is wrong."""
    form = {"name": name, "scope": scope, "days": days, "per_minute": per_minute}
    try:
        value = state.store.keys.create(
            name.strip(),
            _scope(scope),
            _number(days, "days"),
            None if (limit := _number(per_minute, "requests a minute")) is None else int(limit),
        )
    except KeyRefused as error:
        return _render(state, form=form, problem=str(error))
    return _render(state, made=(name.strip(), value))


@router.post("/{name}/rotate")
def rotate_key(name: str, state: State) -> HTMLResponse:
    """Puts a new key in place of the old one and shows it."""
    try:
        return _render(state, made=(name, state.store.keys.rotate(name)))
    except KeyRefused as error:
        return _render(state, problem=str(error))


@router.post("/{name}/revoke")
def revoke_key(name: str, state: State) -> HTMLResponse:
    """Ends a key."""
    try:
        state.store.keys.revoke(name)
    except KeyRefused as error:
        return _render(state, problem=str(error))
    return _render(state)


def _render(
    state: ApiState,
    *,
    form: dict[str, str] | None = None,
    problem: str = "",
    made: tuple[str, str] | None = None,
    chosen: str = "",
) -> HTMLResponse:
    now = datetime.now(UTC)
    entries = state.store.keys.list_entries(SHOWN_ENTRIES, chosen or None)
    return render(
        "keys.html",
        422 if problem else 200,
        path=PATH,
        keys=[(key, make_key_badge(key, now)) for key in state.store.keys.list_all()],
        entries=[(entry, describe_age(entry.at, now)) for entry in entries],
        form=form or EMPTY_FORM,
        problem=problem,
        made=made,
        chosen=chosen,
    )


def make_key_badge(key: ApiKey, now: datetime) -> Badge:
    """Whether a key holds."""
    if key.revoked_at is not None:
        return Badge(text="revoked", kind=BAD)
    if key.expires_at is not None and key.expires_at <= now:
        return Badge(text="expired", kind=NEUTRAL)
    return Badge(text="holds", kind=GOOD)


def _scope(text: str) -> Scope:
    for scope in SCOPES:
        if text == scope:
            return scope  # type: ignore[no-any-return]
    raise KeyRefused(f"{text[:80]!r} is no scope; there are: {', '.join(SCOPES)}")


def _number(text: str, what: str) -> float | None:
    """None for an empty field. Raises KeyRefused."""
    if not text.strip():
        return None
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < 100_000:
        raise KeyRefused(f"{what}: a number above 0 and below 100,000, or nothing")
    return value
