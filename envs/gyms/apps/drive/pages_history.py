"""Pages of a file's versions and comments."""

from __future__ import annotations

from envs.gyms.apps.drive import lookup, rules, rules_history
from envs.gyms.apps.drive.page_parts import breadcrumbs, link_back, person_name
from envs.gyms.apps.drive.vocabulary import Item
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
)
from envs.gyms.kit.page_frame import render_page
from envs.gyms.kit.page_group import PageGroup
from envs.gyms.kit.request import Redirect, RequestContext
from envs.gyms.server.gym import NotFound

PAGES = PageGroup()


@PAGES.get("/items/{key}/versions")
def show_versions(request: RequestContext, key: str) -> str:
    """GET: all versions, the newest first."""
    file = lookup.get_file(request.state, key)
    request.log_event(f"versions:{key}")
    rows = [
        el(
            "tr",
            el(
                "td",
                link(
                    f"Version {version['id'][1:]}",
                    request.url(f"/items/{key}/versions/{version['id']}"),
                ),
            ),
            el("td", request.locale.format_date(version["day"])),
            el("td", person_name(request, version["by"])),
            el("td", f"{version['size']} KB"),
            el("td", version["note"]),
        )
        for version in reversed(file["versions"])
    ]
    titles = [el("th", title) for title in ("Version", "Saved on", "By", "Size", "Note")]
    return render_page(
        request,
        "Versions",
        breadcrumbs(request, file),
        el("table", el("tr", titles), rows),
        link_back(request, key),
        heading=f"Versions of {file['name']}",
    )


@PAGES.get("/items/{key}/versions/{version}")
def show_version(request: RequestContext, key: str, version: str) -> str:
    """GET: one version, with the button that restores it."""
    file = lookup.get_file(request.state, key)
    selected = next((entry for entry in file["versions"] if entry["id"] == version), None)
    if selected is None:
        raise NotFound("There is no such version")
    newest = selected is file["versions"][-1]
    question = "It becomes the newest version; the others are kept."
    return render_page(
        request,
        "Version",
        breadcrumbs(request, file),
        details(
            ("Saved on", request.locale.format_date(selected["day"])),
            ("Saved by", person_name(request, selected["by"])),
            ("Size", f"{selected['size']} KB"),
            ("Note", selected["note"]),
        ),
        note("This is the newest version")
        if newest
        else confirm_button(request, "restore", "Restore this version", question),
        el("p", link("All versions", request.url(f"/items/{key}/versions"))),
        heading=f"Version {version[1:]} of {file['name']}",
    )


@PAGES.post("/items/{key}/versions/{version}/restore")
def restore_version(request: RequestContext, key: str, version: str) -> Redirect:
    """POST: makes an old version the newest."""
    rules_history.restore_version(
        request.state, request.world.user.id, key, version, request.world.today
    )
    return request.redirect_to(
        f"/items/{key}/versions", f"Version {version[1:]} is the newest again"
    )


@PAGES.get("/items/{key}/comments")
def show_comments(request: RequestContext, key: str) -> str:
    """GET: open comments, and resolved ones in a menu."""
    file = lookup.get_file(request.state, key)
    request.log_event(f"comments:{key}")
    user = request.world.user.id

    def render_comment(comment: Item, verb: str, text: str) -> str:
        number = comment["id"][1:]
        day = request.locale.format_date(comment["day"])
        words = f"{number}. {person_name(request, comment['by'])}, {day}: {comment['text']}"
        toggle = button(request, verb, text, f"{text} comment {number}", comment=comment["id"])
        return el("div", el("p", words), toggle if lookup.has_role(file, user, "Editor") else None)

    open_comments = [
        render_comment(comment, "resolve", "Resolve")
        for comment in file["comments"]
        if not comment["resolved"]
    ]
    resolved_comments = [
        render_comment(comment, "reopen", "Reopen")
        for comment in file["comments"]
        if comment["resolved"]
    ]
    fields = (Field("text", "Comment", kind="long"),)
    return render_page(
        request,
        "Comments",
        breadcrumbs(request, file),
        join(open_comments) if open_comments else note("No open comments"),
        menu("Resolved comments", *resolved_comments) if resolved_comments else None,
        form(request, "add", fields, "Add comment")
        if lookup.has_role(file, user, "Commenter")
        else None,
        link_back(request, key),
        heading=f"Comments on {file['name']}",
    )


@PAGES.post("/items/{key}/comments/add")
def add_comment(request: RequestContext, key: str) -> Redirect:
    """POST: adds a comment by the user."""
    text = request.get_text("text", "Comment", rules.MAX_TEXT)
    rules_history.add_comment(request.state, request.world.user.id, key, text, request.world.today)
    return request.redirect_to(f"/items/{key}/comments", "Comment added")


@PAGES.post("/items/{key}/comments/resolve")
def resolve_comment(request: RequestContext, key: str) -> Redirect:
    """POST: settles a comment."""
    return _set_resolved(request, key, True, "Comment resolved")


@PAGES.post("/items/{key}/comments/reopen")
def reopen_comment(request: RequestContext, key: str) -> Redirect:
    """POST: opens a settled comment again."""
    return _set_resolved(request, key, False, "Comment is open again")


def _set_resolved(request: RequestContext, key: str, resolved: bool, flash: str) -> Redirect:
    comment = request.form.get("comment", "")
    rules_history.set_resolved(request.state, request.world.user.id, key, comment, resolved)
    return request.redirect_to(f"/items/{key}/comments", flash)
