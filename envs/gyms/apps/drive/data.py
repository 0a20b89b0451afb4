"""The drive's state in the world of a seed: 40 folders, some 200 files with similar names.

Guarantees: no two files have the same size, so the largest one is unique; names are unique in a
folder, but a few files have a namesake in another folder.
"""

from __future__ import annotations

import random

from envs.gyms.apps.drive.vocabulary import (
    COMMENTS,
    DESCRIPTIONS,
    LINKS,
    OFF,
    PROJECTS,
    ROLES,
    ROOT,
    SUFFIXES,
    TOPICS,
    TREE,
    VARIANTS,
    VERSION_NOTES,
    Item,
)
from envs.gyms.kit.company import Company
from envs.gyms.server.gym import State

TRASH_SIZE, TWINS, SIZES = 12, 8, 48_000


def make_state(world: Company) -> State:
    """The app's state at the start of a session."""
    rng = world.rng("drive")
    others = [person.id for person in world.people if person.id != world.user.id]
    crew = rng.sample(others, 8)
    folders = _make_folders(world, rng, crew)
    files: list[Item] = []
    sizes = rng.sample(range(40, SIZES), 320)
    for folder in folders[1:]:
        for name, kind in _make_names(world, rng, folders, folder):
            size = sizes.pop()
            files.append(
                _make_file(world, rng, crew, len(files) + 1, folder["id"], name, kind, size)
            )
    _add_namesakes(rng, folders, files)
    own_files = [file for file in files if file["owner"] == world.user.id]
    for file in rng.sample(own_files, TRASH_SIZE):
        file["trashed"] = world.day(-rng.randint(1, 25))
    return {"folders": folders, "files": files}


def _make_folders(world: Company, rng: random.Random, crew: list[str]) -> list[Item]:
    user = world.user.id
    folders: list[Item] = []

    def add(name: str, parent: str, owner: str) -> str:
        key = f"f{len(folders)}" if folders else ROOT
        folders.append({"id": key, "name": name, "parent": parent, "owner": owner, "trashed": ""})
        return key

    def anyone() -> str:
        return user if rng.random() < 0.5 else rng.choice(crew)

    root = add("My Drive", "", user)
    clients, projects = add("Clients", root, user), add("Projects", root, user)
    for firm in rng.sample(world.firms, 8):
        add(firm.name, clients, anyone())
    for index, name in enumerate(PROJECTS[world.split]):
        project = add(name, projects, anyone())
        for below in ("Drafts", "Reviews") if index < 4 else ():
            add(below, project, anyone())
    for name, subfolders in TREE.items():
        top = add(name, root, anyone())
        for below in subfolders:
            add(below, top, anyone())
    return folders


def _make_names(
    world: Company, rng: random.Random, folders: list[Item], folder: Item
) -> list[tuple[str, str]]:
    """Names and kinds of a folder's files: families of similar names."""
    by_id = {other["id"]: other for other in folders}
    ancestors = [folder]
    while ancestors[-1]["parent"] != ROOT:
        ancestors.append(by_id[ancestors[-1]["parent"]])
    area = ancestors[-1]["name"]
    if area in ("Clients", "Projects"):
        if len(ancestors) == 1:
            return []
        suffixes: tuple[str, ...] = (ancestors[-2]["name"],)
    else:
        suffixes = SUFFIXES[world.split][area]
    if len(ancestors) == 1 and TREE[area]:
        return []
    names: list[tuple[str, str]] = []
    for topic, kind in rng.sample(TOPICS[area], 3 if len(ancestors) < 3 else 1):
        base = f"{topic} {rng.choice(suffixes)}"
        if len(ancestors) == 3:
            base += f" {folder['name'][:-1].lower()}"
        if area in {"Finance", "Marketing", "Team"}:
            base += f" {folder['name'].lower()}"
        names += [(base + variant, kind) for variant in _choose_variants(rng)]
    return names


def _choose_variants(rng: random.Random) -> list[str]:
    first, *rest = VARIANTS
    return [first, *rng.sample(rest, rng.choice((1, 1, 2, 3)))]


def _make_file(
    world: Company,
    rng: random.Random,
    crew: list[str],
    number: int,
    folder: str,
    name: str,
    kind: str,
    size: int,
) -> Item:
    user = world.user.id
    owner = user if rng.random() < 0.5 else rng.choice(crew)
    others = [person for person in crew if person != owner]
    shares = [
        {"id": person, "role": rng.choice(ROLES)}
        for person in rng.sample(others, rng.choice((0, 0, 1, 2, 2, 3)))
    ]
    if owner != user:
        shares.append({"id": user, "role": rng.choice(ROLES)})
    age = rng.randint(0, 240)
    link = rng.choices(LINKS, (6, 2, 1))[0]
    description = ""
    if rng.random() < 0.6:
        reference = f"{rng.choice('ABCDEF')}{rng.randint(1000, 9999)}"
        description = f"{rng.choice(DESCRIPTIONS)}, reference {reference}"
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
        "versions": _make_versions(world, rng, [owner, *others[:2]], age, size),
        "comments": _make_comments(world, rng, crew, age),
        "trashed": "",
    }


def _make_versions(
    world: Company, rng: random.Random, people: list[str], age: int, size: int
) -> list[Item]:
    """The last version is the file's content now; each was saved on a day of its own."""
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
            "note": "First version" if index == 0 else rng.choice(VERSION_NOTES),
        }
        for index, days in enumerate(ages)
    ]


def _make_comments(world: Company, rng: random.Random, crew: list[str], age: int) -> list[Item]:
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
            zip(rng.sample(crew, count), rng.sample(COMMENTS, count), strict=True)
        )
    ]


def _add_namesakes(rng: random.Random, folders: list[Item], files: list[Item]) -> None:
    """Some files get the name of a file in another folder."""
    singles = list(files)
    rng.shuffle(singles)
    leaves = [f["id"] for f in folders if f["id"] != ROOT]
    for first, second in zip(singles[:TWINS], singles[TWINS : 2 * TWINS], strict=True):
        if second["folder"] == first["folder"]:
            second["folder"] = rng.choice([key for key in leaves if key != first["folder"]])
        second["name"], second["kind"] = first["name"], first["kind"]
