"""A web gym in one file: an app with a list of chores, one task template, and its proof.

    .venv/bin/python examples/new_gym.py

`deskhand gym new NAME` writes the same parts as a package below `envs/gyms/apps`, where every
command finds them. docs/gyms.md explains each part.
"""

from __future__ import annotations

import asyncio
import random

from envs.gyms.kit import navigation
from envs.gyms.kit.app import App
from envs.gyms.kit.company import Company
from envs.gyms.kit.gym import AppGym
from envs.gyms.kit.html import button, details, link
from envs.gyms.kit.listing import Column, Listing, Sort
from envs.gyms.kit.page_frame import render_page
from envs.gyms.kit.page_group import PageGroup
from envs.gyms.kit.records import get_record
from envs.gyms.kit.request import Redirect, RequestContext
from envs.gyms.kit.script import Script
from envs.gyms.kit.template import FINISHED, Params, Template, visited_page
from envs.gyms.server.audit import Auditor
from envs.gyms.server.audit_rows import Row
from envs.gyms.server.gym import Refused, State
from envs.gyms.server.registry import add_web_gym
from envs.gyms.server.view import Page

PAGES = PageGroup()


# 1. The state of a seed: plain JSON. All chance comes from the world's generator.
def make_state(world: Company) -> State:
    """Twenty chores, each of a person, some of them done."""
    rng = world.rng("chores")
    chores = [
        {
            "id": f"c{number}",
            "title": f"Call {rng.choice(world.firms).name} {number}",
            "person": rng.choice(world.people).name,
            "done": rng.random() < 0.3,
        }
        for number in range(1, 21)
    ]
    return {"chores": chores}


# 2. The rules: the only functions that change the state. Pages and verdicts share them.
def finish(state: State, key: str) -> None:
    """Marks a chore as done. Raises Refused."""
    chore = get_record(state, "chores", key)
    if chore["done"]:
        raise Refused("This chore is done already")
    chore["done"] = True


def make_stray_change(state: State, rng: random.Random) -> None:
    """Changes what no task asks for; the audit checks that this is never a success."""
    rng.choice(state["chores"])["person"] += " jr"


# 3. The pages: HTML made of widgets. A POST calls a rule and leads to the next page.
@PAGES.get("/")
def show_chores(request: RequestContext) -> str:
    """All chores, with a search."""
    listing = Listing(
        columns=(
            Column("Chore", lambda c: link(c["title"], request.url(f"/chores/{c['id']}"))),
            Column("Person", lambda c: c["person"]),
        ),
        searchable_text=lambda c: c["title"],
        sorts=(Sort("Title", lambda c: c["title"]),),
    )
    return render_page(request, "Chores", listing.render(request, request.state["chores"]))


@PAGES.get("/chores/{key}")
def show_chore(request: RequestContext, key: str) -> str:
    """One chore, with the button that finishes it."""
    chore = get_record(request.state, "chores", key)
    request.log_event(f"chore:{key}")
    facts = details(("Person", chore["person"]), ("Done", "Yes" if chore["done"] else "No"))
    action = button(request, "finish", "Finish chore")
    return render_page(request, "Chore", facts, action, heading=chore["title"])


@PAGES.post("/chores/{key}/finish")
def finish_chore(request: RequestContext, key: str) -> Redirect:
    """The target of the button."""
    finish(request.state, key)
    return request.redirect_to(f"/chores/{key}", "Chore finished")


# 4. A template: parameters sampled from the seed, the expected state, and the oracle's script.
def sample_chore(world: Company, rng: random.Random, state: State) -> Params:
    """A chore that is not done yet: doing nothing must not succeed."""
    chore = rng.choice([c for c in state["chores"]["chores"] if not c["done"]])
    return {"key": chore["id"], "title": chore["title"]}


def apply_expected(world: Company, p: Params, state: State) -> None:
    """What success means, by the app's own rule; any other change is a failure."""
    finish(state["chores"], p["key"])


def solve(page: Page, p: Params) -> Script:
    """The oracle: yields moves and gets the page that followed."""
    page = yield from navigation.search(page, p["title"])
    page = yield from navigation.open_item(page, p["title"])
    yield from navigation.click(page, "this is the one", "Finish chore")
    return None


APP = App(
    name="chores",
    title="Chores",
    nav=(("Chores", "/"),),
    make_state=make_state,
    make_stray_change=make_stray_change,
    pages=(*PAGES,),
)
FINISH = Template(
    name="finish_chore",
    skills=("search",),
    oracle_steps=4,
    phrasings=('Finish the chore "{title}".', 'The chore "{title}" is done: finish it.'),
    sample_params=sample_chore,
    solve=solve,
    milestones=(("chore", visited_page("chores:chore:{key}")), FINISHED),
    apply_expected=apply_expected,
)
GYM = AppGym("chores", (APP,), (FINISH,))


# 5. The proof, in a real Chromium: solved by its oracle, the same twice, and by nothing else.
async def audit(seeds: int = 3) -> list[Row]:
    """Serves the gym in this process and plays its templates; one row a template."""
    add_web_gym(GYM)
    async with Auditor(sessions=2) as auditor:
        return await auditor.run_matrix(GYM, GYM.templates, range(seeds))


if __name__ == "__main__":
    print("a task:", GYM.make_task("finish_chore", seed=7).instruction)
    for row in asyncio.run(audit()):
        print(f"{row.gym}/{row.template}, held for so many of {row.seeds} seeds:", row.held)
        if not row.holds:
            raise SystemExit("\n".join(row.failures))
