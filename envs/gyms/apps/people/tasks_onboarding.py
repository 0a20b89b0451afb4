"""Tasks on newcomers' check lists.

A list has at least three open tasks, so that one always stays open.
"""

from __future__ import annotations

import random

from envs.gyms.apps.people import rules_hiring
from envs.gyms.apps.people.sampling import choose, people_part, person_params
from envs.gyms.kit import navigation
from envs.gyms.kit.company import Company
from envs.gyms.kit.records import get_record
from envs.gyms.kit.script import Script
from envs.gyms.kit.template import FINISHED, Params, Template, visited_page
from envs.gyms.server.gym import State
from envs.gyms.server.view import Page


def _sample_two_tasks(world: Company, rng: random.Random, state: State) -> Params:
    part = people_part(state)
    open_tasks = {
        entry["id"]: [t for t in entry["tasks"] if not t["done"]] for entry in part["onboarding"]
    }
    candidates = [entry for entry in part["onboarding"] if len(open_tasks[entry["id"]]) >= 3]
    check_list = choose(rng, candidates, "check list with three open tasks")
    first, second = rng.sample(open_tasks[check_list["id"]], 2)
    return person_params(world, get_record(part, "staff", check_list["person"])) | {
        "list": check_list["id"],
        "keys": [first["id"], second["id"]],
        "first": first["text"],
        "second": second["text"],
    }


def _apply_ticks(world: Company, p: Params, state: State) -> None:
    tasks = get_record(people_part(state), "onboarding", p["list"])["tasks"]
    rules_hiring.set_done_tasks(
        people_part(state), p["list"], {t["id"] for t in tasks if t["done"]} | set(p["keys"])
    )


def _tick_tasks(page: Page, p: Params) -> Script:
    page = yield from navigation.go_to(page, "Onboarding")
    page = yield from navigation.open_item(page, p["name"])
    page = yield from navigation.fill_fields(page, {p["first"]: True, p["second"]: True})
    yield from navigation.click(page, "save it", "Save list")
    return None


TEMPLATES = (
    Template(
        name="tick_tasks",
        skills=("form",),
        oracle_steps=8,
        phrasings=(
            'In the onboarding list of {name}, "{first}" and "{second}" are done. Tick them off.',
            "Tick off for the newcomer {name}: {first}; {second}.",
        ),
        sample_params=_sample_two_tasks,
        solve=_tick_tasks,
        milestones=(("list", visited_page("people:onboarding:{list}")), FINISHED),
        apply_expected=_apply_ticks,
    ),
)
