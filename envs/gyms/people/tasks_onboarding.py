"""Tasks on newcomers' check lists.

A list has at least three open tasks, so that one always stays open.
"""

from __future__ import annotations

import random

from envs.gyms.gym import State
from envs.gyms.kit import ways
from envs.gyms.kit.company import Company
from envs.gyms.kit.records import one
from envs.gyms.kit.script import Script
from envs.gyms.kit.template import FINISHED, Params, Template, saw
from envs.gyms.people import rules
from envs.gyms.people.drawing import part_of, plain, some
from envs.gyms.view import Page


def _draw_ticks(world: Company, rng: random.Random, state: State) -> Params:
    part = part_of(state)
    open_tasks = {x["id"]: [t for t in x["tasks"] if not t["done"]] for x in part["onboarding"]}
    fits = [x for x in part["onboarding"] if len(open_tasks[x["id"]]) >= 3]
    found = some(rng, fits, "check list with three open tasks")
    first, second = rng.sample(open_tasks[found["id"]], 2)
    return plain(world, one(part, "staff", found["person"])) | {
        "list": found["id"], "keys": [first["id"], second["id"]],
        "first": first["text"], "second": second["text"],
    }  # fmt: skip


def _expect_ticks(world: Company, p: Params, state: State) -> None:
    tasks = one(part_of(state), "onboarding", p["list"])["tasks"]
    rules.tick(part_of(state), p["list"], {t["id"] for t in tasks if t["done"]} | set(p["keys"]))


def _tick(page: Page, p: Params) -> Script:
    page = yield from ways.go(page, "Onboarding")
    page = yield from ways.open_item(page, p["name"])
    page = yield from ways.fill(page, {p["first"]: True, p["second"]: True})
    yield from ways.press(page, "save it", "Save list")
    return None


TEMPLATES = (
    Template(
        "tick_tasks", ("form",), 8,
        ('In the onboarding list of {name}, "{first}" and "{second}" are done. Tick them off.',
         "Tick off for the newcomer {name}: {first}; {second}."),
        _draw_ticks, _tick, (("list", saw("people:onboarding:{list}")), FINISHED), _expect_ticks,
    ),
)  # fmt: skip
