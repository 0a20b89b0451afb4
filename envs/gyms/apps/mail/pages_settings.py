"""The pages of the signature and the vacation responder."""

from __future__ import annotations

from envs.gyms.apps.mail import rules_settings
from envs.gyms.kit.html import Field, details, el, form, link
from envs.gyms.kit.page_frame import render_page
from envs.gyms.kit.page_group import PageGroup
from envs.gyms.kit.request import Redirect, RequestContext
from envs.gyms.server.gym import Refused

PAGES = PageGroup()


@PAGES.get("/settings")
def show_settings(request: RequestContext) -> str:
    """GET: signature and vacation responder."""
    request.log_event("settings")
    values = request.state["settings"]
    away = values["vacation"]
    on = f"On until {request.locale.format_date(away['last'])}" if away["on"] else "Off"
    return render_page(
        request,
        "Settings",
        details(("Signature", values["signature"] or "none"), ("Vacation responder", on)),
        el("p", link("Edit signature", request.url("/settings/signature"))),
        el("p", link("Edit vacation responder", request.url("/settings/vacation"))),
    )


@PAGES.get("/settings/signature")
def show_signature(request: RequestContext) -> str:
    """GET: the form for the signature."""
    field = Field("text", "Signature", value=request.state["settings"]["signature"])
    return render_page(
        request, "Edit signature", form(request, "save", [field], "Save signature", "/settings")
    )


@PAGES.post("/settings/signature/save")
def save_signature(request: RequestContext) -> Redirect:
    """POST: changes the signature."""
    text = " ".join(request.form.get("text", "").split())
    if len(text) > 200:
        raise Refused("Signature is too long")
    rules_settings.set_signature(request.state, text)
    return request.redirect_to("/settings", "Signature saved")


@PAGES.get("/settings/vacation")
def show_vacation(request: RequestContext) -> str:
    """GET: the form for the vacation responder."""
    away = request.state["settings"]["vacation"]
    day = request.locale.format_date
    fields = (
        Field("on", "Answer while I am away", kind="check", value="yes" if away["on"] else ""),
        Field("first", "First day", kind="date", value=day(away["first"]) if away["first"] else ""),
        Field("last", "Last day", kind="date", value=day(away["last"]) if away["last"] else ""),
        Field("text", "Text", kind="long", value=away["text"]),
    )
    return render_page(
        request,
        "Edit vacation responder",
        form(request, "save", fields, "Save responder", "/settings"),
    )


@PAGES.post("/settings/vacation/save")
def save_vacation(request: RequestContext) -> Redirect:
    """POST: turns the responder on or off."""
    on = request.form.get("on") == "yes"
    if on:
        first, last = request.get_date("first", "First day"), request.get_date("last", "Last day")
        text = request.get_text("text", "Text", 500)
    else:
        current = request.state["settings"]["vacation"]
        first, last, text = current["first"], current["last"], current["text"]
    rules_settings.set_vacation(request.state, on, first, last, text, request.world.today)
    return request.redirect_to("/settings", "Responder saved")
