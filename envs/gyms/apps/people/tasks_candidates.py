"""Tasks on candidates for an opening: move one that is named, or the best one.

No other candidate has the best one's score.
"""

from __future__ import annotations

import random

from envs.gyms.apps.people import rules_hiring
from envs.gyms.apps.people.oracle_moves import first_list_entry
from envs.gyms.apps.people.sampling import choose, people_part
from envs.gyms.apps.people.vocabulary import STAGES, Item
from envs.gyms.kit import navigation
from envs.gyms.kit.company import Company
from envs.gyms.kit.records import get_record
from envs.gyms.kit.script import Script
from envs.gyms.kit.template import FINISHED, Params, Template, visited_page
from envs.gyms.server.gym import State
from envs.gyms.server.view import Page

MAX_DRAGS = 4
"""A card that was not saved is dragged again."""


def _opening_params(world: Company, opening: Item) -> Params:
    job = f"{opening['title']}, {opening['city']}"
    return {"opening": opening["id"], "job": job, "company": world.name}


def _sample_candidate(world: Company, rng: random.Random, state: State) -> Params:
    part = people_part(state)
    open_keys = {opening["id"] for opening in part["openings"] if opening["open"]}
    candidate = rng.choice([c for c in part["candidates"] if c["opening"] in open_keys])
    stage = rng.choice([stage for stage in STAGES if stage != candidate["stage"]])
    return _opening_params(world, get_record(part, "openings", candidate["opening"])) | {
        "candidate": candidate["id"],
        "name": candidate["name"],
        "old": candidate["stage"],
        "stage": stage,
    }


def _apply_stage(world: Company, p: Params, state: State) -> None:
    rules_hiring.move_candidate(people_part(state), p["candidate"], p["stage"])


def _open_opening(page: Page, p: Params) -> navigation.Moves:
    page = yield from navigation.go_to(page, "Hiring")
    return (yield from navigation.open_item(page, p["job"]))


def _drag_candidate(page: Page, p: Params) -> Script:
    page = yield from _open_opening(page, p)
    for _ in range(MAX_DRAGS):
        page = yield from navigation.drag(page, f"drag it to {p['stage']}", p["name"], p["stage"])
        if page.text_after("✓ ") is not None:
            break
    return None


def _add_interviews(world: Company, rng: random.Random, state: State) -> None:
    """An opening has three candidates in interviews, and a better one elsewhere."""
    part = people_part(state)
    opening = rng.choice([o for o in part["openings"] if o["open"]])
    candidates = [c for c in part["candidates"] if c["opening"] == opening["id"]]
    scores = rng.sample(range(40, 90), 3)
    for candidate, score in zip(candidates[:3], scores, strict=True):
        candidate |= {"stage": "Interview", "score": score}
    candidates[3] |= {"stage": "Screening", "score": 97}


def _sample_best(world: Company, rng: random.Random, state: State) -> Params:
    part = people_part(state)
    choices = []
    for opening in part["openings"]:
        interviewed = [
            c
            for c in part["candidates"]
            if c["opening"] == opening["id"] and c["stage"] == "Interview"
        ]
        ranked = sorted(interviewed, key=lambda c: -c["score"])
        if opening["open"] and len(ranked) > 2 and ranked[0]["score"] > ranked[1]["score"]:
            choices.append((opening, ranked[0]))
    opening, best = choose(rng, choices, "opening with three interviews")
    return _opening_params(world, opening) | {"candidate": best["id"], "stage": "Offer"}


def _promote_best(page: Page, p: Params) -> Script:
    page = yield from _open_opening(page, p)
    page = yield from navigation.open_link(page, "the list has the scores", "All candidates")
    page = yield from navigation.filter_list(page, "Stage", "Interview")
    page = yield from navigation.filter_list(page, "Sort", "Score")
    page = yield from navigation.open_item(page, first_list_entry(page), "the best one")
    page = yield from navigation.fill_fields(page, {"Stage": p["stage"]})
    yield from navigation.click(page, "move", "Move candidate")
    return None


TEMPLATES = (
    Template(
        name="move_candidate",
        skills=("drag",),
        oracle_steps=6,
        phrasings=(
            "Move the candidate {name} for the opening {job} from {old} to {stage}.",
            "Opening {job}: {name} is in {stage} now. Update the board.",
        ),
        sample_params=_sample_candidate,
        solve=_drag_candidate,
        milestones=(("opening", visited_page("people:opening:{opening}")), FINISHED),
        apply_expected=_apply_stage,
    ),
    Template(
        name="best_candidate",
        skills=("filter", "sort", "compare", "form"),
        oracle_steps=13,
        phrasings=(
            "Among the candidates in Interview for the opening {job}, at {company}, move the one "
            "with the highest score to Offer.",
            "Who of those in Interview for {job} has the best score shall get an offer from "
            "{company}: move this candidate to Offer.",
        ),
        sample_params=_sample_best,
        solve=_promote_best,
        milestones=(
            ("opening", visited_page("people:opening:{opening}")),
            ("candidate", visited_page("people:candidate:{candidate}")),
            FINISHED,
        ),
        apply_expected=_apply_stage,
        prepare_state=_add_interviews,
    ),
)
