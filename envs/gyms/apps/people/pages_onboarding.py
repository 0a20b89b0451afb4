"""The pages of newcomers' check lists.

Saving a list sets all of its tasks: those that are not ticked are open again.
"""

from __future__ import annotations

from envs.gyms.apps.people import rules_hiring
from envs.gyms.apps.people.page_parts import get_person_of, link_person
from envs.gyms.kit.html import Field, details, form, link
from envs.gyms.kit.listing import Column, Listing, Sort
from envs.gyms.kit.page_frame import render_page
from envs.gyms.kit.page_group import PageGroup
from envs.gyms.kit.records import get_record
from envs.gyms.kit.request import Redirect, RequestContext

PAGES = PageGroup()


@PAGES.get("/onboarding")
def show_onboarding(request: RequestContext) -> str:
    """GET: all check lists."""
    request.log_event("onboarding")
    listing = Listing(
        columns=(
            Column(
                "Person",
                lambda b: link(
                    get_person_of(request, b)["name"], request.url(f"/onboarding/{b['id']}")
                ),
            ),
            Column("Department", lambda b: get_person_of(request, b)["department"]),
            Column("Due", lambda b: request.locale.format_date(b["due"])),
            Column("Done", lambda b: f"{sum(t['done'] for t in b['tasks'])} of {len(b['tasks'])}"),
        ),
        searchable_text=lambda b: get_person_of(request, b)["name"],
        sorts=(
            Sort("Due first", lambda b: (b["due"], b["id"])),
            Sort("Person", lambda b: get_person_of(request, b)["name"]),
        ),
    )
    return render_page(request, "Onboarding", listing.render(request, request.state["onboarding"]))


@PAGES.get("/onboarding/{key}")
def show_check_list(request: RequestContext, key: str) -> str:
    """GET: one check list."""
    check_list = get_record(request.state, "onboarding", key)
    request.log_event(f"onboarding:{key}")
    fields = [
        Field(task["id"], task["text"], kind="check", value="yes" if task["done"] else "")
        for task in check_list["tasks"]
    ]
    person = get_person_of(request, check_list)
    return render_page(
        request,
        "Check list",
        details(
            ("Person", link_person(request, person)),
            ("Due", request.locale.format_date(check_list["due"])),
        ),
        form(request, "save", fields, "Save list", "/onboarding"),
        heading=f"Check list of {person['name']}",
    )


@PAGES.post("/onboarding/{key}/save")
def save_check_list(request: RequestContext, key: str) -> Redirect:
    """POST: sets which tasks are done."""
    rules_hiring.set_done_tasks(
        request.state, key, {name for name, value in request.form.items() if value == "yes"}
    )
    return request.redirect_to(f"/onboarding/{key}", "Check list saved")
