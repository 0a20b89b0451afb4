"""The portal's pages of openings and candidates: a board for each opening, lists, one candidate.

A card on the board and a candidate's own page move the candidate by the same rule.
"""

from __future__ import annotations

from markupsafe import Markup

from envs.gyms.kit.frame import page
from envs.gyms.kit.here import Here
from envs.gyms.kit.html import Field, badge, details, dragged, el, form, link
from envs.gyms.kit.listing import Column, Filter, Item, Listing, Sort
from envs.gyms.kit.names import DEPARTMENTS
from envs.gyms.kit.records import one
from envs.gyms.pages import Redirect
from envs.gyms.people import rules
from envs.gyms.people.app import PEOPLE
from envs.gyms.people.data import STAGES


def _opening_name(opening: Item) -> str:
    return f"{opening['title']}, {opening['city']}"


@PEOPLE.get("/hiring")
def openings(here: Here) -> str:
    here.note("hiring")
    count = {
        opening["id"]: sum(c["opening"] == opening["id"] for c in here.state["candidates"])
        for opening in here.state["openings"]
    }
    listing = Listing(
        columns=(
            Column("Opening", lambda o: link(_opening_name(o), here.url(f"/hiring/{o['id']}"))),
            Column("Department", lambda o: o["department"]),
            Column("Candidates", lambda o: count[o["id"]]),
            Column("", lambda o: badge("Open" if o["open"] else "Closed")),
        ),
        words=_opening_name,
        sorts=(Sort("Opening", _opening_name), Sort("Department", lambda o: o["department"])),
        filters=(Filter("department", "Department", DEPARTMENTS, lambda o: o["department"]),),
    )
    new = el("p", link("Hire somebody", here.url("/hire")))
    return page(here, "Hiring", new, listing.show(here, here.state["openings"]))


@PEOPLE.get("/hiring/{key}")
def opening(here: Here, key: str) -> str:
    found = one(here.state, "openings", key)
    here.note(f"opening:{key}")
    mine = [c for c in here.state["candidates"] if c["opening"] == key]
    columns = [
        el("div", el("h2", link(stage, here.url(f"/hiring/{key}/list?stage={stage}"))),
           [_card(here, c) for c in mine if c["stage"] == stage], class_="column", data_drop=stage)
        for stage in STAGES
    ]  # fmt: skip
    return page(
        here, "Opening",
        details(("Department", found["department"]), ("State", "Open" if found["open"]
                else "Closed"), ("Candidates", len(mine))),
        el("p", link("All candidates", here.url(f"/hiring/{key}/list")),
           " Drag a card to move a candidate."),
        el("div", columns, class_="columns"),
        heading=_opening_name(found),
    )  # fmt: skip


def _card(here: Here, candidate: Item) -> Markup:
    place = f"/hiring/candidates/{candidate['id']}"
    action = here.url(f"/hiring/{candidate['opening']}/move")
    moved = dragged(here, action, candidate=candidate["id"])
    return el("div", link(candidate["name"], here.url(place)), moved, class_="card",
              draggable="true", data_card=candidate["id"])  # fmt: skip


@PEOPLE.get("/hiring/{key}/list")
def candidates(here: Here, key: str) -> str:
    found = one(here.state, "openings", key)
    here.note(f"candidates:{key}")
    listing = Listing(
        columns=(
            Column("Name", lambda c: link(c["name"], here.url(f"/hiring/candidates/{c['id']}"))),
            Column("Applied", lambda c: here.look.date(c["applied"])),
            Column("Score", lambda c: c["score"]),
            Column("Stage", lambda c: badge(c["stage"])),
        ),
        words=lambda c: f"{c['name']} {c['email']}",
        sorts=(
            Sort("Name", lambda c: c["name"]),
            Sort("Score", lambda c: (c["score"], c["id"]), descending=True),
            Sort("Applied", lambda c: (c["applied"], c["id"])),
        ),
        filters=(Filter("stage", "Stage", STAGES, lambda c: c["stage"]),),
    )
    mine = [c for c in here.state["candidates"] if c["opening"] == key]
    return page(
        here, "Candidates", el("p", link("Board", here.url(f"/hiring/{key}"))),
        listing.show(here, mine), heading=f"Candidates: {_opening_name(found)}",
    )  # fmt: skip


@PEOPLE.get("/hiring/candidates/{key}")
def candidate(here: Here, key: str) -> str:
    found = one(here.state, "candidates", key)
    here.note(f"candidate:{key}")
    job = one(here.state, "openings", found["opening"])
    return page(
        here, "Candidate",
        details(
            ("Opening", link(_opening_name(job), here.url(f"/hiring/{job['id']}"))),
            ("E-mail", found["email"]), ("Applied", here.look.date(found["applied"])),
            ("Score", found["score"]), ("Now in", found["stage"]),
        ),
        form(here, "move", (Field("to", "Stage", "choice", found["stage"], STAGES),),
             "Move candidate"),
        heading=found["name"],
    )  # fmt: skip


@PEOPLE.post("/hiring/candidates/{key}/move")
def candidate_move(here: Here, key: str) -> Redirect:
    return _moved(here, key, f"/hiring/candidates/{key}")


@PEOPLE.post("/hiring/{key}/move")
def card_move(here: Here, key: str) -> Redirect:
    return _moved(here, here.form.get("candidate", ""), f"/hiring/{key}")


def _moved(here: Here, key: str, place: str) -> Redirect:
    stage = here.form.get("to", "")
    rules.move_candidate(here.state, key, stage)
    name = one(here.state, "candidates", key)["name"]
    return here.to(place, f"{name} is in {stage} now")
