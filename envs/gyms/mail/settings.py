"""Mail's pages of rules, signature and vacation responder."""

from __future__ import annotations

from markupsafe import Markup

from envs.gyms.gym import Refused
from envs.gyms.kit.frame import page
from envs.gyms.kit.here import Here
from envs.gyms.kit.html import Field, badge, button, confirm, details, el, form, link, menu, note
from envs.gyms.kit.listing import Column, Filter, Item, Listing, Sort
from envs.gyms.kit.records import one
from envs.gyms.mail import rules
from envs.gyms.mail.app import MAIL, folder_names
from envs.gyms.mail.data import DOES, FIELDS, LABELS
from envs.gyms.pages import Redirect

EMPTY = {"field": FIELDS[0], "text": "", "does": DOES[0], "folder": "", "label": ""}


@MAIL.get("/rules")
def rule_list(here: Here) -> str:
    here.note("rules")
    listing = Listing(
        columns=(
            Column("Rule", lambda r: link(rules.rule_name(here.state, r),
                                          here.url(f"/rules/{r['id']}"))),
            Column("", lambda r: badge("Active" if r["active"] else "Paused")),
        ),
        words=lambda r: rules.rule_name(here.state, r),
        sorts=(Sort("Name", lambda r: rules.rule_name(here.state, r)),),
        filters=(Filter("does", "Then", DOES, lambda r: r["does"]),),
        empty="No rules. Make one with New rule",
    )  # fmt: skip
    new = link("New rule", here.url("/rules/new"))
    return page(here, "Rules", el("p", new), listing.show(here, here.state["rules"]))


def _rule_form(here: Here, rule: Item) -> Markup:
    labels = [("", "Choose a label"), *[(name, name) for name in LABELS]]
    fields = (
        Field("field", "Look at", "choice", rule["field"], FIELDS),
        Field("text", "Contains", value=rule["text"]),
        Field("does", "Then", "choice", rule["does"], DOES),
        Field("folder", "Folder", "choice", rule["folder"], folder_names(here)),
        Field("label", "Label", "choice", rule["label"], labels),
    )
    about = note("The folder counts for rules that move, the label for those that set one.")
    return el("div", form(here, "save", fields, "Save rule", "/rules"), about)


def _wanted(here: Here) -> Item:
    wanted: Item = {name: here.form.get(name, "") for name in EMPTY}
    return wanted | {"text": here.required("text", "Contains", 60)}


@MAIL.get("/rules/new")
def rule_new(here: Here) -> str:
    return page(here, "New rule", _rule_form(here, EMPTY))


@MAIL.post("/rules/new/save")
def rule_create(here: Here) -> Redirect:
    rules.save_rule(here.state, _wanted(here))
    return here.to("/rules", "Rule saved")


@MAIL.get("/rules/{key}")
def rule(here: Here, key: str) -> str:
    found = one(here.state, "rules", key)
    here.note(f"rule:{key}")
    turn = ("pause", "Pause rule") if found["active"] else ("resume", "Resume rule")
    row = el(
        "div", confirm(here, "run", "Run on Inbox", "It is used on all that is in Inbox now."),
        menu("More", button(here, *turn),
             confirm(here, "delete", "Delete rule", "Messages stay where they are.")),
        class_="row",
    )  # fmt: skip
    return page(here, "Rule", _rule_form(here, found), row,
                heading=rules.rule_name(here.state, found))  # fmt: skip


@MAIL.post("/rules/{key}/save")
def rule_save(here: Here, key: str) -> Redirect:
    rules.save_rule(here.state, _wanted(here), key)
    return here.to(f"/rules/{key}", "Rule saved")


@MAIL.post("/rules/{key}/delete")
def rule_delete(here: Here, key: str) -> Redirect:
    rules.delete_rule(here.state, key)
    return here.to("/rules", "Rule deleted")


@MAIL.post("/rules/{key}/run")
def rule_run(here: Here, key: str) -> Redirect:
    return here.to(f"/rules/{key}", f"Messages changed: {rules.run_rule(here.state, key)}")


@MAIL.post("/rules/{key}/pause")
def rule_pause(here: Here, key: str) -> Redirect:
    rules.set_active(here.state, key, False)
    return here.to(f"/rules/{key}", "Rule paused")


@MAIL.post("/rules/{key}/resume")
def rule_resume(here: Here, key: str) -> Redirect:
    rules.set_active(here.state, key, True)
    return here.to(f"/rules/{key}", "Rule resumed")


@MAIL.get("/settings")
def settings(here: Here) -> str:
    here.note("settings")
    mine = here.state["settings"]
    away = mine["vacation"]
    on = f"On until {here.look.date(away['last'])}" if away["on"] else "Off"
    return page(
        here, "Settings",
        details(("Signature", mine["signature"] or "none"), ("Vacation responder", on)),
        el("p", link("Edit signature", here.url("/settings/signature"))),
        el("p", link("Edit vacation responder", here.url("/settings/vacation"))),
    )  # fmt: skip


@MAIL.get("/settings/signature")
def signature(here: Here) -> str:
    field = Field("text", "Signature", value=here.state["settings"]["signature"])
    return page(here, "Edit signature",
                form(here, "save", [field], "Save signature", "/settings"))  # fmt: skip


@MAIL.post("/settings/signature/save")
def signature_save(here: Here) -> Redirect:
    text = " ".join(here.form.get("text", "").split())
    if len(text) > 200:
        raise Refused("Signature is too long")
    rules.set_signature(here.state, text)
    return here.to("/settings", "Signature saved")


@MAIL.get("/settings/vacation")
def vacation(here: Here) -> str:
    away = here.state["settings"]["vacation"]
    day = here.look.date
    fields = (
        Field("on", "Answer while I am away", "check", "yes" if away["on"] else ""),
        Field("first", "First day", "date", day(away["first"]) if away["first"] else ""),
        Field("last", "Last day", "date", day(away["last"]) if away["last"] else ""),
        Field("text", "Text", "long", away["text"]),
    )
    return page(here, "Edit vacation responder",
                form(here, "save", fields, "Save responder", "/settings"))  # fmt: skip


@MAIL.post("/settings/vacation/save")
def vacation_save(here: Here) -> Redirect:
    on = here.form.get("on") == "yes"
    if on:
        first, last = here.day("first", "First day"), here.day("last", "Last day")
        text = here.required("text", "Text", 500)
    else:
        old = here.state["settings"]["vacation"]
        first, last, text = old["first"], old["last"], old["text"]
    rules.set_vacation(here.state, on, first, last, text, here.world.today)
    return here.to("/settings", "Responder saved")
