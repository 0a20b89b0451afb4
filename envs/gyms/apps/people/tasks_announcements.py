"""Tasks on announcements: publish one, delete one.

A new one has a title that no other has.
"""

from __future__ import annotations

import random

from envs.gyms.apps.people import rules_announcements
from envs.gyms.apps.people.sampling import people_part
from envs.gyms.apps.people.vocabulary import SUBJECTS, WEEKDAYS
from envs.gyms.kit import navigation
from envs.gyms.kit.company import Company
from envs.gyms.kit.names import DEPARTMENTS
from envs.gyms.kit.script import Script
from envs.gyms.kit.template import FINISHED, Params, Resample, Template, visited_page
from envs.gyms.server.gym import State
from envs.gyms.server.view import Page


def _sample_announcement(world: Company, rng: random.Random, state: State) -> Params:
    title = f"{rng.choice(SUBJECTS[world.split])} on {rng.choice(WEEKDAYS)}"
    if any(announcement["title"] == title for announcement in people_part(state)["announcements"]):
        raise Resample("that is announced already")
    until = world.day(rng.randint(4, 60))
    return {
        "title": title,
        "text": rng.choice(("Ask the front desk.", "Details follow by e-mail.")),
        "audience": rng.choice(DEPARTMENTS),
        "until": until,
        "date": world.locale.format_date(until),
    }


def _publish_announcement(page: Page, p: Params) -> Script:
    page = yield from navigation.go_to(page, "Announcements")
    page = yield from navigation.open_link(page, "a new one", "New announcement")
    fields = {
        "Title": p["title"],
        "Text": p["text"],
        "Audience": p["audience"],
        "Shown until": p["date"],
        "Pin it to the overview": True,
    }
    page = yield from navigation.fill_fields(page, fields)
    yield from navigation.click(page, "publish it", "Publish")
    return None


def _sample_published(world: Company, rng: random.Random, state: State) -> Params:
    announcement = rng.choice(people_part(state)["announcements"])
    return {"news": announcement["id"], "title": announcement["title"]}


def _delete_announcement(page: Page, p: Params) -> Script:
    page = yield from navigation.go_to(page, "Announcements")
    page = yield from navigation.open_item(page, p["title"])
    page = yield from navigation.click(page, "what else there is", "More")
    yield from navigation.confirm(page, "Delete announcement")
    return None


TEMPLATES = (
    Template(
        name="announce",
        skills=("form", "date"),
        oracle_steps=10,
        phrasings=(
            'Announce "{title}" to {audience}: "{text}". Show it until {date}, and pin it.',
            'Publish a pinned announcement for {audience}, title "{title}", text "{text}", shown '
            "until {date}.",
        ),
        sample_params=_sample_announcement,
        solve=_publish_announcement,
        milestones=(("announcements", visited_page("people:announcements")), FINISHED),
        apply_expected=lambda world, p, state: rules_announcements.publish_announcement(
            people_part(state), p["title"], p["text"], p["audience"], p["until"], True, world.today
        ),
    ),
    Template(
        name="delete_announcement",
        skills=("menu", "dialog"),
        oracle_steps=9,
        phrasings=(
            'Delete the announcement "{title}".',
            '"{title}" is off: delete this announcement.',
        ),
        sample_params=_sample_published,
        solve=_delete_announcement,
        milestones=(("news", visited_page("people:announcement:{news}")), FINISHED),
        apply_expected=lambda world, p, state: rules_announcements.delete_announcement(
            people_part(state), p["news"]
        ),
    ),
)
