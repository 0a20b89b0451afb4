"""The portal's site tools, and its pages of people, departments and leave."""

from __future__ import annotations

import random
from typing import Any

from markupsafe import Markup

from envs.gyms.gym import NotFound, Refused, State
from envs.gyms.kit.frame import page
from envs.gyms.kit.here import App, Here
from envs.gyms.kit.html import (
    Field,
    badge,
    button,
    confirm,
    details,
    el,
    form,
    join,
    link,
    menu,
    section,
)
from envs.gyms.kit.listing import Column, Filter, Item, Listing, Sort
from envs.gyms.kit.names import CITIES, DEPARTMENTS
from envs.gyms.kit.records import one
from envs.gyms.kit.site_tools import Tools, site_tool
from envs.gyms.pages import Redirect
from envs.gyms.people import rules
from envs.gyms.people.data import (
    APPROVED,
    BANDS,
    CONTRACTS,
    LEAVE_STATUSES,
    LEAVE_TYPES,
    PENDING,
    REJECTED,
    SUBMITTED,
    fresh,
)

CONTACT = ("email", "phone", "street", "postal", "city", "kin", "kin_phone")


def _stray(state: State, rng: random.Random) -> None:
    item = rng.choice(state["announcements"][:10])
    item["pinned"] = not item["pinned"]


@site_tool("people.find")
def find_people(here: Tools, text: str, department: str | None = None) -> list[dict[str, Any]]:
    """People whose name or title contains the text, at most 20: id, name, title, department, city,
    email, phone, hired (ISO date)."""
    keys = ("id", "name", "title", "department", "city", "email", "phone", "hired")
    return [
        {key: person[key] for key in keys}
        for person in here.state["staff"]
        if text.lower() in f"{person['name']} {person['title']}".lower()
        and department in (None, person["department"])
    ][:20]


@site_tool("people.leave_of")
def leave_of(here: Tools, person: str) -> list[dict[str, Any]]:
    """Leave requests of a person by id: number, type, from and to (ISO dates), halves (half
    days), status."""
    keys = ("number", "type", "from", "to", "halves", "status")
    mine = [leave for leave in here.state["leave"] if leave["person"] == person]
    return [{key: leave[key] for key in keys} for leave in mine]


@site_tool("people.approve_leave")
def approve_leave(here: Tools, number: str) -> str:
    """Approves a pending leave request by its number."""
    rules.decide_leave(here.state, _by_number(here.state, number), APPROVED)
    return f"approved {number}"


@site_tool("people.create_leave")
def create_leave(
    here: Tools, person: str, kind: str, first: str, last: str, half: bool = False
) -> str:
    """Requests leave for a person by id. kind: Vacation, Sick leave, Training or Unpaid leave;
    first and last: ISO dates; half: the last day is a half day."""
    days = [here.look.read_date(day) for day in (first, last)]
    if days[0] is None or days[1] is None:
        raise Refused("first and last must be ISO dates")
    made = rules.request_leave(here.state, person, kind, days[0], days[1], half)
    return f"requested as {made['number']}"


@site_tool("people.update_contact")
def update_contact(here: Tools, person: str, fields: dict[str, str]) -> str:
    """Changes a person's contact data by id. fields: any of email, phone, street, postal, city,
    kin (emergency contact), kin_phone."""
    if stranger := sorted(set(fields) - set(CONTACT)):
        raise Refused(f"there is no field {stranger[0][:20]!r}")
    found = one(here.state, "staff", person)
    rules.edit_contact(here.state, person, {key: found[key] for key in CONTACT} | fields)
    return f"changed {found['name']}"


@site_tool("people.grant_role")
def grant_role(here: Tools, person: str, role: str) -> str:
    """Grants a role to a person by id."""
    rules.grant(here.state, person, role)
    return f"granted {role}"


@site_tool("people.revoke_role")
def revoke_role(here: Tools, person: str, role: str) -> str:
    """Takes a role from a person by id."""
    rules.revoke(here.state, person, role)
    return f"revoked {role}"


def _by_number(state: State, number: str) -> str:
    for leave in state["leave"]:
        if leave["number"] == number:
            return str(leave["id"])
    raise Refused(f"there is no leave request {number[:20]!r}")


PEOPLE = App(
    "people",
    "People",
    (("Overview", "/"), ("Directory", "/staff"), ("Departments", "/departments"),
     ("Leave", "/leave"), ("Expenses", "/expenses"), ("Hiring", "/hiring"),
     ("Onboarding", "/onboarding"), ("Announcements", "/announcements"), ("Access", "/access")),
    fresh,
    _stray,
    (find_people, leave_of, approve_leave, create_leave, update_contact, grant_role, revoke_role),
)  # fmt: skip


def person_of(here: Here, item: Item) -> Item:
    return one(here.state, "staff", item["person"])


def person_link(here: Here, person: Item) -> Markup:
    return link(person["name"], here.url(f"/staff/{person['id']}"))


def people_options(here: Here) -> list[tuple[str, str]]:
    return sorted(((p["id"], p["name"]) for p in here.state["staff"]), key=lambda pair: pair[1])


@PEOPLE.get("/")
def overview(here: Here) -> str:
    state = here.state
    waiting = sum(leave["status"] == PENDING for leave in state["leave"])
    reports = sum(report["status"] == SUBMITTED for report in state["reports"])
    pinned = [item for item in state["announcements"] if item["pinned"]]
    return page(
        here, "Overview",
        details(("Today", here.look.date(here.world.today)), ("People", len(state["staff"])),
                ("Leave requests to decide on", waiting), ("Expense reports to check", reports)),
        section("Pinned", join(
            el("p", link(item["title"], here.url(f"/announcements/{item['id']}")))
            for item in pinned
        ) if pinned else el("p", "Nothing is pinned")),
        section("Start here", el("p", link("Hire somebody", here.url("/hire")))),
    )  # fmt: skip


def _directory(here: Here) -> Listing:
    return Listing(
        columns=(
            Column("Name", lambda p: person_link(here, p)),
            Column("Title", lambda p: p["title"]),
            Column("Department", lambda p: p["department"]),
            Column("City", lambda p: p["city"]),
        ),
        words=lambda p: f"{p['name']} {p['title']}",
        sorts=(
            Sort("Name", lambda p: p["name"]),
            Sort("Title", lambda p: (p["title"], p["name"])),
            Sort("Newest", lambda p: (p["hired"], p["id"]), descending=True),
        ),
        filters=(
            Filter("department", "Department", DEPARTMENTS, lambda p: p["department"]),
            Filter("city", "City", CITIES, lambda p: p["city"]),
        ),
        empty="Nobody. Try another search",
    )


@PEOPLE.get("/staff")
def staff(here: Here) -> str:
    here.note("staff")
    return page(here, "Directory", _directory(here).show(here, here.state["staff"]))


@PEOPLE.get("/staff/{key}")
def person(here: Here, key: str) -> str:
    found = one(here.state, "staff", key)
    here.note(f"person:{key}")
    boss = found["manager"] and one(here.state, "staff", found["manager"])
    place, name = f"/staff/{key}", found["name"]
    return page(
        here, "Person",
        details(
            ("Title", found["title"]), ("Department", found["department"]),
            ("Manager", person_link(here, boss) if boss else "Nobody"),
            ("Hired", here.look.date(found["hired"])),
            ("Vacation left", f"{rules.days_of(rules.left_of(here.state, key))} days"),
            ("E-mail", found["email"]), ("Phone", found["phone"]),
            ("Street", found["street"]), ("Postal code", found["postal"]), ("City", found["city"]),
            ("Emergency contact", found["kin"]), ("Emergency phone", found["kin_phone"]),
        ),
        el(
            "div", link("Edit contact data", here.url(f"{place}/edit")),
            link("Pay and contract", here.url(f"{place}/pay")),
            link("Request leave", here.url(f"{place}/leave")),
            menu("More", el("p", link("Roles", here.url(f"/access/{key}"))),
                 el("p", link("Leave requests", here.url(f"/leave?q={name.replace(' ', '+')}"))),
                 el("p", link("Expense reports",
                              here.url(f"/expenses?q={name.replace(' ', '+')}")))),
            class_="row",
        ),
        heading=name,
    )  # fmt: skip


@PEOPLE.get("/staff/{key}/edit")
def contact_edit(here: Here, key: str) -> str:
    found = one(here.state, "staff", key)
    fields = (
        Field("email", "E-mail", value=found["email"]),
        Field("phone", "Phone", value=found["phone"], hint="with country code"),
        Field("street", "Street", value=found["street"]),
        Field("postal", "Postal code", value=found["postal"], hint="five digits"),
        Field("city", "City", "choice", found["city"], CITIES),
        Field("kin", "Emergency contact", value=found["kin"]),
        Field("kin_phone", "Emergency phone", value=found["kin_phone"]),
    )
    return page(
        here, "Edit contact data", form(here, "save", fields, "Save contact data", f"/staff/{key}"),
        heading=f"Contact data of {found['name']}",
    )  # fmt: skip


@PEOPLE.post("/staff/{key}/edit/save")
def contact_save(here: Here, key: str) -> Redirect:
    labels = ("E-mail", "Phone", "Street", "Postal code", "City", "Emergency contact",
              "Emergency phone")  # fmt: skip
    pairs = zip(CONTACT, labels, strict=True)
    rules.edit_contact(here.state, key, {name: here.required(name, text) for name, text in pairs})
    return here.to(f"/staff/{key}", "Contact data saved")


@PEOPLE.get("/staff/{key}/pay")
def pay(here: Here, key: str) -> str:
    found = one(here.state, "staff", key)
    here.note(f"pay:{key}")
    low, high = BANDS[found["band"]]
    money = here.look.money
    return page(
        here, "Pay and contract",
        details(
            ("Contract", found["contract"]), ("Weekly hours", found["hours"]),
            ("Band", found["band"]), ("Band minimum", money(low)), ("Band maximum", money(high)),
            ("Salary", money(found["salary"])), ("Account", found["account"] or "None yet"),
            ("Vacation a year", f"{found['allowance']} days"),
        ),
        el("div", link("Edit pay", here.url(f"/staff/{key}/pay/edit")),
           link("Back to the person", here.url(f"/staff/{key}")), class_="row"),
        heading=f"Pay of {found['name']}",
    )  # fmt: skip


@PEOPLE.get("/staff/{key}/pay/edit")
def pay_edit(here: Here, key: str) -> str:
    found = one(here.state, "staff", key)
    fields = (
        Field("contract", "Contract", "choice", found["contract"], CONTRACTS),
        Field("band", "Band", "choice", found["band"], tuple(BANDS)),
        Field("salary", "Salary", "money", here.look.money(found["salary"]), hint="a year"),
        Field("account", "Account", value=found["account"], hint="XC and 14 digits"),
    )
    return page(
        here, "Edit pay", form(here, "save", fields, "Save pay", f"/staff/{key}/pay"),
        heading=f"Edit pay of {found['name']}",
    )  # fmt: skip


@PEOPLE.post("/staff/{key}/pay/edit/save")
def pay_save(here: Here, key: str) -> Redirect:
    values = {
        "account": here.required("account", "Account"), "salary": here.cents("salary", "Salary"),
        "band": here.choice("band", "Band", list(BANDS)),
        "contract": here.form.get("contract", ""),
    }  # fmt: skip
    rules.edit_pay(here.state, key, values)
    return here.to(f"/staff/{key}/pay", "Pay saved")


@PEOPLE.get("/departments")
def departments(here: Here) -> str:
    here.note("departments")
    people = here.state["staff"]
    rows = []
    for name in DEPARTMENTS:
        mine = [p for p in people if p["department"] == name]
        head = next(p for p in mine if p["manager"] is None)
        rows.append(
            el("tr", el("td", link(name, here.url(f"/departments/{name}"))),
               el("td", person_link(here, head)), el("td", len(mine)))
        )  # fmt: skip
    titles = el("tr", [el("th", title) for title in ("Department", "Head", "People")])
    return page(here, "Departments", el("table", titles, rows))


@PEOPLE.get("/departments/{name}")
def department(here: Here, name: str) -> str:
    members = [p for p in here.state["staff"] if p["department"] == name]
    head = next((p for p in members if p["manager"] is None), None)
    if head is None:
        raise NotFound(f"There is no department {name[:20]}")
    here.note(f"department:{name}")
    return page(
        here, "Department", details(("Head", person_link(here, head)), ("People", len(members))),
        section("Reports to the head",
                _directory(here).show(here, [p for p in members if p is not head])),
        heading=name,
    )  # fmt: skip


# Leave.


def _requests(here: Here) -> Listing:
    return Listing(
        columns=(
            Column("Number", lambda x: link(x["number"], here.url(f"/leave/{x['id']}"))),
            Column("Person", lambda x: person_of(here, x)["name"]),
            Column("Type", lambda x: x["type"]),
            Column("From", lambda x: here.look.date(x["from"])),
            Column("To", lambda x: here.look.date(x["to"])),
            Column("Days", lambda x: rules.days_of(x["halves"])),
            Column("Status", lambda x: badge(x["status"])),
        ),
        words=lambda x: f"{x['number']} {person_of(here, x)['name']}",
        sorts=(
            Sort("Newest", lambda x: x["number"], descending=True),
            Sort("Begins first", lambda x: (x["from"], x["number"])),
            Sort("Longest", lambda x: (x["halves"], x["number"]), descending=True),
        ),
        filters=(
            Filter("status", "Status", LEAVE_STATUSES, lambda x: x["status"]),
            Filter("type", "Type", LEAVE_TYPES, lambda x: x["type"]),
            Filter("of", "Department", DEPARTMENTS, lambda x: person_of(here, x)["department"]),
        ),
        empty="No leave requests. Try another search",
    )


@PEOPLE.get("/leave")
def leave_list(here: Here) -> str:
    here.note("leave")
    return page(here, "Leave", _requests(here).show(here, here.state["leave"]))


@PEOPLE.get("/staff/{key}/leave")
def leave_new(here: Here, key: str) -> str:
    found = one(here.state, "staff", key)
    here.note(f"request:{key}")
    fields = (
        Field("type", "Type", "choice", options=LEAVE_TYPES),
        Field("from", "First day", "date"),
        Field("to", "Last day", "date"),
        Field("half", "The last day is a half day", "check"),
    )
    left = rules.days_of(rules.left_of(here.state, key))
    return page(
        here, "Request leave", details(("Vacation left", f"{left} days")),
        form(here, "create", fields, "Request leave", f"/staff/{key}"),
        heading=f"Leave for {found['name']}",
    )  # fmt: skip


@PEOPLE.post("/staff/{key}/leave/create")
def leave_create(here: Here, key: str) -> Redirect:
    made = rules.request_leave(
        here.state, key, here.form.get("type", ""), here.day("from", "First day"),
        here.day("to", "Last day"), here.form.get("half") == "yes",
    )  # fmt: skip
    return here.to(f"/leave/{made['id']}", f"{made['number']} waits for a decision")


@PEOPLE.get("/leave/{key}")
def leave(here: Here, key: str) -> str:
    found = one(here.state, "leave", key)
    here.note(f"leave:{key}")
    asker, day = person_of(here, found), here.look.date
    left = rules.days_of(rules.left_of(here.state, asker["id"]))
    actions = []
    if found["status"] == PENDING:
        actions += [button(here, "approve", "Approve leave"),
                    link("Reject leave", here.url(f"/leave/{key}/reject"))]  # fmt: skip
    cancel = confirm(
        here, "cancel", "Cancel leave", f"{asker['name']} will not be away in these days."
    )
    return page(
        here, "Leave request",
        details(
            ("Person", person_link(here, asker)), ("Department", asker["department"]),
            ("Type", found["type"]), ("Status", found["status"]), ("First day", day(found["from"])),
            ("Last day", day(found["to"])), ("Days", rules.days_of(found["halves"])),
            ("Vacation left", f"{left} days"), ("Reason", found["reason"] or "None"),
        ),
        el("div", actions, menu("More", cancel), class_="row"),
        heading=f"Leave request {found['number']}",
    )  # fmt: skip


@PEOPLE.post("/leave/{key}/approve")
def leave_approve(here: Here, key: str) -> Redirect:
    rules.decide_leave(here.state, key, APPROVED)
    return here.to(f"/leave/{key}", "Leave approved")


@PEOPLE.get("/leave/{key}/reject")
def leave_reject(here: Here, key: str) -> str:
    found = one(here.state, "leave", key)
    fields = (Field("reason", "Reason", hint=f"{person_of(here, found)['name']} will read it"),)
    return page(
        here, "Reject leave", form(here, "reject", fields, "Reject request", f"/leave/{key}"),
        heading=f"Reject {found['number']}",
    )  # fmt: skip


@PEOPLE.post("/leave/{key}/reject/reject")
def leave_rejected(here: Here, key: str) -> Redirect:
    rules.decide_leave(here.state, key, REJECTED, here.required("reason", "Reason"))
    return here.to(f"/leave/{key}", "Leave rejected")


@PEOPLE.post("/leave/{key}/cancel")
def leave_cancel(here: Here, key: str) -> Redirect:
    rules.cancel_leave(here.state, key, here.world.today)
    return here.to(f"/leave/{key}", "Leave cancelled")
