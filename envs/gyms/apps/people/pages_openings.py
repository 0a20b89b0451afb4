"""The pages of openings and candidates: a board for each opening, lists, one candidate.

A card on the board and a candidate's own page move the candidate by the same rule.
"""

from __future__ import annotations

from markupsafe import Markup

from envs.gyms.apps.people import rules_hiring
from envs.gyms.apps.people.vocabulary import STAGES
from envs.gyms.kit.html import Field, badge, details, drag_form, el, form, link
from envs.gyms.kit.listing import Column, Filter, Item, Listing, Sort
from envs.gyms.kit.names import DEPARTMENTS
from envs.gyms.kit.page_frame import render_page
from envs.gyms.kit.page_group import PageGroup
from envs.gyms.kit.records import get_record
from envs.gyms.kit.request import Redirect, RequestContext

PAGES = PageGroup()


def _opening_name(opening: Item) -> str:
    return f"{opening['title']}, {opening['city']}"


@PAGES.get("/hiring")
def show_openings(request: RequestContext) -> str:
    """GET: all openings."""
    request.log_event("hiring")
    count = {
        opening["id"]: sum(c["opening"] == opening["id"] for c in request.state["candidates"])
        for opening in request.state["openings"]
    }
    listing = Listing(
        columns=(
            Column("Opening", lambda o: link(_opening_name(o), request.url(f"/hiring/{o['id']}"))),
            Column("Department", lambda o: o["department"]),
            Column("Candidates", lambda o: count[o["id"]]),
            Column("", lambda o: badge("Open" if o["open"] else "Closed")),
        ),
        searchable_text=_opening_name,
        sorts=(Sort("Opening", _opening_name), Sort("Department", lambda o: o["department"])),
        filters=(
            Filter(
                "department",
                "Department",
                options=DEPARTMENTS,
                get_option=lambda o: o["department"],
            ),
        ),
    )
    new = el("p", link("Hire somebody", request.url("/hire")))
    return render_page(request, "Hiring", new, listing.render(request, request.state["openings"]))


@PAGES.get("/hiring/{key}")
def show_opening(request: RequestContext, key: str) -> str:
    """GET: the board of one opening."""
    opening = get_record(request.state, "openings", key)
    request.log_event(f"opening:{key}")
    candidates = [c for c in request.state["candidates"] if c["opening"] == key]
    columns = [
        el(
            "div",
            el("h2", link(stage, request.url(f"/hiring/{key}/list?stage={stage}"))),
            [_render_card(request, c) for c in candidates if c["stage"] == stage],
            class_="column",
            data_drop=stage,
        )
        for stage in STAGES
    ]
    return render_page(
        request,
        "Opening",
        details(
            ("Department", opening["department"]),
            ("State", "Open" if opening["open"] else "Closed"),
            ("Candidates", len(candidates)),
        ),
        el(
            "p",
            link("All candidates", request.url(f"/hiring/{key}/list")),
            " Drag a card to move a candidate.",
        ),
        el("div", columns, class_="columns"),
        heading=_opening_name(opening),
    )


def _render_card(request: RequestContext, candidate: Item) -> Markup:
    place = f"/hiring/candidates/{candidate['id']}"
    action = request.url(f"/hiring/{candidate['opening']}/move")
    moved = drag_form(request, action, candidate=candidate["id"])
    return el(
        "div",
        link(candidate["name"], request.url(place)),
        moved,
        class_="card",
        draggable="true",
        data_card=candidate["id"],
    )


@PAGES.get("/hiring/{key}/list")
def show_candidates(request: RequestContext, key: str) -> str:
    """GET: the candidates of one opening as a list."""
    opening = get_record(request.state, "openings", key)
    request.log_event(f"candidates:{key}")
    listing = Listing(
        columns=(
            Column("Name", lambda c: link(c["name"], request.url(f"/hiring/candidates/{c['id']}"))),
            Column("Applied", lambda c: request.locale.format_date(c["applied"])),
            Column("Score", lambda c: c["score"]),
            Column("Stage", lambda c: badge(c["stage"])),
        ),
        searchable_text=lambda c: f"{c['name']} {c['email']}",
        sorts=(
            Sort("Name", lambda c: c["name"]),
            Sort("Score", lambda c: (c["score"], c["id"]), descending=True),
            Sort("Applied", lambda c: (c["applied"], c["id"])),
        ),
        filters=(Filter("stage", "Stage", options=STAGES, get_option=lambda c: c["stage"]),),
    )
    candidates = [c for c in request.state["candidates"] if c["opening"] == key]
    return render_page(
        request,
        "Candidates",
        el("p", link("Board", request.url(f"/hiring/{key}"))),
        listing.render(request, candidates),
        heading=f"Candidates: {_opening_name(opening)}",
    )


@PAGES.get("/hiring/candidates/{key}")
def show_candidate(request: RequestContext, key: str) -> str:
    """GET: one candidate."""
    candidate = get_record(request.state, "candidates", key)
    request.log_event(f"candidate:{key}")
    opening = get_record(request.state, "openings", candidate["opening"])
    return render_page(
        request,
        "Candidate",
        details(
            ("Opening", link(_opening_name(opening), request.url(f"/hiring/{opening['id']}"))),
            ("E-mail", candidate["email"]),
            ("Applied", request.locale.format_date(candidate["applied"])),
            ("Score", candidate["score"]),
            ("Now in", candidate["stage"]),
        ),
        form(
            request,
            "move",
            (Field("to", "Stage", kind="choice", value=candidate["stage"], options=STAGES),),
            "Move candidate",
        ),
        heading=candidate["name"],
    )


@PAGES.post("/hiring/candidates/{key}/move")
def move_candidate(request: RequestContext, key: str) -> Redirect:
    """POST: a candidate's own page moves the candidate."""
    return _move_candidate(request, key, f"/hiring/candidates/{key}")


@PAGES.post("/hiring/{key}/move")
def move_card(request: RequestContext, key: str) -> Redirect:
    """POST: a card was dragged to another stage."""
    return _move_candidate(request, request.form.get("candidate", ""), f"/hiring/{key}")


def _move_candidate(request: RequestContext, key: str, place: str) -> Redirect:
    stage = request.form.get("to", "")
    rules_hiring.move_candidate(request.state, key, stage)
    name = get_record(request.state, "candidates", key)["name"]
    return request.redirect_to(place, f"{name} is in {stage} now")
