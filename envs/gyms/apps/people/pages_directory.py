"""The overview, the directory of people, the departments."""

from __future__ import annotations

from envs.gyms.apps.people.page_parts import link_person
from envs.gyms.apps.people.vocabulary import PENDING, SUBMITTED
from envs.gyms.kit.html import details, el, join, link, section
from envs.gyms.kit.listing import Column, Filter, Listing, Sort
from envs.gyms.kit.names import CITIES, DEPARTMENTS
from envs.gyms.kit.page_frame import render_page
from envs.gyms.kit.page_group import PageGroup
from envs.gyms.kit.request import RequestContext
from envs.gyms.server.gym import NotFound

PAGES = PageGroup()


@PAGES.get("/")
def show_overview(request: RequestContext) -> str:
    """GET: open decisions and pinned announcements."""
    state = request.state
    waiting = sum(leave["status"] == PENDING for leave in state["leave"])
    reports = sum(report["status"] == SUBMITTED for report in state["reports"])
    pinned = [item for item in state["announcements"] if item["pinned"]]
    return render_page(
        request,
        "Overview",
        details(
            ("Today", request.locale.format_date(request.world.today)),
            ("People", len(state["staff"])),
            ("Leave requests to decide on", waiting),
            ("Expense reports to check", reports),
        ),
        section(
            "Pinned",
            join(
                el("p", link(item["title"], request.url(f"/announcements/{item['id']}")))
                for item in pinned
            )
            if pinned
            else el("p", "Nothing is pinned"),
        ),
        section("Start here", el("p", link("Hire somebody", request.url("/hire")))),
    )


def _make_directory(request: RequestContext) -> Listing:
    return Listing(
        columns=(
            Column("Name", lambda p: link_person(request, p)),
            Column("Title", lambda p: p["title"]),
            Column("Department", lambda p: p["department"]),
            Column("City", lambda p: p["city"]),
        ),
        searchable_text=lambda p: f"{p['name']} {p['title']}",
        sorts=(
            Sort("Name", lambda p: p["name"]),
            Sort("Title", lambda p: (p["title"], p["name"])),
            Sort("Newest", lambda p: (p["hired"], p["id"]), descending=True),
        ),
        filters=(
            Filter(
                "department",
                "Department",
                options=DEPARTMENTS,
                get_option=lambda p: p["department"],
            ),
            Filter("city", "City", options=CITIES, get_option=lambda p: p["city"]),
        ),
        empty="Nobody. Try another search",
    )


@PAGES.get("/staff")
def show_directory(request: RequestContext) -> str:
    """GET: all people."""
    request.log_event("staff")
    return render_page(
        request, "Directory", _make_directory(request).render(request, request.state["staff"])
    )


@PAGES.get("/departments")
def show_departments(request: RequestContext) -> str:
    """GET: all departments with their heads."""
    request.log_event("departments")
    people = request.state["staff"]
    rows = []
    for name in DEPARTMENTS:
        members = [p for p in people if p["department"] == name]
        head = next(p for p in members if p["manager"] is None)
        rows.append(
            el(
                "tr",
                el("td", link(name, request.url(f"/departments/{name}"))),
                el("td", link_person(request, head)),
                el("td", len(members)),
            )
        )
    titles = el("tr", [el("th", title) for title in ("Department", "Head", "People")])
    return render_page(request, "Departments", el("table", titles, rows))


@PAGES.get("/departments/{name}")
def show_department(request: RequestContext, name: str) -> str:
    """GET: the people of one department."""
    members = [p for p in request.state["staff"] if p["department"] == name]
    head = next((p for p in members if p["manager"] is None), None)
    if head is None:
        raise NotFound(f"There is no department {name[:20]}")
    request.log_event(f"department:{name}")
    return render_page(
        request,
        "Department",
        details(("Head", link_person(request, head)), ("People", len(members))),
        section(
            "Reports to the head",
            _make_directory(request).render(request, [p for p in members if p is not head]),
        ),
        heading=name,
    )
