"""The portal's pages of expenses, hiring, onboarding, announcements and roles."""

from __future__ import annotations

from markupsafe import Markup

from envs.gyms.gym import Refused
from envs.gyms.kit.frame import page
from envs.gyms.kit.here import Here
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
    note,
    section,
)
from envs.gyms.kit.listing import Column, Filter, Item, Listing, Sort
from envs.gyms.kit.names import CITIES, DEPARTMENTS
from envs.gyms.pages import Redirect
from envs.gyms.people import rules
from envs.gyms.people.app import PEOPLE, people_options, person_link, person_of
from envs.gyms.people.data import (
    BANDS,
    CATEGORIES,
    CONTRACTS,
    DRAFT,
    LAPTOPS,
    PHONES,
    RECEIPT_FROM,
    REPORT_STATUSES,
    ROLES,
    SENT_BACK,
    STAGES,
    SUBMITTED,
)

AUDIENCES = ("Everybody", *DEPARTMENTS)


# Expenses.


@PEOPLE.get("/expenses")
def reports(here: Here) -> str:
    here.note("expenses")
    listing = Listing(
        columns=(
            Column("Number", lambda x: link(x["number"], here.url(f"/expenses/{x['id']}"))),
            Column("Person", lambda x: person_of(here, x)["name"]),
            Column("Purpose", lambda x: x["purpose"]),
            Column("Date", lambda x: here.look.date(x["date"])),
            Column("Total", lambda x: here.look.money(rules.total_of(x))),
            Column("Status", lambda x: badge(x["status"])),
        ),
        words=lambda x: f"{x['number']} {person_of(here, x)['name']} {x['purpose']}",
        sorts=(
            Sort("Newest", lambda x: (x["date"], x["number"]), descending=True),
            Sort("Oldest", lambda x: (x["date"], x["number"])),
            Sort("Largest", lambda x: (rules.total_of(x), x["number"]), descending=True),
        ),
        filters=(Filter("status", "Status", REPORT_STATUSES, lambda x: x["status"]),),
        empty="No expense reports. Try another search",
    )
    new = el("p", link("New report", here.url("/expenses/new")))
    return page(here, "Expenses", new, listing.show(here, here.state["reports"]))


@PEOPLE.get("/expenses/new")
def report_new(here: Here) -> str:
    fields = (
        Field("person", "Person", "choice", options=people_options(here)),
        Field("purpose", "Purpose"),
    )
    return page(here, "New report", form(here, "create", fields, "Create report", "/expenses"))


@PEOPLE.post("/expenses/new/create")
def report_create(here: Here) -> Redirect:
    person = here.choice("person", "Person", [p["id"] for p in here.state["staff"]])
    purpose = here.required("purpose", "Purpose", 60)
    made = rules.new_report(here.state, person, purpose, here.world.today)
    return here.to(f"/expenses/{made['id']}", f"{made['number']} created")


@PEOPLE.get("/expenses/{key}")
def report(here: Here, key: str) -> str:
    found = rules.one(here.state, "reports", key)
    here.note(f"report:{key}")
    look, place = here.look, f"/expenses/{key}"
    editable = found["status"] in (DRAFT, SENT_BACK)
    rows = [
        el("tr", el("td", x["category"]), el("td", look.date(x["date"])),
           el("td", look.money(x["amount"])), el("td", "Attached" if x["receipt"] else "Missing"),
           el("td", button(here, "remove", "Remove", f"Remove line {number}", line=x["id"])
              if editable else None))
        for number, x in enumerate(found["lines"], 1)
    ]  # fmt: skip
    titles = el("tr", [el("th", t) for t in ("Category", "Date", "Amount", "Receipt", "")])
    actions = []
    if editable:
        actions = [link("Add line", here.url(f"{place}/line")),
                   button(here, "submit", "Submit report")]  # fmt: skip
    if found["status"] == SUBMITTED:
        actions = [button(here, "approve", "Approve report"),
                   link("Send back", here.url(f"{place}/back"))]  # fmt: skip
    return page(
        here, "Expense report",
        details(
            ("Person", person_link(here, person_of(here, found))), ("Purpose", found["purpose"]),
            ("Status", found["status"]), ("Date", look.date(found["date"])),
            ("Total", look.money(rules.total_of(found))), ("Reason", found["reason"] or "None"),
        ),
        el("div", actions, class_="row"),
        el("table", titles, rows) if rows else note("No lines yet"),
        note(f"Lines of {look.money(RECEIPT_FROM)} or more need a receipt."),
        heading=f"Expense report {found['number']}",
    )  # fmt: skip


@PEOPLE.get("/expenses/{key}/line")
def line_new(here: Here, key: str) -> str:
    found = rules.one(here.state, "reports", key)
    fields = (
        Field("category", "Category", "choice", options=CATEGORIES),
        Field("date", "Date", "date", here.look.date(here.world.today)),
        Field("amount", "Amount", "money", hint=f"such as {here.look.money(12050)}"),
        Field("receipt", "A receipt is attached", "check"),
    )
    return page(
        here, "New line", form(here, "create", fields, "Save line", f"/expenses/{key}"),
        heading=f"New line of {found['number']}",
    )  # fmt: skip


@PEOPLE.post("/expenses/{key}/line/create")
def line_create(here: Here, key: str) -> Redirect:
    rules.add_line(
        here.state, key, here.form.get("category", ""), here.day("date", "Date"),
        here.cents("amount", "Amount"), here.form.get("receipt") == "yes", here.world.today,
    )  # fmt: skip
    return here.to(f"/expenses/{key}", "Line saved")


@PEOPLE.post("/expenses/{key}/remove")
def line_remove(here: Here, key: str) -> Redirect:
    rules.remove_line(here.state, key, here.form.get("line", ""))
    return here.to(f"/expenses/{key}", "Line removed")


@PEOPLE.post("/expenses/{key}/submit")
def report_submit(here: Here, key: str) -> Redirect:
    rules.submit_report(here.state, key)
    return here.to(f"/expenses/{key}", "Report submitted")


@PEOPLE.post("/expenses/{key}/approve")
def report_approve(here: Here, key: str) -> Redirect:
    rules.approve_report(here.state, key)
    return here.to(f"/expenses/{key}", "Report approved")


@PEOPLE.get("/expenses/{key}/back")
def report_back(here: Here, key: str) -> str:
    found = rules.one(here.state, "reports", key)
    fields = (Field("reason", "Reason"),)
    return page(
        here, "Send back", form(here, "send", fields, "Send report back", f"/expenses/{key}"),
        heading=f"Send {found['number']} back",
    )  # fmt: skip


@PEOPLE.post("/expenses/{key}/back/send")
def report_sent_back(here: Here, key: str) -> Redirect:
    rules.send_back(here.state, key, here.required("reason", "Reason"))
    return here.to(f"/expenses/{key}", "Report sent back")


# Openings and candidates.


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
    found = rules.one(here.state, "openings", key)
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
    moved = el(
        "form", el("input", type="hidden", name="token", value=here.visit.token(action)),
        el("input", type="hidden", name="to", value=""),
        el("input", type="hidden", name="candidate", value=candidate["id"]),
        method="post", action=action, data_move=True,
    )  # fmt: skip
    return el("div", link(candidate["name"], here.url(place)), moved, class_="card",
              draggable="true", data_card=candidate["id"])  # fmt: skip


@PEOPLE.get("/hiring/{key}/list")
def candidates(here: Here, key: str) -> str:
    found = rules.one(here.state, "openings", key)
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
    found = rules.one(here.state, "candidates", key)
    here.note(f"candidate:{key}")
    job = rules.one(here.state, "openings", found["opening"])
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
    name = rules.one(here.state, "candidates", key)["name"]
    return here.to(place, f"{name} is in {stage} now")


# Hiring somebody: three pages, kept as a draft.

PAGES = {"person": "Person", "contract": "Contract", "equipment": "Equipment"}


@PEOPLE.get("/hire")
def hire(here: Here) -> str:
    here.note("hire")
    draft = here.state["hire"]
    started = any(draft.values())
    lines = [(title, "Filled in" if draft[part] else "Empty") for part, title in PAGES.items()]
    first = next((part for part in PAGES if not draft[part]), "review")
    go = link("Continue the draft" if started else "Begin", here.url(f"/hire/{first}"))
    drop = confirm(here, "discard", "Discard draft", "What was filled in is lost.")
    return page(here, "Hire somebody", details(*lines),
                el("div", go, menu("More", drop) if started else None, class_="row"))  # fmt: skip


@PEOPLE.post("/hire/discard")
def hire_discard(here: Here) -> Redirect:
    rules.discard_hire(here.state)
    return here.to("/hire", "Draft discarded")


def _hire_page(here: Here, part: str, fields: tuple[Field, ...]) -> str:
    here.note(f"hire-{part}")
    number = list(PAGES).index(part) + 1
    return page(
        here, f"Hire somebody: {PAGES[part]}", note(f"Page {number} of 3"),
        form(here, "next", fields, "Next", "/hire"),
    )  # fmt: skip


def _kept(here: Here, part: str) -> Item:
    kept: Item = here.state["hire"][part] or {}
    return kept


@PEOPLE.get("/hire/person")
def hire_person(here: Here) -> str:
    old = _kept(here, "person")
    fields = (
        Field("first", "First name", value=old.get("first", "")),
        Field("last", "Last name", value=old.get("last", "")),
        Field("email", "E-mail", value=old.get("email", "")),
        Field("phone", "Phone", value=old.get("phone", ""), hint="with country code"),
        Field("city", "City", "choice", old.get("city", CITIES[0]), CITIES),
    )
    return _hire_page(here, "person", fields)


@PEOPLE.post("/hire/person/next")
def hire_person_next(here: Here) -> Redirect:
    labels = {"first": "First name", "last": "Last name", "email": "E-mail", "phone": "Phone",
              "city": "City"}  # fmt: skip
    values = {name: here.required(name, text) for name, text in labels.items()}
    rules.hire_part(here.state, "person", values, here.world.today)
    return here.to("/hire/contract")


@PEOPLE.get("/hire/contract")
def hire_contract(here: Here) -> str:
    old = _kept(here, "contract")
    look = here.look
    fields = (
        Field("title", "Title", value=old.get("title", "")),
        Field("department", "Department", "choice", old.get("department", ""), DEPARTMENTS),
        Field("start", "First day", "date", look.date(old["start"]) if old else ""),
        Field("contract", "Contract", "choice", old.get("contract", ""), CONTRACTS),
        Field("band", "Band", "choice", old.get("band", ""), tuple(BANDS)),
        Field("salary", "Salary", "money", look.money(old["salary"]) if old else "", hint="a year"),
    )
    return _hire_page(here, "contract", fields)


@PEOPLE.post("/hire/contract/next")
def hire_contract_next(here: Here) -> Redirect:
    values = {
        "title": here.required("title", "Title"), "start": here.day("start", "First day"),
        "department": here.form.get("department", ""), "contract": here.form.get("contract", ""),
        "band": here.form.get("band", ""), "salary": here.cents("salary", "Salary"),
    }  # fmt: skip
    rules.hire_part(here.state, "contract", values, here.world.today)
    return here.to("/hire/equipment")


@PEOPLE.get("/hire/equipment")
def hire_equipment(here: Here) -> str:
    old = _kept(here, "equipment")
    fields = (
        Field("laptop", "Laptop", "choice", old.get("laptop", LAPTOPS[0]), LAPTOPS),
        Field("phone", "Mobile phone", "choice", old.get("phone", PHONES[0]), PHONES),
        Field("card", "Building pass", "check", "yes" if old.get("card") else ""),
    )
    return _hire_page(here, "equipment", fields)


@PEOPLE.post("/hire/equipment/next")
def hire_equipment_next(here: Here) -> Redirect:
    values = {"laptop": here.form.get("laptop", ""), "phone": here.form.get("phone", ""),
              "card": here.form.get("card") == "yes"}  # fmt: skip
    rules.hire_part(here.state, "equipment", values, here.world.today)
    return here.to("/hire/review")


@PEOPLE.get("/hire/review")
def hire_review(here: Here) -> str:
    here.note("hire-review")
    look, shown = here.look, []
    for part, title in PAGES.items():
        kept = here.state["hire"][part]
        lines = [
            (name.capitalize(), look.money(value) if name == "salary" else look.date(value)
             if name == "start" else ("Yes" if value else "No") if name == "card" else value)
            for name, value in (kept or {}).items()
        ]  # fmt: skip
        change = el("p", link(f"Change {title.lower()}", here.url(f"/hire/{part}")))
        shown.append(section(title, details(*lines) if kept else note("Empty"), change))
    return page(here, "Hire somebody: Review", join(shown), button(here, "submit", "Submit hire"))


@PEOPLE.post("/hire/review/submit")
def hire_submit(here: Here) -> Redirect:
    made = rules.hire(here.state)
    return here.to(f"/staff/{made['id']}", f"{made['name']} is hired")


# Onboarding.


@PEOPLE.get("/onboarding")
def onboarding(here: Here) -> str:
    here.note("onboarding")
    listing = Listing(
        columns=(
            Column("Person", lambda b: link(person_of(here, b)["name"],
                                            here.url(f"/onboarding/{b['id']}"))),
            Column("Department", lambda b: person_of(here, b)["department"]),
            Column("Due", lambda b: here.look.date(b["due"])),
            Column("Done", lambda b: f"{sum(t['done'] for t in b['tasks'])} of {len(b['tasks'])}"),
        ),
        words=lambda b: person_of(here, b)["name"],
        sorts=(Sort("Due first", lambda b: (b["due"], b["id"])),
               Sort("Person", lambda b: person_of(here, b)["name"])),
    )  # fmt: skip
    return page(here, "Onboarding", listing.show(here, here.state["onboarding"]))


@PEOPLE.get("/onboarding/{key}")
def check_list(here: Here, key: str) -> str:
    found = rules.one(here.state, "onboarding", key)
    here.note(f"onboarding:{key}")
    fields = [
        Field(task["id"], task["text"], "check", "yes" if task["done"] else "")
        for task in found["tasks"]
    ]
    person = person_of(here, found)
    return page(
        here, "Check list",
        details(("Person", person_link(here, person)), ("Due", here.look.date(found["due"]))),
        form(here, "save", fields, "Save list", "/onboarding"),
        heading=f"Check list of {person['name']}",
    )  # fmt: skip


@PEOPLE.post("/onboarding/{key}/save")
def check_list_save(here: Here, key: str) -> Redirect:
    rules.tick(here.state, key, {name for name, value in here.form.items() if value == "yes"})
    return here.to(f"/onboarding/{key}", "Check list saved")


# Announcements.


@PEOPLE.get("/announcements")
def announcements(here: Here) -> str:
    here.note("announcements")
    listing = Listing(
        columns=(
            Column("Title", lambda a: link(a["title"], here.url(f"/announcements/{a['id']}"))),
            Column("For", lambda a: a["audience"]),
            Column("Date", lambda a: here.look.date(a["date"])),
            Column("", lambda a: badge("Pinned") if a["pinned"] else None),
        ),
        words=lambda a: f"{a['title']} {a['text']}",
        sorts=(Sort("Newest", lambda a: (a["date"], a["id"]), descending=True),
               Sort("Title", lambda a: a["title"])),
        filters=(Filter("audience", "For", AUDIENCES, lambda a: a["audience"]),),
    )  # fmt: skip
    new = el("p", link("New announcement", here.url("/announcements/new")))
    return page(here, "Announcements", new, listing.show(here, here.state["announcements"]))


@PEOPLE.get("/announcements/new")
def announcement_new(here: Here) -> str:
    fields = (
        Field("title", "Title"),
        Field("text", "Text", "long"),
        Field("audience", "Audience", "choice", options=AUDIENCES),
        Field("until", "Shown until", "date"),
        Field("pinned", "Pin it to the overview", "check"),
    )
    return page(here, "New announcement", form(here, "create", fields, "Publish", "/announcements"))


@PEOPLE.post("/announcements/new/create")
def announcement_create(here: Here) -> Redirect:
    rules.announce(
        here.state, here.required("title", "Title", 80), here.required("text", "Text", 600),
        here.form.get("audience", ""), here.day("until", "Shown until"),
        here.form.get("pinned") == "yes", here.world.today,
    )  # fmt: skip
    return here.to("/announcements", "Announcement published")


@PEOPLE.get("/announcements/{key}")
def announcement(here: Here, key: str) -> str:
    found = rules.one(here.state, "announcements", key)
    here.note(f"announcement:{key}")
    pin = button(here, "pin", "Unpin" if found["pinned"] else "Pin")
    drop = confirm(here, "delete", "Delete announcement", "Nobody will see it any more.")
    return page(
        here, "Announcement",
        details(("For", found["audience"]), ("Date", here.look.date(found["date"])),
                ("Shown until", here.look.date(found["until"]))),
        el("p", found["text"]), el("div", pin, menu("More", drop), class_="row"),
        heading=found["title"],
    )  # fmt: skip


@PEOPLE.post("/announcements/{key}/pin")
def announcement_pin(here: Here, key: str) -> Redirect:
    found = rules.one(here.state, "announcements", key)
    found["pinned"] = not found["pinned"]
    return here.to(f"/announcements/{key}", "Pinned" if found["pinned"] else "Not pinned any more")


@PEOPLE.post("/announcements/{key}/delete")
def announcement_delete(here: Here, key: str) -> Redirect:
    rules.delete_announcement(here.state, key)
    return here.to("/announcements", "Announcement deleted")


# Roles.


@PEOPLE.get("/access")
def access(here: Here) -> str:
    here.note("access")

    def roles_of(person: Item) -> list[str]:
        return [role for role in ROLES if rules.holds(here.state, person["id"], role)]

    listing = Listing(
        columns=(
            Column("Person", lambda p: link(p["name"], here.url(f"/access/{p['id']}"))),
            Column("Department", lambda p: p["department"]),
            Column("Roles", lambda p: ", ".join(roles_of(p)) or "None"),
        ),
        words=lambda p: p["name"],
        sorts=(Sort("Person", lambda p: p["name"]),
               Sort("Most roles", lambda p: (len(roles_of(p)), p["id"]), descending=True)),
        filters=(Filter("role", "Role", tuple(ROLES), lambda p: _ask(here, roles_of(p))),),
    )  # fmt: skip
    return page(here, "Access", listing.show(here, here.state["staff"]))


def _ask(here: Here, roles: list[str]) -> str:
    """The role that is filtered by, if it is among them."""
    asked = here.query.get("role", "")
    return asked if asked in roles else ""


@PEOPLE.get("/access/{key}")
def access_of(here: Here, key: str) -> str:
    found = rules.one(here.state, "staff", key)
    here.note(f"access:{key}")
    rows = []
    for role, what in ROLES.items():
        act = (
            confirm(here, f"revoke-{role.replace(' ', '-')}", f"Revoke {role}",
                    f"{found['name']} loses the role {role}.")
            if rules.holds(here.state, key, role)
            else button(here, "grant", "Grant", f"Grant {role}", role=role)
        )  # fmt: skip
        rows.append(el("tr", el("td", el("b", role), f" {what}"), el("td", act)))
    return page(here, "Roles", el("table", rows), heading=f"Roles of {found['name']}")


@PEOPLE.post("/access/{key}/grant")
def access_grant(here: Here, key: str) -> Redirect:
    role = here.form.get("role", "")
    try:
        rules.grant(here.state, key, role)
    except Refused:
        here.note(f"refused:{key}:{role}")
        raise
    return here.to(f"/access/{key}", f"Role {role} granted")


@PEOPLE.post("/access/{key}/revoke-{role}")
def access_revoke(here: Here, key: str, role: str) -> Redirect:
    rules.revoke(here.state, key, role.replace("-", " "))
    return here.to(f"/access/{key}", f"Role {role.replace('-', ' ')} revoked")
