"""The pages of one person: contact data and pay."""

from __future__ import annotations

from envs.gyms.apps.people import rules_leave, rules_staff
from envs.gyms.apps.people.page_parts import link_person
from envs.gyms.apps.people.vocabulary import BANDS, CONTACT_FIELDS, CONTRACTS
from envs.gyms.kit.html import Field, details, el, form, get_initials, link, menu
from envs.gyms.kit.names import CITIES
from envs.gyms.kit.page_frame import render_page
from envs.gyms.kit.page_group import PageGroup
from envs.gyms.kit.records import get_record
from envs.gyms.kit.request import Redirect, RequestContext

PAGES = PageGroup()


@PAGES.get("/staff/{key}")
def show_person(request: RequestContext, key: str) -> str:
    """GET: one person."""
    person = get_record(request.state, "staff", key)
    request.log_event(f"person:{key}")
    manager = person["manager"] and get_record(request.state, "staff", person["manager"])
    place, name = f"/staff/{key}", person["name"]
    return render_page(
        request,
        "Person",
        details(
            ("Title", person["title"]),
            ("Department", person["department"]),
            ("Manager", link_person(request, manager) if manager else "Nobody"),
            ("Hired", request.locale.format_date(person["hired"])),
            (
                "Vacation left",
                f"{rules_leave.format_days(rules_leave.vacation_left(request.state, key))} days",
            ),
            ("E-mail", person["email"]),
            ("Phone", person["phone"]),
            ("Street", person["street"]),
            ("Postal code", person["postal"]),
            ("City", person["city"]),
            ("Emergency contact", person["kin"]),
            ("Emergency phone", person["kin_phone"]),
            initials=get_initials(name),
        ),
        el(
            "div",
            link("Edit contact data", request.url(f"{place}/edit")),
            link("Pay and contract", request.url(f"{place}/pay")),
            link("Request leave", request.url(f"{place}/leave")),
            menu(
                "More",
                el("p", link("Roles", request.url(f"/access/{key}"))),
                el("p", link("Leave requests", request.url(f"/leave?q={name.replace(' ', '+')}"))),
                el(
                    "p",
                    link("Expense reports", request.url(f"/expenses?q={name.replace(' ', '+')}")),
                ),
            ),
            class_="row",
        ),
        heading=name,
    )


@PAGES.get("/staff/{key}/edit")
def show_contact_form(request: RequestContext, key: str) -> str:
    """GET: the form for contact data."""
    person = get_record(request.state, "staff", key)
    fields = (
        Field("email", "E-mail", value=person["email"]),
        Field("phone", "Phone", value=person["phone"], hint="with country code"),
        Field("street", "Street", value=person["street"]),
        Field("postal", "Postal code", value=person["postal"], hint="five digits"),
        Field("city", "City", kind="choice", value=person["city"], options=CITIES),
        Field("kin", "Emergency contact", value=person["kin"]),
        Field("kin_phone", "Emergency phone", value=person["kin_phone"]),
    )
    return render_page(
        request,
        "Edit contact data",
        form(request, "save", fields, "Save contact data", f"/staff/{key}"),
        heading=f"Contact data of {person['name']}",
    )


@PAGES.post("/staff/{key}/edit/save")
def save_contact(request: RequestContext, key: str) -> Redirect:
    """POST: changes contact data."""
    labels = (
        "E-mail",
        "Phone",
        "Street",
        "Postal code",
        "City",
        "Emergency contact",
        "Emergency phone",
    )
    pairs = zip(CONTACT_FIELDS, labels, strict=True)
    rules_staff.edit_contact(
        request.state, key, {name: request.get_text(name, text) for name, text in pairs}
    )
    return request.redirect_to(f"/staff/{key}", "Contact data saved")


@PAGES.get("/staff/{key}/pay")
def show_pay(request: RequestContext, key: str) -> str:
    """GET: pay and contract of a person."""
    person = get_record(request.state, "staff", key)
    request.log_event(f"pay:{key}")
    low, high = BANDS[person["band"]]
    money = request.locale.format_money
    return render_page(
        request,
        "Pay and contract",
        details(
            ("Contract", person["contract"]),
            ("Weekly hours", person["hours"]),
            ("Band", person["band"]),
            ("Band minimum", money(low)),
            ("Band maximum", money(high)),
            ("Salary", money(person["salary"])),
            ("Account", person["account"] or "None yet"),
            ("Vacation a year", f"{person['allowance']} days"),
        ),
        el(
            "div",
            link("Edit pay", request.url(f"/staff/{key}/pay/edit")),
            link("Back to the person", request.url(f"/staff/{key}")),
            class_="row",
        ),
        heading=f"Pay of {person['name']}",
    )


@PAGES.get("/staff/{key}/pay/edit")
def show_pay_form(request: RequestContext, key: str) -> str:
    """GET: the form for pay and contract."""
    person = get_record(request.state, "staff", key)
    fields = (
        Field("contract", "Contract", kind="choice", value=person["contract"], options=CONTRACTS),
        Field("band", "Band", kind="choice", value=person["band"], options=tuple(BANDS)),
        Field(
            "salary",
            "Salary",
            kind="money",
            value=request.locale.format_money(person["salary"]),
            hint="a year",
        ),
        Field("account", "Account", value=person["account"], hint="XC and 14 digits"),
    )
    return render_page(
        request,
        "Edit pay",
        form(request, "save", fields, "Save pay", f"/staff/{key}/pay"),
        heading=f"Edit pay of {person['name']}",
    )


@PAGES.post("/staff/{key}/pay/edit/save")
def save_pay(request: RequestContext, key: str) -> Redirect:
    """POST: changes pay and contract."""
    values = {
        "account": request.get_text("account", "Account"),
        "salary": request.get_cents("salary", "Salary"),
        "band": request.get_choice("band", "Band", list(BANDS)),
        "contract": request.form.get("contract", ""),
    }
    rules_staff.edit_pay(request.state, key, values)
    return request.redirect_to(f"/staff/{key}/pay", "Pay saved")
