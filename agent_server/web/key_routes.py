"""/console/keys: named keys of the API, and the log of what was done with which.

Guarantees: a key is shown once, in the answer that made it, which no browser keeps.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any

from fastapi import APIRouter, Form
from fastapi.responses import HTMLResponse
from pydantic import ValidationError

from agent_server.api.state import ApiState, State
from agent_server.store.keys import SCOPES, KeyRefused, Scope
from agent_server.store.quotas import Quota
from agent_server.store.tables import ApiKey
from agent_server.web.page_route import PageRoute
from agent_server.web.pages import render
from agent_server.web.rows import BAD, GOOD, NEUTRAL, Badge, describe_age

router = APIRouter(prefix="/console/keys", include_in_schema=False, route_class=PageRoute)

PATH = "/console/keys"
SHOWN_ENTRIES = 100
LIMITS = tuple(Quota.model_fields)
EMPTY_FORM = dict.fromkeys(("name", "days", "per_minute", *LIMITS), "") | {"scope": "run"}


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
    in_flight: Annotated[str, Form()] = "",
    episodes: Annotated[str, Form()] = "",
    steps: Annotated[str, Form()] = "",
    tokens: Annotated[str, Form()] = "",
    seconds: Annotated[str, Form()] = "",
    cost: Annotated[str, Form()] = "",
) -> HTMLResponse:
    """Makes a key and shows it, or the form again with what is wrong."""
    limits = dict(zip(LIMITS, (in_flight, episodes, steps, tokens, seconds, cost), strict=True))
    form = {"name": name, "scope": scope, "days": days, "per_minute": per_minute} | limits
    try:
        value = state.store.keys.create(
            name.strip(),
            _scope(scope),
            _number(days, "days"),
            None if (limit := _number(per_minute, "requests a minute")) is None else int(limit),
            _read_quota(limits),
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
    keys = state.store.keys.list_all()
    standings = state.store.quotas.standings([key.name for key in keys])
    entries = state.store.keys.list_entries(SHOWN_ENTRIES, chosen or None)
    return render(
        "keys.html",
        422 if problem else 200,
        path=PATH,
        keys=[(key, make_key_badge(key, now), standings[key.name].describe()) for key in keys],
        limits=[(limit, Quota.model_fields[limit].description) for limit in LIMITS],
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


def _read_quota(limits: dict[str, str]) -> Quota:
    """Raises KeyRefused."""
    filled: dict[str, Any] = {name: text.strip() for name, text in limits.items() if text.strip()}
    try:
        return Quota.model_validate(filled)
    except ValidationError as error:
        first = error.errors()[0]
        name = str(first["loc"][0]).replace("_", " ")
        raise KeyRefused(f"{name}: {first['msg']}") from error


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
