"""What a seed makes of the drive: 40 folders, some 200 files with near-duplicate names.

Guarantees: no two files have the same size, so "the largest" is one; names are unique in a folder,
but a few files have a namesake in another folder.
"""

from __future__ import annotations

import random
from typing import Any

from envs.gyms.gym import State
from envs.gyms.kit.company import Company

Item = dict[str, Any]

KINDS = ("Document", "Sheet", "Slides", "PDF", "Image")
FOLDER = "Folder"
ROLES = ("Viewer", "Commenter", "Editor")
OFF = "Off"
LINKS = (OFF, "View", "Edit")
ROOT = "root"
PROJECTS = ("Aurora", "Borealis", "Comet", "Dune", "Eclipse", "Fathom", "Glacier")
TREE = {
    "Finance": ("Budgets", "Expenses", "Taxes", "Audits"),
    "Marketing": ("Campaigns", "Logos", "Website"),
    "Team": ("Hiring", "Training", "Offsite"),
    "Templates": (),
    "Archive": (),
}
TOPICS = {
    "Clients": (("Offer", "Document"), ("Contract", "PDF"), ("Pitch", "Slides"),
                ("Prices", "Sheet"), ("Site photo", "Image")),
    "Finance": (("Budget", "Sheet"), ("Forecast", "Sheet"), ("Tax filing", "PDF"),
                ("Audit list", "Document"), ("Board deck", "Slides")),
    "Projects": (("Roadmap", "Slides"), ("Kick-off notes", "Document"), ("Risk list", "Sheet"),
                 ("Sketch", "Image"), ("Specification", "PDF")),
    "Marketing": (("Logo", "Image"), ("Banner", "Image"), ("Campaign plan", "Document"),
                  ("Ad costs", "Sheet"), ("Press kit", "PDF")),
    "Team": (("Interview guide", "Document"), ("Holiday plan", "Sheet"), ("Handbook", "PDF"),
             ("Welcome deck", "Slides"), ("Group photo", "Image")),
    "Templates": (("Letter", "Document"), ("Invoice form", "Sheet"), ("Slide master", "Slides")),
    "Archive": (("Minutes", "Document"), ("Inventory", "Sheet"), ("Old contract", "PDF")),
}  # fmt: skip
SUFFIXES = {
    "Finance": ("2024", "2025", "2026"),
    "Marketing": ("Spring", "Summer", "Autumn", "Winter"),
    "Team": ("March", "May", "June", "October"),
    "Templates": ("short", "long"),
    "Archive": ("2019", "2020", "2021", "2022"),
}
VARIANTS = ("", " - copy", " final", " v2", " draft", " old")
NOTES = (
    "For the steering group", "Numbers still to be checked", "Agreed with the board",
    "Replaces last year's", "Do not print", "Background reading", "Waiting for signatures",
)  # fmt: skip
REMARKS = (
    "Please check the totals", "Is this still the right logo?", "Page 3 is missing",
    "Can we say this in fewer words?", "The date looks wrong", "Nice work",
    "Who signs this?", "Let us talk about the second part", "The link is broken",
    "This number differs from the report", "Add the source", "Typo in the title",
)  # fmt: skip
SAVED = ("Small corrections", "New figures", "After the review", "Second half added", "Reworded")
TRASHED, TWINS, SIZES = 12, 8, 48_000


def fresh(world: Company) -> State:
    rng = world.rng("drive")
    others = [person.id for person in world.people if person.id != world.user.id]
    crew = rng.sample(others, 8)
    folders = _folders(world, rng, crew)
    files: list[Item] = []
    sizes = rng.sample(range(40, SIZES), 320)
    for folder in folders[1:]:
        for name, kind in _names(rng, folders, folder):
            size = sizes.pop()
            files.append(_file(world, rng, crew, len(files) + 1, folder["id"], name, kind, size))
    _add_twins(rng, folders, files)
    mine = [file for file in files if file["owner"] == world.user.id]
    for file in rng.sample(mine, TRASHED):
        file["trashed"] = world.day(-rng.randint(1, 25))
    return {"folders": folders, "files": files}


def _folders(world: Company, rng: random.Random, crew: list[str]) -> list[Item]:
    me = world.user.id
    made: list[Item] = []

    def add(name: str, parent: str, owner: str) -> str:
        key = f"f{len(made)}" if made else ROOT
        made.append({"id": key, "name": name, "parent": parent, "owner": owner, "trashed": ""})
        return key

    def anyone() -> str:
        return me if rng.random() < 0.5 else rng.choice(crew)

    root = add("My Drive", "", me)
    clients, projects = add("Clients", root, me), add("Projects", root, me)
    for firm in rng.sample(world.firms, 8):
        add(firm.name, clients, anyone())
    for index, name in enumerate(PROJECTS):
        project = add(name, projects, anyone())
        for below in ("Drafts", "Reviews") if index < 4 else ():
            add(below, project, anyone())
    for name, subfolders in TREE.items():
        top = add(name, root, anyone())
        for below in subfolders:
            add(below, top, anyone())
    return made


def _names(rng: random.Random, folders: list[Item], folder: Item) -> list[tuple[str, str]]:
    """Names and kinds of a folder's files: families of near-duplicates."""
    by_id = {one["id"]: one for one in folders}
    way = [folder]
    while way[-1]["parent"] != ROOT:
        way.append(by_id[way[-1]["parent"]])
    area = way[-1]["name"]
    if area in ("Clients", "Projects"):
        if len(way) == 1:
            return []
        suffixes: tuple[str, ...] = (way[-2]["name"],)
    else:
        suffixes = SUFFIXES[area]
    if len(way) == 1 and TREE[area]:
        return []
    found: list[tuple[str, str]] = []
    for topic, kind in rng.sample(TOPICS[area], 3 if len(way) < 3 else 1):
        base = f"{topic} {rng.choice(suffixes)}"
        if len(way) == 3:
            base += f" {folder['name'][:-1].lower()}"
        if area == "Finance" or area == "Marketing" or area == "Team":
            base += f" {folder['name'].lower()}"
        found += [(base + variant, kind) for variant in _variants(rng)]
    return found


def _variants(rng: random.Random) -> list[str]:
    first, *rest = VARIANTS
    return [first, *rng.sample(rest, rng.choice((1, 1, 2, 3)))]


def _file(
    world: Company,
    rng: random.Random,
    crew: list[str],
    number: int,
    folder: str,
    name: str,
    kind: str,
    size: int,
) -> Item:
    me = world.user.id
    owner = me if rng.random() < 0.5 else rng.choice(crew)
    others = [person for person in crew if person != owner]
    shares = [
        {"id": person, "role": rng.choice(ROLES)}
        for person in rng.sample(others, rng.choice((0, 0, 1, 2, 2, 3)))
    ]
    if owner != me:
        shares.append({"id": me, "role": rng.choice(ROLES)})
    age = rng.randint(0, 240)
    link = rng.choices(LINKS, (6, 2, 1))[0]
    description = ""
    if rng.random() < 0.6:
        reference = f"{rng.choice('ABCDEF')}{rng.randint(1000, 9999)}"
        description = f"{rng.choice(NOTES)}, reference {reference}"
    return {
        "id": f"d{number}",
        "name": name,
        "kind": kind,
        "folder": folder,
        "owner": owner,
        "size": size,
        "modified": world.day(-age),
        "starred": rng.random() < 0.12,
        "description": description,
        "link": link,
        "until": world.day(rng.randint(10, 90)) if link != OFF and rng.random() < 0.4 else "",
        "shares": shares,
        "versions": _versions(world, rng, [owner, *others[:2]], age, size),
        "comments": _comments(world, rng, crew, age),
        "trashed": "",
    }


def _versions(
    world: Company, rng: random.Random, people: list[str], age: int, size: int
) -> list[Item]:
    """The last one is what the file is now; each was saved on a day of its own."""
    ages = [age]
    for _ in range(rng.randint(0, 4)):
        ages.append(ages[-1] + rng.randint(2, 30))
    ages.reverse()
    return [
        {
            "id": f"v{index + 1}",
            "day": world.day(-days),
            "by": rng.choice(people),
            "size": size if days == age else max(20, size - rng.randint(10, 900)),
            "note": "First version" if index == 0 else rng.choice(SAVED),
        }
        for index, days in enumerate(ages)
    ]


def _comments(world: Company, rng: random.Random, crew: list[str], age: int) -> list[Item]:
    count = rng.choice((0, 0, 1, 2, 3))
    return [
        {
            "id": f"c{index + 1}",
            "by": person,
            "day": world.day(-rng.randint(0, age)),
            "text": text,
            "resolved": rng.random() < 0.25,
        }
        for index, (person, text) in enumerate(
            zip(rng.sample(crew, count), rng.sample(REMARKS, count), strict=True)
        )
    ]


def _add_twins(rng: random.Random, folders: list[Item], files: list[Item]) -> None:
    """Some files are called like a file in another folder."""
    singles = list(files)
    rng.shuffle(singles)
    leaves = [f["id"] for f in folders if f["id"] != ROOT]
    for first, second in zip(singles[:TWINS], singles[TWINS : 2 * TWINS], strict=True):
        if second["folder"] == first["folder"]:
            second["folder"] = rng.choice([key for key in leaves if key != first["folder"]])
        second["name"], second["kind"] = first["name"], first["kind"]
