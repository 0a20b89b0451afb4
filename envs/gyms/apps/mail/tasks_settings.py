"""Tasks on the signature and the vacation responder."""

from __future__ import annotations

import random

from envs.gyms.apps.mail import rules_settings
from envs.gyms.apps.mail.data_messages import list_colleagues
from envs.gyms.apps.mail.outcomes import VISITED_SETTINGS
from envs.gyms.apps.mail.sampling import mail_part
from envs.gyms.kit import navigation
from envs.gyms.kit.company import Company
from envs.gyms.kit.script import Script
from envs.gyms.kit.template import FINISHED, Params, Template
from envs.gyms.server.gym import State
from envs.gyms.server.view import Page


def _sample_absence(world: Company, rng: random.Random, state: State) -> Params:
    first = rng.randint(1, 40)
    days = world.day(first), world.day(first + rng.randint(2, 20))
    person = rng.choice(list_colleagues(world))
    return {
        "first": days[0],
        "last": days[1],
        "first_day": world.locale.format_date(days[0]),
        "last_day": world.locale.format_date(days[1]),
        "text": f"I am away. Please write to {person.email}",
    }


def _sample_signature(world: Company, rng: random.Random, state: State) -> Params:
    room = f"{rng.randint(1, 5)}.{rng.randint(1, 40):02d}"
    return {"text": f"{world.user.name}, {world.name}, room {room}"}


def _set_vacation(page: Page, p: Params) -> Script:
    page = yield from navigation.go_to(page, "Settings")
    page = yield from navigation.open_link(page, "change it", "Edit vacation responder")
    page = yield from navigation.fill_fields(
        page,
        {
            "Answer while I am away": True,
            "First day": p["first_day"],
            "Last day": p["last_day"],
            "Text": p["text"],
        },
    )
    yield from navigation.click(page, "save it", "Save responder")
    return None


def _set_signature(page: Page, p: Params) -> Script:
    page = yield from navigation.go_to(page, "Settings")
    page = yield from navigation.open_link(page, "change it", "Edit signature")
    page = yield from navigation.fill_fields(page, {"Signature": p["text"]})
    yield from navigation.click(page, "save it", "Save signature")
    return None


TEMPLATES = (
    Template(
        name="vacation",
        skills=("form", "date"),
        oracle_steps=9,
        phrasings=(
            "Turn on the vacation responder from {first_day} to {last_day} with this text: {text}",
            "I am away from {first_day} to {last_day}. Have mail answer with: {text}",
        ),
        sample_params=_sample_absence,
        solve=_set_vacation,
        milestones=(VISITED_SETTINGS, FINISHED),
        apply_expected=lambda world, p, state: rules_settings.set_vacation(
            mail_part(state), True, p["first"], p["last"], p["text"], world.today
        ),
    ),
    Template(
        name="signature",
        skills=("form",),
        oracle_steps=6,
        phrasings=("Set my signature to: {text}", "Below my messages shall stand: {text}"),
        sample_params=_sample_signature,
        solve=_set_signature,
        milestones=(VISITED_SETTINGS, FINISHED),
        apply_expected=lambda world, p, state: rules_settings.set_signature(
            mail_part(state), p["text"]
        ),
    ),
)
