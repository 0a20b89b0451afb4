"""The pages of mail's rules."""

from __future__ import annotations

from markupsafe import Markup

from envs.gyms.apps.mail import rules_filters
from envs.gyms.apps.mail.page_parts import folder_options
from envs.gyms.apps.mail.vocabulary import EFFECTS, FIELDS, LABELS
from envs.gyms.kit.html import Field, badge, button, confirm_button, el, form, link, menu, note
from envs.gyms.kit.listing import Column, Filter, Item, Listing, Sort
from envs.gyms.kit.page_frame import render_page
from envs.gyms.kit.page_group import PageGroup
from envs.gyms.kit.records import get_record
from envs.gyms.kit.request import Redirect, RequestContext

PAGES = PageGroup()

_EMPTY_RULE = {"field": FIELDS[0], "text": "", "does": EFFECTS[0], "folder": "", "label": ""}


@PAGES.get("/rules")
def show_rules(request: RequestContext) -> str:
    """GET: all rules."""
    request.log_event("rules")
    listing = Listing(
        columns=(
            Column(
                "Rule",
                lambda r: link(
                    rules_filters.rule_name(request.state, r), request.url(f"/rules/{r['id']}")
                ),
            ),
            Column("", lambda r: badge("Active" if r["active"] else "Paused")),
        ),
        searchable_text=lambda r: rules_filters.rule_name(request.state, r),
        sorts=(Sort("Name", lambda r: rules_filters.rule_name(request.state, r)),),
        filters=(Filter("does", "Then", options=EFFECTS, get_option=lambda r: r["does"]),),
        empty="No rules. Make one with New rule",
    )
    new = link("New rule", request.url("/rules/new"))
    return render_page(
        request, "Rules", el("p", new), listing.render(request, request.state["rules"])
    )


def _render_rule_form(request: RequestContext, rule: Item) -> Markup:
    labels = [("", "Choose a label"), *[(name, name) for name in LABELS]]
    fields = (
        Field("field", "Look at", kind="choice", value=rule["field"], options=FIELDS),
        Field("text", "Contains", value=rule["text"]),
        Field("does", "Then", kind="choice", value=rule["does"], options=EFFECTS),
        Field(
            "folder", "Folder", kind="choice", value=rule["folder"], options=folder_options(request)
        ),
        Field("label", "Label", kind="choice", value=rule["label"], options=labels),
    )
    about = note("The folder counts for rules that move, the label for those that set one.")
    return el("div", form(request, "save", fields, "Save rule", "/rules"), about)


def _parse_rule(request: RequestContext) -> Item:
    values: Item = {name: request.form.get(name, "") for name in _EMPTY_RULE}
    return values | {"text": request.get_text("text", "Contains", 60)}


@PAGES.get("/rules/new")
def show_new_rule(request: RequestContext) -> str:
    """GET: the form for a new rule."""
    return render_page(request, "New rule", _render_rule_form(request, _EMPTY_RULE))


@PAGES.post("/rules/new/save")
def create_rule(request: RequestContext) -> Redirect:
    """POST: creates a rule."""
    rules_filters.save_rule(request.state, _parse_rule(request))
    return request.redirect_to("/rules", "Rule saved")


@PAGES.get("/rules/{key}")
def show_rule(request: RequestContext, key: str) -> str:
    """GET: one rule: changing, running, pausing, deleting it."""
    rule = get_record(request.state, "rules", key)
    request.log_event(f"rule:{key}")
    toggle = ("pause", "Pause rule") if rule["active"] else ("resume", "Resume rule")
    row = el(
        "div",
        confirm_button(request, "run", "Run on Inbox", "It is used on all that is in Inbox now."),
        menu(
            "More",
            button(request, *toggle),
            confirm_button(request, "delete", "Delete rule", "Messages stay where they are."),
        ),
        class_="row",
    )
    return render_page(
        request,
        "Rule",
        _render_rule_form(request, rule),
        row,
        heading=rules_filters.rule_name(request.state, rule),
    )


@PAGES.post("/rules/{key}/save")
def save_rule(request: RequestContext, key: str) -> Redirect:
    """POST: changes a rule."""
    rules_filters.save_rule(request.state, _parse_rule(request), key)
    return request.redirect_to(f"/rules/{key}", "Rule saved")


@PAGES.post("/rules/{key}/delete")
def delete_rule(request: RequestContext, key: str) -> Redirect:
    """POST: deletes a rule."""
    rules_filters.delete_rule(request.state, key)
    return request.redirect_to("/rules", "Rule deleted")


@PAGES.post("/rules/{key}/run")
def run_rule(request: RequestContext, key: str) -> Redirect:
    """POST: applies a rule to Inbox."""
    return request.redirect_to(
        f"/rules/{key}", f"Messages changed: {rules_filters.run_rule(request.state, key)}"
    )


@PAGES.post("/rules/{key}/pause")
def pause_rule(request: RequestContext, key: str) -> Redirect:
    """POST: pauses a rule."""
    rules_filters.set_rule_active(request.state, key, False)
    return request.redirect_to(f"/rules/{key}", "Rule paused")


@PAGES.post("/rules/{key}/resume")
def resume_rule(request: RequestContext, key: str) -> Redirect:
    """POST: resumes a rule."""
    rules_filters.set_rule_active(request.state, key, True)
    return request.redirect_to(f"/rules/{key}", "Rule resumed")
