"""Tasks on candidates for an opening: move one that is named, or the best.

The best has the highest score alone.
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
from envs.gyms.people.data import STAGES, Item
from envs.gyms.people.drawing import first_shown, part_of, some
from envs.gyms.view import Page

MAX_DRAGS = 4
"""A card that was not saved is dragged again."""


def _opening_params(opening: Item) -> Params:
    return {"opening": opening["id"], "job": f"{opening['title']}, {opening['city']}"}


def _draw_candidate(world: Company, rng: random.Random, state: State) -> Params:
    part = part_of(state)
    ready = {x["id"] for x in part["openings"] if x["open"]}
    found = rng.choice([c for c in part["candidates"] if c["opening"] in ready])
    stage = rng.choice([stage for stage in STAGES if stage != found["stage"]])
    return _opening_params(one(part, "openings", found["opening"])) | {
        "candidate": found["id"], "name": found["name"], "old": found["stage"], "stage": stage,
    }  # fmt: skip


def _expect_stage(world: Company, p: Params, state: State) -> None:
    rules.move_candidate(part_of(state), p["candidate"], p["stage"])


def _to_opening(page: Page, p: Params) -> ways.Way:
    page = yield from ways.go(page, "Hiring")
    return (yield from ways.open_item(page, p["job"]))


def _drag_candidate(page: Page, p: Params) -> Script:
    page = yield from _to_opening(page, p)
    for _ in range(MAX_DRAGS):
        page = yield from ways.drag(page, f"drag it to {p['stage']}", p["name"], p["stage"])
        if page.says("✓ ") is not None:
            break
    return None


def _some_interviews(world: Company, rng: random.Random, state: State) -> None:
    """An opening has three candidates in interviews, and a better one elsewhere."""
    part = part_of(state)
    opening = rng.choice([x for x in part["openings"] if x["open"]])
    mine = [c for c in part["candidates"] if c["opening"] == opening["id"]]
    scores = rng.sample(range(40, 90), 3)
    for candidate, score in zip(mine[:3], scores, strict=True):
        candidate |= {"stage": "Interview", "score": score}
    mine[3] |= {"stage": "Screening", "score": 97}


def _draw_best(world: Company, rng: random.Random, state: State) -> Params:
    part = part_of(state)
    fits = []
    for opening in part["openings"]:
        mine = [c for c in part["candidates"]
                if c["opening"] == opening["id"] and c["stage"] == "Interview"]  # fmt: skip
        ranked = sorted(mine, key=lambda c: -c["score"])
        if opening["open"] and len(ranked) > 2 and ranked[0]["score"] > ranked[1]["score"]:
            fits.append((opening, ranked[0]))
    opening, best = some(rng, fits, "opening with three interviews")
    return _opening_params(opening) | {"candidate": best["id"], "stage": "Offer"}


def _promote_best(page: Page, p: Params) -> Script:
    page = yield from _to_opening(page, p)
    page = yield from ways.open_link(page, "the list has the scores", "All candidates")
    page = yield from ways.narrow(page, "Stage", "Interview")
    page = yield from ways.narrow(page, "Sort", "Score")
    page = yield from ways.open_item(page, first_shown(page), "the best one")
    page = yield from ways.fill(page, {"Stage": p["stage"]})
    yield from ways.press(page, "move", "Move candidate")
    return None


TEMPLATES = (
    Template(
        "move_candidate", ("drag",), 6,
        ("Move the candidate {name} for the opening {job} from {old} to {stage}.",
         "Opening {job}: {name} is in {stage} now. Update the board."),
        _draw_candidate, _drag_candidate,
        (("opening", saw("people:opening:{opening}")), FINISHED), _expect_stage,
    ),
    Template(
        "best_candidate", ("filter", "sort", "compare", "form"), 13,
        ("Among the candidates in Interview for the opening {job}, move the one with the highest "
         "score to Offer.",
         "Who of those in Interview for {job} has the best score shall get an offer: move this "
         "candidate to Offer."),
        _draw_best, _promote_best,
        (("opening", saw("people:opening:{opening}")),
         ("candidate", saw("people:candidate:{candidate}")), FINISHED),
        _expect_stage, _some_interviews,
    ),
)  # fmt: skip
