"""Tasks on announcements: publish one, delete one.

A new one has a title that no other has.
"""

from __future__ import annotations

import random

from envs.gyms.gym import State
from envs.gyms.kit import ways
from envs.gyms.kit.company import Company
from envs.gyms.kit.names import DEPARTMENTS
from envs.gyms.kit.script import Script
from envs.gyms.kit.template import FINISHED, Params, Redraw, Template, saw
from envs.gyms.people import rules
from envs.gyms.people.data import SUBJECTS, WEEKDAYS
from envs.gyms.people.drawing import part_of
from envs.gyms.view import Page


def _draw_news(world: Company, rng: random.Random, state: State) -> Params:
    title = f"{rng.choice(SUBJECTS)} on {rng.choice(WEEKDAYS)}"
    if any(x["title"] == title for x in part_of(state)["announcements"]):
        raise Redraw("that is announced already")
    until = world.day(rng.randint(4, 60))
    return {
        "title": title, "text": rng.choice(("Ask the front desk.", "Details follow by e-mail.")),
        "audience": rng.choice(DEPARTMENTS), "until": until, "date": world.look.date(until),
    }  # fmt: skip


def _publish(page: Page, p: Params) -> Script:
    page = yield from ways.go(page, "Announcements")
    page = yield from ways.open_link(page, "a new one", "New announcement")
    fields = {"Title": p["title"], "Text": p["text"], "Audience": p["audience"],
              "Shown until": p["date"], "Pin it to the overview": True}  # fmt: skip
    page = yield from ways.fill(page, fields)
    yield from ways.press(page, "publish it", "Publish")
    return None


def _draw_old_news(world: Company, rng: random.Random, state: State) -> Params:
    found = rng.choice(part_of(state)["announcements"])
    return {"news": found["id"], "title": found["title"]}


def _delete_news(page: Page, p: Params) -> Script:
    page = yield from ways.go(page, "Announcements")
    page = yield from ways.open_item(page, p["title"])
    page = yield from ways.press(page, "what else there is", "More")
    yield from ways.sure(page, "Delete announcement")
    return None


TEMPLATES = (
    Template(
        "announce", ("form", "date"), 10,
        ('Announce "{title}" to {audience}: "{text}". Show it until {date}, and pin it.',
         'Publish a pinned announcement for {audience}, title "{title}", text "{text}", shown '
         "until {date}."),
        _draw_news, _publish, (("announcements", saw("people:announcements")), FINISHED),
        lambda world, p, state: rules.announce(
            part_of(state), p["title"], p["text"], p["audience"], p["until"], True, world.today
        ),
    ),
    Template(
        "delete_announcement", ("menu", "dialog"), 9,
        ('Delete the announcement "{title}".', '"{title}" is off: delete this announcement.'),
        _draw_old_news, _delete_news, (("news", saw("people:announcement:{news}")), FINISHED),
        lambda world, p, state: rules.delete_announcement(part_of(state), p["news"]),
    ),
)  # fmt: skip
