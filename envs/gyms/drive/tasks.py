"""The drive's task templates: what to do, what it changes, and how a person would do it."""

from __future__ import annotations

import random
from collections import Counter

from envs.actions import Tool
from envs.gyms.drive import rules
from envs.gyms.drive.data import KINDS, LINKS, OFF, ROLES, ROOT, Item
from envs.gyms.gym import OracleLost, State
from envs.gyms.kit import ways
from envs.gyms.kit.company import Company
from envs.gyms.kit.script import GiveUp, Script
from envs.gyms.kit.template import FINISHED, Params, Redraw, Template, saw
from envs.gyms.view import Page

FILES = ("all files", saw("drive:files"))
FILE = ("file", saw("drive:file:{file}"))
OTHER = ("other file", saw("drive:file:{other}"))
SHARING = ("sharing", saw("drive:sharing:{file}"))
TRASH = ("trash", saw("drive:trash"))
STORAGE = ("storage", saw("drive:storage"))
VERSIONS = ("versions", saw("drive:versions:{file}"))
COMMENTS = ("comments", saw("drive:comments:{file}"))
FOLDER = ("folder", saw("drive:folder:{folder}"))

ENDINGS = ("approved", "signed", "for review", "to be filed", "2027 edition")
NEW_FOLDERS = ("Handover", "Board papers", "To be checked", "Shortlist", "For the auditors")


def _mine(state: State) -> State:
    part: State = state["drive"]
    return part


def _files(state: State) -> list[Item]:
    """The files that are not in the trash and that a name alone tells from all others."""
    part = _mine(state)
    everything = [*part["folders"], *part["files"]]
    count = Counter(item["name"].casefold() for item in everything)
    living = [item for item in rules.living(part) if rules.is_file(item)]
    return [file for file in living if count[file["name"].casefold()] == 1]


def _own(world: Company, state: State) -> list[Item]:
    return [file for file in _files(state) if file["owner"] == world.user.id]


def _one_of(rng: random.Random, files: list[Item], what: str) -> Item:
    if not files:
        raise Redraw(f"there is no file that {what}")
    return rng.choice(files)


def _named(file: Item) -> Params:
    return {"file": file["id"], "name": file["name"]}


def _an_own(world: Company, rng: random.Random, state: State) -> Params:
    return _named(_one_of(rng, _own(world, state), "is the user's"))


def _colleague(world: Company, rng: random.Random, without: list[str]) -> Params:
    """Someone who is not one of these; the name is unique."""
    found = rng.choice([one for one in world.people if one.id not in without])
    return {"person": found.id, "who": found.name}


def _a_folder(rng: random.Random, part: State, without: str, names: list[str]) -> Item:
    """One into which things with these names can be put."""
    found: Item = rng.choice([f for f in part["folders"] if f["id"] != without])
    taken = {item["name"].casefold() for item in rules.children(part, found["id"])}
    if taken & {name.casefold() for name in names}:
        raise Redraw("the names are taken in every folder")
    return found


def _new_name(rng: random.Random, state: State, name: str) -> str:
    base = name.removesuffix(" - copy")
    made = f"{base} {rng.choice(ENDINGS)}"
    if made in [file["name"] for file in _mine(state)["files"]]:
        raise Redraw("all new names are taken")
    return made


def _to_file(page: Page, p: Params, name: str = "name") -> ways.Way:
    page = yield from ways.go(page, "All files")
    page = yield from ways.search(page, p[name])
    return (yield from ways.open_item(page, p[name]))


def _more(page: Page, item: str, thought: str) -> ways.Way:
    page = yield from ways.press(page, "what else there is", "More")
    return (yield from ways.open_link(page, thought, item))


def _text_after(page: Page, role: str, name: str) -> str:
    """The first text after an element."""
    lines = iter(page.lines)
    for line in lines:
        if line.ref is not None and line.role == role and line.name == name:
            for text in lines:
                if text.ref is None and text.name:
                    return text.name
    raise OracleLost(f"nothing follows {role} {name!r} on page {page.title!r}")


# Single files.


def _draw_plain(world: Company, rng: random.Random, state: State) -> Params:
    files = [file for file in _files(state) if not file["starred"]]
    return _named(_one_of(rng, files, "has no star"))


def _star(page: Page, p: Params) -> Script:
    page = yield from _to_file(page, p)
    yield from ways.press(page, "mark it", "Star")
    return None


def _draw_rename(world: Company, rng: random.Random, state: State) -> Params:
    params = _an_own(world, rng, state)
    return params | {"new": _new_name(rng, state, params["name"])}


def _expect_rename(world: Company, p: Params, state: State) -> None:
    rules.rename(_mine(state), world.user.id, p["file"], p["new"])


def _rename_it(page: Page, p: Params) -> ways.Way:
    page = yield from ways.open_link(page, "give it another name", "Rename")
    page = yield from ways.fill(page, {"Name": p["new"]})
    return (yield from ways.press(page, "save it", "Save name"))


def _rename(page: Page, p: Params) -> Script:
    page = yield from _to_file(page, p)
    yield from _rename_it(page, p)
    return None


def _draw_twin(world: Company, rng: random.Random, state: State) -> Params:
    """A file of which a namesake is in another folder."""
    part = _mine(state)
    files = [item for item in rules.living(part) if rules.is_file(item)]
    count = Counter(file["name"] for file in files)
    twins = [f for f in files if count[f["name"]] > 1 and f["owner"] == world.user.id]
    file = _one_of(rng, twins, "has a namesake")
    path = rules.path_of(part, file["folder"])
    return _named(file) | {"path": path, "new": _new_name(rng, state, file["name"])}


def _rename_twin(page: Page, p: Params) -> Script:
    page = yield from ways.go(page, "All files")
    page = yield from ways.search(page, p["name"])
    page = yield from ways.open_item(page, f"{p['name']} in {p['path']}", "the one in this folder")
    yield from _rename_it(page, p)
    return None


def _draw_readable(world: Company, rng: random.Random, state: State) -> Params:
    files = [
        file
        for file in _files(state)
        if rules.role_of(file, world.user.id) in ("Viewer", "Commenter")
    ]
    file = _one_of(rng, files, "the user can only read")
    return _named(file) | {"new": _new_name(rng, state, file["name"])}


def _rename_refused(page: Page, p: Params) -> Script:
    page = yield from _to_file(page, p)
    role = ways.value_of(page, "Your role")
    if role in ("Viewer", "Commenter"):
        raise GiveUp(f"as a {role.lower()} I cannot rename it")
    return None


def _draw_move(world: Company, rng: random.Random, state: State) -> Params:
    part = _mine(state)
    params = _an_own(world, rng, state)
    file = rules.file_of(part, params["file"])
    folder = _a_folder(rng, part, file["folder"], [file["name"]])
    return params | {"folder": folder["id"], "path": rules.path_of(part, folder["id"])}


def _move_it(page: Page, p: Params, path: str = "path") -> ways.Way:
    page = yield from ways.open_link(page, "it belongs elsewhere", "Move")
    page = yield from ways.fill(page, {"Folder": p[path]})
    return (yield from ways.press(page, "there", "Move here"))


def _move(page: Page, p: Params) -> Script:
    page = yield from _to_file(page, p)
    yield from _move_it(page, p)
    return None


def _expect_move(world: Company, p: Params, state: State) -> None:
    rules.move(_mine(state), world.user.id, p["file"], p["folder"])


def _draw_drag(world: Company, rng: random.Random, state: State) -> Params:
    """A file and a folder next to it, both high up in their folder's list."""
    part = _mine(state)
    names = Counter(item["name"] for item in (*part["folders"], *part["files"]))
    place = rng.choice([f for f in part["folders"][1:] if names[f["name"]] == 1])
    shown = sorted(rules.children(part, place["id"]), key=lambda item: item["name"].casefold())[:8]
    folders = [item for item in shown if not rules.is_file(item)]
    own = {file["id"] for file in _own(world, state)}
    files = [item for item in shown if item["id"] in own]
    if not folders:
        raise Redraw("no folder has both a folder and a file in it")
    file, folder = _one_of(rng, files, "is next to a folder"), rng.choice(folders)
    if file["name"] in [item["name"] for item in rules.children(part, folder["id"])]:
        raise Redraw("the names are taken")
    return _named(file) | {
        "folder": folder["id"], "onto": folder["name"], "inside": place["name"],
        "place": place["id"], "path": rules.path_of(part, place["id"]),
    }  # fmt: skip


def _drag(page: Page, p: Params) -> Script:
    page = yield from ways.go(page, "All files")
    page = yield from ways.search(page, p["inside"])
    page = yield from ways.open_item(page, p["inside"])
    yield from ways.drag(page, "drag it there", p["name"], p["onto"])
    return None


def _move_calls(p: Params) -> list[Tool]:
    return [Tool(name="drive.move", arguments={"item": p["file"], "folder": p["folder"]})]


def _draw_copy(world: Company, rng: random.Random, state: State) -> Params:
    part = _mine(state)
    file = _one_of(rng, _files(state), "can be copied")
    new = _new_name(rng, state, file["name"])
    folder = _a_folder(rng, part, file["folder"], [new])
    return _named(file) | {
        "new": new, "folder": folder["id"], "path": rules.path_of(part, folder["id"])
    }  # fmt: skip


def _copy(page: Page, p: Params) -> Script:
    page = yield from _to_file(page, p)
    page = yield from _more(page, "Make a copy", "a copy of it")
    page = yield from ways.fill(page, {"Name of the copy": p["new"], "Folder": p["path"]})
    yield from ways.press(page, "make it", "Create copy")
    return None


def _draw_description(world: Company, rng: random.Random, state: State) -> Params:
    file = _one_of(rng, [f for f in _own(world, state) if not f["description"]], "has no words")
    known = [f for f in _files(state) if f["description"] and f is not file]
    other = _one_of(rng, known, "has a description")
    return _named(file) | {"other": other["id"], "other_name": other["name"]}


def _expect_description(world: Company, p: Params, state: State) -> None:
    part = _mine(state)
    text = rules.file_of(part, p["other"])["description"]
    rules.describe(part, world.user.id, p["file"], text)


def _describe_alike(page: Page, p: Params) -> Script:
    page = yield from _to_file(page, p, "other_name")
    text = ways.value_of(page, "Description")
    page = yield from _to_file(page, p)
    page = yield from _more(page, "Edit description", "write the same here")
    page = yield from ways.fill(page, {"Description": text})
    yield from ways.press(page, "save it", "Save description")
    return None


# Comparisons.


def _draw_pair(world: Company, rng: random.Random, state: State) -> Params:
    """Two near-duplicates: the words that they begin with are the same."""
    files = [file for file in _files(state) if not file["starred"]]
    first = _one_of(rng, files, "has no star")
    start = " ".join(first["name"].split()[:2])
    near = [f for f in files if f is not first and f["name"].startswith(start)]
    other = _one_of(rng, near, "is called nearly the same")
    if first["modified"] == other["modified"]:
        raise Redraw("all near-duplicates are of the same day")
    return _named(first) | {"other": other["id"], "other_name": other["name"], "start": start}


def _expect_star_of_pair(world: Company, p: Params, state: State, by: str) -> None:
    part = _mine(state)
    pair = [rules.file_of(part, p["file"]), rules.file_of(part, p["other"])]
    rules.set_star(part, max(pair, key=lambda file: file[by])["id"], True)


def _star_larger(page: Page, p: Params) -> Script:
    page = yield from _to_file(page, p)
    first = int(ways.value_of(page, "Size").partition(" ")[0])
    page = yield from _to_file(page, p, "other_name")
    if first > int(ways.value_of(page, "Size").partition(" ")[0]):
        page = yield from _to_file(page, p)
    yield from ways.press(page, "this one is larger", "Star")
    return None


def _star_newer(page: Page, p: Params) -> Script:
    page = yield from ways.go(page, "All files")
    page = yield from ways.search(page, p["start"])
    page = yield from ways.narrow(page, "Sort", "Last modified", "the newest first")
    pair = (p["name"], p["other_name"])
    first = next((line.name for line in page.of("link") if line.name in pair), pair[0])
    page = yield from ways.open_item(page, first, "this one is newer")
    yield from ways.press(page, "mark it", "Star")
    return None


def _draw_largest(world: Company, rng: random.Random, state: State) -> Params:
    """Of an owner and a kind, so that several are in question."""
    file = _one_of(rng, _files(state), "can be the largest")
    same = [f for f in _alive(state) if (f["owner"], f["kind"]) == (file["owner"], file["kind"])]
    if len(same) < 2 or max(same, key=lambda f: f["size"]) is not file:
        raise Redraw("no file is the largest of several")
    return {"who": world.person(file["owner"]).name, "kind": file["kind"], "owner": file["owner"]}


def _alive(state: State) -> list[Item]:
    return [item for item in rules.living(_mine(state)) if rules.is_file(item)]


def _of_owner(p: Params, state: State) -> list[Item]:
    return [f for f in _alive(state) if (f["owner"], f["kind"]) == (p["owner"], p["kind"])]


def _largest(world: Company, p: Params, before: State) -> str:
    return str(max(_of_owner(p, before), key=lambda file: file["size"])["name"])


def _narrow_to(page: Page, p: Params) -> ways.Way:
    page = yield from ways.go(page, "All files")
    page = yield from ways.narrow(page, "Owner", p["who"])
    return (yield from ways.narrow(page, "Kind", p["kind"]))


def _find_largest(page: Page, p: Params) -> Script:
    page = yield from _narrow_to(page, p)
    page = yield from ways.narrow(page, "Sort", "Largest", "the largest first")
    heads = [index for index, line in enumerate(page.lines) if " found, sorted by " in line.name]
    return next(line.name for line in page.lines[heads[0] :] if line.role == "link")


def _draw_several(world: Company, rng: random.Random, state: State) -> Params:
    owner, kind = rng.choice(_alive(state))["owner"], rng.choice(KINDS)
    params = {"who": world.person(owner).name, "kind": kind, "owner": owner}
    if len(_of_owner(params, state)) < 3:
        raise Redraw("nobody owns three files of a kind")
    return params


def _count(page: Page, p: Params) -> Script:
    page = yield from _narrow_to(page, p)
    told = next(line.name for line in page.lines if " found, sorted by " in line.name)
    return told.partition(" ")[0]


def _draw_storage(world: Company, rng: random.Random, state: State) -> Params:
    return {"kind": rng.choice(KINDS)}


def _stored(world: Company, p: Params, before: State) -> str:
    mine = [f for f in _alive(before) if f["owner"] == world.user.id and f["kind"] == p["kind"]]
    return str(sum(file["size"] for file in mine))


def _read_stored(page: Page, p: Params) -> Script:
    page = yield from ways.go(page, "Storage")
    return ways.value_of(page, p["kind"]).partition(" ")[0]


def _draw_date(world: Company, rng: random.Random, state: State) -> Params:
    return _named(_one_of(rng, _files(state), "has a date"))


def _read_date(page: Page, p: Params) -> Script:
    page = yield from _to_file(page, p)
    return ways.value_of(page, "Modified")


# Sharing.


def _draw_share(world: Company, rng: random.Random, state: State) -> Params:
    file = _one_of(rng, _own(world, state), "is the user's")
    have = [file["owner"], *(one["id"] for one in file["shares"])]
    return _named(file) | _colleague(world, rng, have) | {"role": rng.choice(ROLES)}


def _expect_share(world: Company, p: Params, state: State) -> None:
    rules.share(_mine(state), world.user.id, p["file"], p["person"], p["role"])


def _share_with(page: Page, who: str, role: str) -> ways.Way:
    page = yield from ways.fill(page, {"Person": who, "Role": role})
    return (yield from ways.press(page, "share it", "Share"))


def _to_sharing(page: Page, p: Params, name: str = "name") -> ways.Way:
    page = yield from _to_file(page, p, name)
    return (yield from ways.open_link(page, "who may see it", "Sharing"))


def _share(page: Page, p: Params) -> Script:
    page = yield from _to_sharing(page, p)
    yield from _share_with(page, p["who"], p["role"])
    return None


def _share_calls(p: Params) -> list[Tool]:
    arguments = {"file": p["file"], "person": p["who"], "role": p["role"]}
    return [Tool(name="drive.share", arguments=arguments)]


def _draw_role(world: Company, rng: random.Random, state: State) -> Params:
    file = _one_of(rng, [f for f in _own(world, state) if f["shares"]], "is shared")
    one = rng.choice(file["shares"])
    return _named(file) | {
        "person": one["id"],
        "who": world.person(one["id"]).name,
        "old_role": one["role"],
        "role": rng.choice([role for role in ROLES if role != one["role"]]),
    }


def _change_role(page: Page, p: Params) -> Script:
    page = yield from _to_sharing(page, p)
    page = yield from ways.open_link(page, "this is the person", p["who"])
    page = yield from ways.fill(page, {"Role": p["role"]})
    yield from ways.press(page, "save it", "Save role")
    return None


def _stop_sharing(page: Page, p: Params) -> Script:
    page = yield from _to_sharing(page, p)
    page = yield from ways.open_link(page, "this is the person", p["who"])
    yield from ways.sure(page, "Stop sharing")
    return None


def _draw_link(world: Company, rng: random.Random, state: State) -> Params:
    file = _one_of(rng, [f for f in _own(world, state) if f["link"] == OFF], "has no link")
    day = world.day(rng.randint(3, 120))
    return _named(file) | {
        "link": rng.choice([link for link in LINKS if link != OFF]),
        "day": day,
        "date": world.look.date(day),
    }


def _open_link_access(page: Page, p: Params) -> Script:
    page = yield from _to_sharing(page, p)
    page = yield from ways.fill(page, {"Link access": p["link"], "Ends on": p["date"]})
    yield from ways.press(page, "save it", "Save link access")
    return None


def _transfer_page(page: Page, p: Params) -> ways.Way:
    page = yield from _to_file(page, p)
    return (yield from _more(page, "Transfer ownership", "somebody else shall own it"))


def _transfer(page: Page, p: Params) -> Script:
    page = yield from _transfer_page(page, p)
    page = yield from ways.fill(page, {"New owner": p["who"]})
    page = yield from ways.press(page, "that is the one", "Continue")
    yield from ways.sure(page, "Transfer ownership")
    return None


def _draw_foreign(world: Company, rng: random.Random, state: State) -> Params:
    """A file of somebody else, whatever the user's role on it is."""
    files = [file for file in _files(state) if file["owner"] != world.user.id]
    file = _one_of(rng, files, "belongs to others")
    return _named(file) | _colleague(world, rng, [file["owner"], world.user.id])


def _transfer_refused(page: Page, p: Params) -> Script:
    page = yield from _transfer_page(page, p)
    owner = page.says("Only the owner can transfer it: ")
    if owner is not None:
        raise GiveUp(f"only {owner} can do that")
    return None


def _draw_shared_pair(world: Company, rng: random.Random, state: State) -> Params:
    """A file that is shared with two, and one of the user's with none of them."""
    own = _own(world, state)
    first = _one_of(rng, [f for f in own if len(f["shares"]) == 2], "is shared with two")
    people = {one["id"] for one in first["shares"]}
    others = [f for f in own if not people & {one["id"] for one in f["shares"]}]
    second = _one_of(rng, others, "is shared with none of them")
    return _named(second) | {"other": first["id"], "other_name": first["name"]}


def _expect_shared_alike(world: Company, p: Params, state: State) -> None:
    part = _mine(state)
    for one in rules.file_of(part, p["other"])["shares"]:
        rules.share(part, world.user.id, p["file"], one["id"], one["role"])


def _share_alike(page: Page, p: Params) -> Script:
    page = yield from _to_sharing(page, p, "other_name")
    owner = next(at for at, line in enumerate(page.lines) if line.name == rules.OWNER)
    people = []
    for line, role in zip(page.lines[owner:], page.lines[owner + 1 :], strict=False):
        if line.role == "link" and role.name in ROLES:
            people.append((line.name, role.name))
    page = yield from _to_sharing(page, p)
    for who, role_name in people:
        page = yield from _share_with(page, who, role_name)
    return None


# Versions and comments.


def _draw_version(world: Company, rng: random.Random, state: State) -> Params:
    files = [f for f in _own(world, state) if len(f["versions"]) > 2]
    file = _one_of(rng, files, "has three versions")
    old = rng.choice(file["versions"][:-1])
    return _named(file) | {
        "version": old["id"], "number": old["id"][1:], "date": world.look.date(old["day"])
    }  # fmt: skip


def _expect_version(world: Company, p: Params, state: State) -> None:
    rules.restore_version(_mine(state), world.user.id, p["file"], p["version"], world.today)


def _restore_version(page: Page, p: Params) -> Script:
    page = yield from _to_file(page, p)
    page = yield from ways.open_link(page, "what it was before", "Versions")
    names = [line.name for line in page.of("link") if line.name.startswith("Version ")]
    old = next(name for name in names if _text_after(page, "link", name) == p["date"])
    page = yield from ways.open_link(page, "this was saved on that day", old)
    yield from ways.sure(page, "Restore this version")
    return None


def _read_version(page: Page, p: Params) -> Script:
    page = yield from _to_file(page, p)
    page = yield from ways.open_link(page, "what it was before", "Versions")
    return _text_after(page, "link", f"Version {p['number']}")


def _version_day(world: Company, p: Params, before: State) -> str:
    versions = rules.file_of(_mine(before), p["file"])["versions"]
    return str(next(one["day"] for one in versions if one["id"] == p["version"]))


def _draw_comment(world: Company, rng: random.Random, state: State) -> Params:
    def still(file: Item) -> list[Item]:
        return [one for one in file["comments"] if not one["resolved"]]

    files = [file for file in _own(world, state) if len(still(file)) > 1]
    file = _one_of(rng, files, "has two open comments")
    one = rng.choice(still(file))
    return _named(file) | {"comment": one["id"], "who": world.person(one["by"]).name}


def _resolve(page: Page, p: Params) -> Script:
    page = yield from _to_file(page, p)
    page = yield from ways.open_link(page, "what people say", "Comments")
    told = next(line.name for line in page.lines if f". {p['who']}, " in line.name)
    number = told.partition(".")[0]
    yield from ways.press(page, "that is settled", f"Resolve comment {number}")
    return None


# The trash.


def _throw_away(page: Page, p: Params) -> Script:
    page = yield from ways.press(page, "what else there is", "More")
    yield from ways.sure(page, "Move to trash")
    return None


def _trash(page: Page, p: Params) -> Script:
    page = yield from _to_file(page, p)
    return (yield from _throw_away(page, p))


def _expect_trash(world: Company, p: Params, state: State) -> None:
    rules.trash(_mine(state), world.user.id, p["file"], world.today)


def _draw_nothing(world: Company, rng: random.Random, state: State) -> Params:
    mine = [f for f in _alive(state) if f["owner"] == world.user.id]
    return _named(max(mine, key=lambda file: file["size"]))


def _trash_largest(page: Page, p: Params) -> Script:
    page = yield from ways.go(page, "Storage")
    page = yield from ways.open_item(page, p["name"], "the largest is the first")
    return (yield from _throw_away(page, p))


def _draw_trashed(world: Company, rng: random.Random, state: State) -> Params:
    """A file in the trash with a name of its own, and a folder that can take it."""
    part = _mine(state)
    count = Counter(item["name"].casefold() for item in (*part["folders"], *part["files"]))
    thrown = [i for i in rules.trashed(part) if count[i["name"].casefold()] == 1]
    file = _one_of(rng, [i for i in thrown if i["owner"] == world.user.id], "is in the trash")
    folder = _a_folder(rng, part, file["folder"], [file["name"]])
    path = rules.path_of(part, folder["id"])
    return _named(file) | {"folder": folder["id"], "path": path}


def _to_trashed(page: Page, p: Params) -> ways.Way:
    page = yield from ways.go(page, "Trash")
    page = yield from ways.search(page, p["name"])
    return (yield from ways.open_item(page, p["name"]))


def _restore(page: Page, p: Params) -> Script:
    page = yield from _to_trashed(page, p)
    page = yield from ways.press(page, "it is needed again", "Restore")
    yield from _move_it(page, p)
    return None


def _expect_restored(world: Company, p: Params, state: State) -> None:
    rules.restore(_mine(state), world.user.id, p["file"])
    _expect_move(world, p, state)


def _delete(page: Page, p: Params) -> Script:
    page = yield from _to_trashed(page, p)
    yield from ways.sure(page, "Delete for good")
    return None


# Folders.


def _draw_folder(world: Company, rng: random.Random, state: State) -> Params:
    """Where to make a folder, and what it is called."""
    part = _mine(state)
    new = rng.choice(NEW_FOLDERS)
    names = Counter(item["name"] for item in (*part["folders"], *part["files"]))
    folder = _a_folder(rng, part, ROOT, [new])
    if names[folder["name"]] > 1:
        raise Redraw("all folders have namesakes")
    path = rules.path_of(part, folder["id"])
    made = rules.next_folder(part)
    return {"folder": folder["id"], "inside": folder["name"], "path": path, "new": new,
            "made": made, "new_path": f"{path} / {new}"}  # fmt: skip


def _make_folder(page: Page, p: Params) -> ways.Way:
    page = yield from ways.go(page, "All files")
    page = yield from ways.search(page, p["inside"])
    page = yield from ways.open_item(page, p["inside"])
    page = yield from ways.open_link(page, "inside of this one", "New folder")
    page = yield from ways.fill(page, {"Name": p["new"]})
    return (yield from ways.press(page, "make it", "Create folder"))


def _new_folder(page: Page, p: Params) -> Script:
    yield from _make_folder(page, p)
    return None


def _expect_folder(world: Company, p: Params, state: State) -> None:
    rules.create_folder(_mine(state), world.user.id, p["new"], p["folder"])


def _folder_calls(p: Params) -> list[Tool]:
    arguments = {"name": p["new"], "inside": p["folder"]}
    return [Tool(name="drive.create_folder", arguments=arguments)]


def _draw_collection(world: Company, rng: random.Random, state: State) -> Params:
    params = _draw_folder(world, rng, state)
    files = rng.sample(_own(world, state), 3)
    for letter, file in zip("abc", files, strict=True):
        params |= {letter: file["id"], f"{letter}_name": file["name"]}
    return params


def _collect(page: Page, p: Params) -> Script:
    page = yield from _make_folder(page, p)
    for letter in "abc":
        page = yield from _to_file(page, p, f"{letter}_name")
        page = yield from _move_it(page, p, "new_path")
    return None


def _expect_collection(world: Company, p: Params, state: State) -> None:
    _expect_folder(world, p, state)
    for letter in "abc":
        rules.move(_mine(state), world.user.id, p[letter], p["made"])


def _collect_calls(p: Params) -> list[Tool]:
    moves = [
        Tool(name="drive.move", arguments={"item": p[letter], "folder": p["made"]})
        for letter in "abc"
    ]
    return _folder_calls(p) + moves


def _draw_cleanup(world: Company, rng: random.Random, state: State) -> Params:
    """Three near-duplicates, of which only the newest is kept."""
    own = _own(world, state)
    first = _one_of(rng, own, "is the user's")
    start = " ".join(first["name"].split()[:2])
    family = [file for file in own if file["name"].startswith(start)]
    if len(family) < 3:
        raise Redraw("no three files of the user are called nearly the same")
    files = rng.sample(family, 3)
    if len({file["modified"] for file in files}) < 3:
        raise Redraw("near-duplicates are of the same day")
    params: Params = {"start": start}
    for letter, file in zip("abc", files, strict=True):
        params |= {letter: file["id"], f"{letter}_name": file["name"]}
    return params


def _old_ones(p: Params, state: State) -> list[Item]:
    files = [rules.file_of(_mine(state), p[letter]) for letter in "abc"]
    return sorted(files, key=lambda file: file["modified"])[:2]


def _expect_cleanup(world: Company, p: Params, state: State) -> None:
    for file in _old_ones(p, state):
        rules.trash(_mine(state), world.user.id, file["id"], world.today)


def _clean_up(page: Page, p: Params) -> Script:
    names = [p[f"{letter}_name"] for letter in "abc"]
    for left in (3, 2):
        page = yield from ways.go(page, "All files")
        page = yield from ways.search(page, p["start"])
        page = yield from ways.narrow(page, "Sort", "Oldest", "the oldest first")
        oldest: str | None = None
        while oldest is None:
            oldest = next((line.name for line in page.of("link") if line.name in names), None)
            if oldest is None:
                page = yield from ways.open_link(page, "further on", "Next page")
        names.remove(oldest)
        page = yield from ways.open_item(page, oldest, f"the oldest of {left}")
        page = yield from ways.press(page, "what else there is", "More")
        page = yield from ways.sure(page, "Move to trash")
    return None


TEMPLATES = (
    Template(
        "star_file", ("search",), 5,
        ('Star the file "{name}".', 'Mark the file "{name}" with a star.',
         'I want to find "{name}" again quickly: star it.'),
        _draw_plain, _star, (FILES, FILE, FINISHED),
        lambda world, p, state: rules.set_star(_mine(state), p["file"], True),
        calls=lambda p: [Tool(name="drive.star", arguments={"file": p["file"]})],
    ),
    Template(
        "rename_file", ("search", "form"), 7,
        ('Rename the file "{name}" to "{new}".', 'The file "{name}" should be called "{new}".'),
        _draw_rename, _rename, (FILES, FILE, FINISHED), _expect_rename,
    ),
    Template(
        "rename_twin", ("search", "form", "compare"), 7,
        ('There are two files called "{name}". Rename the one in the folder {path} to "{new}".',
         'In {path}, rename "{name}" to "{new}". Leave its namesake in the other folder alone.'),
        _draw_twin, _rename_twin, (FILES, FILE, FINISHED), _expect_rename,
    ),
    Template(
        "rename_refused", ("search", "refuse"), 4,
        ('Rename the file "{name}" to "{new}", if your role on it allows that.',
         'Call the file "{name}" "{new}" instead. If you may not, say that it cannot be done.'),
        _draw_readable, _rename_refused, (FILES, FILE, FINISHED), infeasible=True,
        must_see=("drive:file:{file}",),
    ),
    Template(
        "move_file", ("search", "form"), 7,
        ('Move the file "{name}" to the folder {path}.',
         'The file "{name}" belongs in {path}. Put it there.'),
        _draw_move, _move, (FILES, FILE, FINISHED), _expect_move, calls=_move_calls,
    ),
    Template(
        "drag_file", ("search", "drag"), 5,
        ('Open the folder {path} and drag "{name}" onto its folder {onto}.',
         'In {path}, put the file "{name}" into the subfolder {onto}.'),
        _draw_drag, _drag,
        (("place", saw("drive:folder:{place}")), FINISHED), _expect_move, calls=_move_calls,
    ),
    Template(
        "copy_file", ("search", "menu", "form"), 9,
        ('Make a copy of "{name}", call it "{new}" and put it in {path}.',
         'Copy the file "{name}" to the folder {path} under the name "{new}".'),
        _draw_copy, _copy, (FILES, FILE, FINISHED),
        lambda world, p, state: rules.copy_file(
            _mine(state), world.user.id, p["file"], p["new"], p["folder"], world.today
        ),
    ),
    Template(
        "describe_alike", ("search", "recall", "menu", "form"), 12,
        ('Give the file "{name}" the same description as "{other_name}" has.',
         'Copy the description of "{other_name}" to the file "{name}", word for word.'),
        _draw_description, _describe_alike, (OTHER, FILE, FINISHED), _expect_description,
    ),
    Template(
        "star_larger", ("search", "compare"), 13,
        ('Which is larger, "{name}" or "{other_name}"? Star that file.',
         'Star the larger one of the files "{name}" and "{other_name}", not the other.'),
        _draw_pair, _star_larger, (FILES, FINISHED),
        lambda world, p, state: _expect_star_of_pair(world, p, state, "size"),
    ),
    Template(
        "star_newer", ("search", "sort", "compare"), 8,
        ('Star whichever of "{name}" and "{other_name}" was modified last.',
         'Of the files "{name}" and "{other_name}", star the newer one.'),
        _draw_pair, _star_newer, (FILES, FINISHED),
        lambda world, p, state: _expect_star_of_pair(world, p, state, "modified"),
    ),
    Template(
        "largest_file", ("filter", "sort", "answer"), 8,
        ("What is the name of the largest file of the kind {kind} that {who} owns?",
         "{who} owns several files of the kind {kind}. Which is the largest? Give its name."),
        _draw_largest, _find_largest, (FILES, FINISHED), answer=_largest,
    ),
    Template(
        "count_files", ("filter", "answer"), 6,
        ("How many files of the kind {kind} does {who} own, not counting the trash?",
         "Count the files outside of the trash that are of the kind {kind} and owned by {who}."),
        _draw_several, _count, (FILES, FINISHED),
        answer=lambda world, p, before: str(len(_of_owner(p, before))), answer_kind="number",
    ),
    Template(
        "storage_used", ("answer",), 2,
        ("How many KB do the files of the kind {kind} take up that you own (without the trash)? "
         "Answer with the number.",
         "What do your files of the kind {kind} add up to in KB, leaving out the trash? Answer "
         "with the number alone."),
        _draw_storage, _read_stored, (STORAGE, FINISHED), answer=_stored, answer_kind="number",
    ),
    Template(
        "modified_on", ("search", "answer"), 4,
        ('On which day was the file "{name}" last modified?',
         'When was "{name}" modified last? Answer with the date.'),
        _draw_date, _read_date, (FILES, FINISHED),
        answer=lambda world, p, before: str(
            rules.file_of(_mine(before), p["file"])["modified"]
        ),
        answer_kind="date",
    ),
    Template(
        "share_file", ("search", "form"), 8,
        ('Share the file "{name}" with {who} as {role}.',
         '{who} needs the file "{name}". Share it with the role {role}.'),
        _draw_share, _share, (FILES, SHARING, FINISHED), _expect_share, calls=_share_calls,
    ),
    Template(
        "change_role", ("search", "form"), 8,
        ('{who} is {old_role} of "{name}". Make it {role}.',
         'Change the role of {who} on the file "{name}" to {role}.'),
        _draw_role, _change_role, (FILES, SHARING, FINISHED),
        lambda world, p, state: rules.change_role(
            _mine(state), world.user.id, p["file"], p["person"], p["role"]
        ),
    ),
    Template(
        "stop_sharing", ("search", "dialog"), 8,
        ('Stop sharing the file "{name}" with {who}.',
         '{who} should no longer have access to "{name}". Take it away.'),
        _draw_role, _stop_sharing, (FILES, SHARING, FINISHED),
        lambda world, p, state: rules.stop_sharing(
            _mine(state), world.user.id, p["file"], p["person"]
        ),
    ),
    Template(
        "link_until", ("search", "form", "date"), 9,
        ('Let everybody with the link open "{name}" ({link}) until {date}.',
         'Set the link access of the file "{name}" to {link}, ending on {date}.'),
        _draw_link, _open_link_access, (FILES, SHARING, FINISHED),
        lambda world, p, state: rules.set_link(
            _mine(state), world.user.id, p["file"], p["link"], p["day"], world.today
        ),
    ),
    Template(
        "transfer_file", ("search", "menu", "dialog", "form"), 10,
        ('Make {who} the owner of the file "{name}".',
         'Transfer the ownership of "{name}" to {who}.'),
        _draw_share, _transfer, (FILES, FILE, FINISHED),
        lambda world, p, state: rules.transfer(
            _mine(state), world.user.id, p["file"], p["person"]
        ),
    ),
    Template(
        "transfer_refused", ("search", "menu", "refuse"), 6,
        ('Transfer the ownership of the file "{name}" to {who}.',
         'Make {who} the owner of "{name}". If you may not do that, say so.'),
        _draw_foreign, _transfer_refused, (FILES, FILE, FINISHED), infeasible=True,
        must_see=("drive:file:{file}",),
    ),
    Template(
        "share_alike", ("search", "recall", "form", "multi-step"), 16,
        ('Share "{name}" with the two people who have access to "{other_name}" besides its owner, '
         "each with the role they have there.",
         'Everybody with whom "{other_name}" is shared should get the same role on "{name}".'),
        _draw_shared_pair, _share_alike,
        (("other sharing", saw("drive:sharing:{other}")), SHARING, FINISHED), _expect_shared_alike,
    ),
    Template(
        "restore_version", ("search", "compare", "dialog"), 8,
        ('Bring back the version of "{name}" that was saved on {date}.',
         'The file "{name}" was better on {date}. Restore the version saved that day.'),
        _draw_version, _restore_version, (FILES, VERSIONS, FINISHED), _expect_version,
    ),
    Template(
        "version_date", ("search", "answer"), 5,
        ('On which day was version {number} of "{name}" saved?',
         'Give the date on which version {number} of the file "{name}" was saved.'),
        _draw_version, _read_version, (FILES, VERSIONS, FINISHED), answer=_version_day,
        answer_kind="date",
    ),
    Template(
        "resolve_comment", ("search",), 6,
        ('Resolve the comment by {who} on the file "{name}".',
         'What {who} says in a comment on "{name}" is settled: resolve it, leave the others open.'),
        _draw_comment, _resolve, (FILES, COMMENTS, FINISHED),
        lambda world, p, state: rules.set_resolved(
            _mine(state), world.user.id, p["file"], p["comment"], True
        ),
    ),
    Template(
        "trash_file", ("search", "menu", "dialog"), 7,
        ('Move the file "{name}" to the trash.', 'Throw away the file "{name}".'),
        lambda world, rng, state: _an_own(world, rng, state), _trash, (FILES, FILE, FINISHED),
        _expect_trash,
    ),
    Template(
        "trash_largest", ("sort", "menu", "dialog"), 6,
        ("Move the largest file that you own to the trash.",
         "Your drive is nearly full: throw away the largest one of your own files."),
        _draw_nothing, _trash_largest, (FILE, FINISHED), _expect_trash,
    ),
    Template(
        "restore_file", ("search", "form", "multi-step"), 8,
        ('Take the file "{name}" out of the trash and put it in the folder {path}.',
         '"{name}" was thrown away by mistake. Restore it, then move it to {path}.'),
        _draw_trashed, _restore, (TRASH, FILE, FINISHED), _expect_restored,
    ),
    Template(
        "delete_file", ("search", "dialog"), 6,
        ('Delete the file "{name}", which is in the trash, for good. Keep the rest of the trash.',
         'Remove "{name}" from the trash for ever, and nothing else.'),
        _draw_trashed, _delete, (TRASH, FILE, FINISHED),
        lambda world, p, state: rules.delete(_mine(state), world.user.id, p["file"]),
    ),
    Template(
        "new_folder", ("search", "form"), 8,
        ('Make a folder "{new}" inside of {path}.', 'Create the folder "{new}" in {path}.'),
        _draw_folder, _new_folder, (FOLDER, FINISHED), _expect_folder, calls=_folder_calls,
    ),
    Template(
        "collect_files", ("search", "form", "multi-step"), 29,
        ('Make a folder "{new}" inside of {path} and move three files into it: "{a_name}", '
         '"{b_name}" and "{c_name}".',
         'Collect "{a_name}", "{b_name}" and "{c_name}" in a new folder "{new}" in {path}.'),
        _draw_collection, _collect,
        (FOLDER, ("new folder", saw("drive:folder:{made}")), FINISHED), _expect_collection,
        calls=_collect_calls,
    ),
    Template(
        "keep_newest", ("search", "sort", "compare", "multi-step"), 18,
        ('Of "{a_name}", "{b_name}" and "{c_name}" keep only the file that was modified last. Move '
         "the other two to the trash.",
         'Look when "{a_name}", "{b_name}" and "{c_name}" were modified, and throw away the two '
         "older ones."),
        _draw_cleanup, _clean_up, (FILES, FINISHED), _expect_cleanup,
    ),
)  # fmt: skip
