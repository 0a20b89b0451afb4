"""The drive's pages on who may see a file, its versions and its comments.

This completes the app: take `DRIVE` from here.
"""

from __future__ import annotations

from envs.gyms.drive import rules
from envs.gyms.drive.app import DRIVE, crumbs, day_text, person
from envs.gyms.drive.data import LINKS, ROLES, Item
from envs.gyms.gym import NotFound
from envs.gyms.kit.frame import page
from envs.gyms.kit.here import Here
from envs.gyms.kit.html import (
    Child,
    Field,
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
    select,
)
from envs.gyms.pages import Redirect

__all__ = ["DRIVE"]


def _colleagues(here: Here, file: Item) -> list[tuple[str, str]]:
    """Ids and names of all but the owner."""
    people = [(one.id, one.name) for one in here.world.people if one.id != file["owner"]]
    return sorted(people, key=lambda pair: pair[1])


@DRIVE.get("/items/{key}/sharing")
def sharing(here: Here, key: str) -> str:
    file = rules.file_of(here.state, key)
    here.note(f"sharing:{key}")
    editor = rules.may(file, here.world.user.id, "Editor")

    def name_of(one: Item) -> Child:
        name = person(here, one["id"])
        return link(name, here.url(f"/items/{key}/sharing/{one['id']}")) if editor else name

    table = el(
        "table", el("tr", el("th", "Person"), el("th", "Role")),
        el("tr", el("td", person(here, file["owner"])), el("td", rules.OWNER)),
        [el("tr", el("td", name_of(one)), el("td", one["role"])) for one in file["shares"]],
    )  # fmt: skip
    until = day_text(here, file["until"])
    if not editor:
        body = join((details(("Link access", file["link"]), ("Ends on", until)),
                     note("Only editors and the owner can change this")))  # fmt: skip
    else:
        body = join((
            section("Share with a person", form(here, "add", (
                Field("person", "Person", "choice", options=_colleagues(here, file)),
                Field("role", "Role", "choice", options=ROLES),
            ), "Share")),
            section("Everybody with the link", form(here, "link", (
                Field("link", "Link access", "choice", file["link"], LINKS),
                Field("until", "Ends on", "date", until if file["until"] else "",
                      hint="leave empty for no end"),
            ), "Save link access")),
        ))  # fmt: skip
    heading = f"Sharing of {file['name']}"
    return page(here, "Sharing", crumbs(here, file), table, body, _back(here, key), heading=heading)


def _back(here: Here, key: str) -> str:
    return el("p", link("Back to the file", here.url(f"/items/{key}")))


@DRIVE.post("/items/{key}/sharing/add")
def sharing_add(here: Here, key: str) -> Redirect:
    file = rules.file_of(here.state, key)
    who = here.choice("person", "Person", [one for one, _ in _colleagues(here, file)])
    rules.share(here.state, here.world.user.id, key, who, here.form.get("role", ""))
    return here.to(f"/items/{key}/sharing", f"Shared with {person(here, who)}")


@DRIVE.post("/items/{key}/sharing/link")
def sharing_link(here: Here, key: str) -> Redirect:
    until = here.day("until", "Ends on") if here.form.get("until", "").strip() else ""
    rules.set_link(
        here.state, here.world.user.id, key, here.form.get("link", ""), until, here.world.today
    )
    return here.to(f"/items/{key}/sharing", "Link access saved")


@DRIVE.get("/items/{key}/sharing/{who}")
def access(here: Here, key: str, who: str) -> str:
    file = rules.file_of(here.state, key)
    found = next((one for one in file["shares"] if one["id"] == who), None)
    if found is None:
        raise NotFound("This file is not shared with that person")
    name = person(here, who)
    fields = (Field("role", "Role", "choice", found["role"], ROLES),)
    return page(
        here, "Access", crumbs(here, file), details(("Person", name), ("Role now", found["role"])),
        form(here, "save", fields, "Save role", f"/items/{key}/sharing"),
        confirm(here, "stop", "Stop sharing", f"{name} will no longer see {file['name']}."),
        heading=f"Access of {name}",
    )  # fmt: skip


@DRIVE.post("/items/{key}/sharing/{who}/save")
def access_save(here: Here, key: str, who: str) -> Redirect:
    rules.change_role(here.state, here.world.user.id, key, who, here.form.get("role", ""))
    return here.to(f"/items/{key}/sharing", "Role saved")


@DRIVE.post("/items/{key}/sharing/{who}/stop")
def access_stop(here: Here, key: str, who: str) -> Redirect:
    rules.stop_sharing(here.state, here.world.user.id, key, who)
    return here.to(f"/items/{key}/sharing", "No longer shared")


@DRIVE.get("/items/{key}/transfer")
def transfer(here: Here, key: str) -> str:
    """First the new owner is chosen, which changes the address alone; then it asks back."""
    file = rules.file_of(here.state, key)
    here.note(f"transfer:{key}")
    heading = f"Transfer {file['name']}"
    owner = person(here, file["owner"])
    if not rules.may(file, here.world.user.id, rules.OWNER):
        text = note(f"Only the owner can transfer it: {owner}")
        return page(here, "Transfer", text, _back(here, key), heading=heading)
    people = _colleagues(here, file)
    # A transfer that was refused leads back here without the address's choice.
    to = here.query.get("to") or here.draft.get("to", "")
    asked = None
    if to in [one for one, _ in people]:
        asked = join((
            details(("New owner will be", person(here, to))),
            confirm(here, "save", "Transfer ownership",
                    "You stay an editor, but cannot take it back.", to=to),
        ))  # fmt: skip
    chooser = el(
        "form", el("label", "New owner ", select("to", people, to)), el("button", "Continue"),
        action=here.path, class_="listing",
    )  # fmt: skip
    return page(here, "Transfer", chooser, asked, _back(here, key), heading=heading)


@DRIVE.post("/items/{key}/transfer/save")
def transfer_save(here: Here, key: str) -> Redirect:
    people = [one.id for one in here.world.people]
    to = here.choice("to", "New owner", people)
    rules.transfer(here.state, here.world.user.id, key, to)
    return here.to(f"/items/{key}", f"{person(here, to)} is the owner now")


@DRIVE.get("/items/{key}/versions")
def versions(here: Here, key: str) -> str:
    file = rules.file_of(here.state, key)
    here.note(f"versions:{key}")
    rows = [
        el("tr", el("td", link(f"Version {one['id'][1:]}",
                               here.url(f"/items/{key}/versions/{one['id']}"))),
           el("td", here.look.date(one["day"])), el("td", person(here, one["by"])),
           el("td", f"{one['size']} KB"), el("td", one["note"]))
        for one in reversed(file["versions"])
    ]  # fmt: skip
    titles = [el("th", title) for title in ("Version", "Saved on", "By", "Size", "Note")]
    return page(
        here, "Versions", crumbs(here, file), el("table", el("tr", titles), rows),
        _back(here, key), heading=f"Versions of {file['name']}",
    )  # fmt: skip


@DRIVE.get("/items/{key}/versions/{version}")
def version(here: Here, key: str, version: str) -> str:
    file = rules.file_of(here.state, key)
    found = next((one for one in file["versions"] if one["id"] == version), None)
    if found is None:
        raise NotFound("There is no such version")
    newest = found is file["versions"][-1]
    question = "It becomes the newest version; the others are kept."
    return page(
        here, "Version", crumbs(here, file),
        details(
            ("Saved on", here.look.date(found["day"])), ("Saved by", person(here, found["by"])),
            ("Size", f"{found['size']} KB"), ("Note", found["note"]),
        ),
        note("This is the newest version") if newest
        else confirm(here, "restore", "Restore this version", question),
        el("p", link("All versions", here.url(f"/items/{key}/versions"))),
        heading=f"Version {version[1:]} of {file['name']}",
    )  # fmt: skip


@DRIVE.post("/items/{key}/versions/{version}/restore")
def version_restore(here: Here, key: str, version: str) -> Redirect:
    rules.restore_version(here.state, here.world.user.id, key, version, here.world.today)
    return here.to(f"/items/{key}/versions", f"Version {version[1:]} is the newest again")


@DRIVE.get("/items/{key}/comments")
def comments(here: Here, key: str) -> str:
    file = rules.file_of(here.state, key)
    here.note(f"comments:{key}")
    me = here.world.user.id

    def shown(one: Item, verb: str, text: str) -> str:
        number = one["id"][1:]
        words = f"{number}. {person(here, one['by'])}, {here.look.date(one['day'])}: {one['text']}"
        turn = button(here, verb, text, f"{text} comment {number}", comment=one["id"])
        return el("div", el("p", words), turn if rules.may(file, me, "Editor") else None)

    still = [shown(one, "resolve", "Resolve") for one in file["comments"] if not one["resolved"]]
    done = [shown(one, "reopen", "Reopen") for one in file["comments"] if one["resolved"]]
    fields = (Field("text", "Comment", "long"),)
    return page(
        here, "Comments", crumbs(here, file), join(still) if still else note("No open comments"),
        menu("Resolved comments", *done) if done else None,
        form(here, "add", fields, "Add comment") if rules.may(file, me, "Commenter") else None,
        _back(here, key), heading=f"Comments on {file['name']}",
    )  # fmt: skip


@DRIVE.post("/items/{key}/comments/add")
def comment_add(here: Here, key: str) -> Redirect:
    text = here.required("text", "Comment", rules.MAX_TEXT)
    rules.add_comment(here.state, here.world.user.id, key, text, here.world.today)
    return here.to(f"/items/{key}/comments", "Comment added")


@DRIVE.post("/items/{key}/comments/resolve")
def comment_resolve(here: Here, key: str) -> Redirect:
    return _turn(here, key, True, "Comment resolved")


@DRIVE.post("/items/{key}/comments/reopen")
def comment_reopen(here: Here, key: str) -> Redirect:
    return _turn(here, key, False, "Comment is open again")


def _turn(here: Here, key: str, resolved: bool, told: str) -> Redirect:
    comment = here.form.get("comment", "")
    rules.set_resolved(here.state, here.world.user.id, key, comment, resolved)
    return here.to(f"/items/{key}/comments", told)
