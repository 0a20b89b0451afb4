"""The pages that hire somebody: three forms and a review.

What was filled in is kept as a draft until it is submitted or discarded.
"""

from __future__ import annotations

from envs.gyms.apps.people import rules_hiring
from envs.gyms.apps.people.vocabulary import BANDS, CONTRACTS, LAPTOPS, PHONES
from envs.gyms.kit.html import (
    Field,
    button,
    confirm_button,
    details,
    el,
    form,
    join,
    link,
    menu,
    note,
    section,
)
from envs.gyms.kit.listing import Item
from envs.gyms.kit.names import CITIES, DEPARTMENTS
from envs.gyms.kit.page_frame import render_page
from envs.gyms.kit.page_group import PageGroup
from envs.gyms.kit.request import Redirect, RequestContext

PAGES = PageGroup()

PAGE_TITLES = {"person": "Person", "contract": "Contract", "equipment": "Equipment"}


@PAGES.get("/hire")
def show_hire(request: RequestContext) -> str:
    """GET: how far the draft is."""
    request.log_event("hire")
    draft = request.state["hire"]
    started = any(draft.values())
    lines = [
        (title, "Filled in" if draft[part] else "Empty") for part, title in PAGE_TITLES.items()
    ]
    first = next((part for part in PAGE_TITLES if not draft[part]), "review")
    go = link("Continue the draft" if started else "Begin", request.url(f"/hire/{first}"))
    drop = confirm_button(request, "discard", "Discard draft", "What was filled in is lost.")
    return render_page(
        request,
        "Hire somebody",
        details(*lines),
        el("div", go, menu("More", drop) if started else None, class_="row"),
    )


@PAGES.post("/hire/discard")
def discard_draft(request: RequestContext) -> Redirect:
    """POST: discards the draft."""
    rules_hiring.discard_draft(request.state)
    return request.redirect_to("/hire", "Draft discarded")


def _render_draft_page(request: RequestContext, part: str, fields: tuple[Field, ...]) -> str:
    request.log_event(f"hire-{part}")
    number = list(PAGE_TITLES).index(part) + 1
    return render_page(
        request,
        f"Hire somebody: {PAGE_TITLES[part]}",
        note(f"Page {number} of 3"),
        form(request, "next", fields, "Next", "/hire"),
    )


def _get_draft_page(request: RequestContext, part: str) -> Item:
    values: Item = request.state["hire"][part] or {}
    return values


@PAGES.get("/hire/person")
def show_person_form(request: RequestContext) -> str:
    """GET: the first page of the draft."""
    values = _get_draft_page(request, "person")
    fields = (
        Field("first", "First name", value=values.get("first", "")),
        Field("last", "Last name", value=values.get("last", "")),
        Field("email", "E-mail", value=values.get("email", "")),
        Field("phone", "Phone", value=values.get("phone", ""), hint="with country code"),
        Field("city", "City", kind="choice", value=values.get("city", CITIES[0]), options=CITIES),
    )
    return _render_draft_page(request, "person", fields)


@PAGES.post("/hire/person/next")
def save_person(request: RequestContext) -> Redirect:
    """POST: keeps the first page."""
    labels = {
        "first": "First name",
        "last": "Last name",
        "email": "E-mail",
        "phone": "Phone",
        "city": "City",
    }
    values = {name: request.get_text(name, text) for name, text in labels.items()}
    rules_hiring.save_draft_page(request.state, "person", values, request.world.today)
    return request.redirect_to("/hire/contract")


@PAGES.get("/hire/contract")
def show_contract_form(request: RequestContext) -> str:
    """GET: the second page of the draft."""
    values = _get_draft_page(request, "contract")
    locale = request.locale
    fields = (
        Field("title", "Title", value=values.get("title", "")),
        Field(
            "department",
            "Department",
            kind="choice",
            value=values.get("department", ""),
            options=DEPARTMENTS,
        ),
        Field(
            "start",
            "First day",
            kind="date",
            value=locale.format_date(values["start"]) if values else "",
        ),
        Field(
            "contract",
            "Contract",
            kind="choice",
            value=values.get("contract", ""),
            options=CONTRACTS,
        ),
        Field("band", "Band", kind="choice", value=values.get("band", ""), options=tuple(BANDS)),
        Field(
            "salary",
            "Salary",
            kind="money",
            value=locale.format_money(values["salary"]) if values else "",
            hint="a year",
        ),
    )
    return _render_draft_page(request, "contract", fields)


@PAGES.post("/hire/contract/next")
def save_contract(request: RequestContext) -> Redirect:
    """POST: keeps the second page."""
    values = {
        "title": request.get_text("title", "Title"),
        "start": request.get_date("start", "First day"),
        "department": request.form.get("department", ""),
        "contract": request.form.get("contract", ""),
        "band": request.form.get("band", ""),
        "salary": request.get_cents("salary", "Salary"),
    }
    rules_hiring.save_draft_page(request.state, "contract", values, request.world.today)
    return request.redirect_to("/hire/equipment")


@PAGES.get("/hire/equipment")
def show_equipment_form(request: RequestContext) -> str:
    """GET: the third page of the draft."""
    values = _get_draft_page(request, "equipment")
    fields = (
        Field(
            "laptop",
            "Laptop",
            kind="choice",
            value=values.get("laptop", LAPTOPS[0]),
            options=LAPTOPS,
        ),
        Field(
            "phone",
            "Mobile phone",
            kind="choice",
            value=values.get("phone", PHONES[0]),
            options=PHONES,
        ),
        Field("card", "Building pass", kind="check", value="yes" if values.get("card") else ""),
    )
    return _render_draft_page(request, "equipment", fields)


@PAGES.post("/hire/equipment/next")
def save_equipment(request: RequestContext) -> Redirect:
    """POST: keeps the third page."""
    values = {
        "laptop": request.form.get("laptop", ""),
        "phone": request.form.get("phone", ""),
        "card": request.form.get("card") == "yes",
    }
    rules_hiring.save_draft_page(request.state, "equipment", values, request.world.today)
    return request.redirect_to("/hire/review")


@PAGES.get("/hire/review")
def show_review(request: RequestContext) -> str:
    """GET: all three pages, before they are submitted."""
    request.log_event("hire-review")
    locale, sections = request.locale, []
    for part, title in PAGE_TITLES.items():
        values = request.state["hire"][part]
        lines = [
            (
                name.capitalize(),
                locale.format_money(value)
                if name == "salary"
                else locale.format_date(value)
                if name == "start"
                else ("Yes" if value else "No")
                if name == "card"
                else value,
            )
            for name, value in (values or {}).items()
        ]
        change = el("p", link(f"Change {title.lower()}", request.url(f"/hire/{part}")))
        sections.append(section(title, details(*lines) if values else note("Empty"), change))
    return render_page(
        request, "Hire somebody: Review", join(sections), button(request, "submit", "Submit hire")
    )


@PAGES.post("/hire/review/submit")
def submit_hire(request: RequestContext) -> Redirect:
    """POST: hires the person of the draft."""
    person = rules_hiring.hire_from_draft(request.state)
    return request.redirect_to(f"/staff/{person['id']}", f"{person['name']} is hired")
