"""Tasks about files and folders: naming, moving, sorting, deleting, packing."""

from __future__ import annotations

import base64
import io
import random
import zipfile
from collections.abc import Mapping

from envs.gyms.desktop.template import (
    DOCUMENTS,
    Draft,
    Json,
    both,
    check,
    done,
    key,
    nothing_else,
    template,
    tool,
    typed,
)
from envs.gyms.desktop.words import CITIES, ITEMS, PEOPLE

Tree = Mapping[str, str | None]
"""What Documents holds: text of each file by its path, null for a folder."""


def made(before: Tree) -> list[Json]:
    """Setup: these files and folders in Documents."""
    return [
        {"type": "folder", "parameters": {"path": f"{DOCUMENTS}/{path}"}}
        if text is None
        else {"type": "text_file", "parameters": {"path": f"{DOCUMENTS}/{path}", "text": text}}
        for path, text in before.items()
    ]


def opened(path: str = DOCUMENTS) -> Json:
    return {"type": "open", "parameters": {"path": path}}


def becomes(before: Tree, after: Tree) -> Json:
    """Evaluator: Documents holds just `after`, and nothing changed outside it."""
    old = {f"{DOCUMENTS}/{path}": text for path, text in before.items() if text is not None}
    new = {f"{DOCUMENTS}/{path}": text for path, text in after.items() if text is not None}
    return both(
        {
            "func": "folder_is",
            "result": {"type": "vm_folder", "path": DOCUMENTS},
            "expected": {"type": "rule", "rules": dict(after)},
        },
        nothing_else(
            added=sorted(new.keys() - old.keys()),
            changed=sorted(path for path in new.keys() & old.keys() if new[path] != old[path]),
            removed=sorted(old.keys() - new.keys()),
        ),
    )


def note(rng: random.Random) -> str:
    """A short text, different each time."""
    lines = [f"{rng.choice(PEOPLE)}: {rng.choice(ITEMS).lower()}, {rng.randint(2, 99)} pieces"]
    lines += [f"Meet in {rng.choice(CITIES)} on day {rng.randint(1, 28)}." for _ in range(2)]
    return "\n".join(lines) + "\n"


def distinct(rng: random.Random, count: int) -> list[str]:
    """So many different notes."""
    return [f"No. {number}\n{note(rng)}" for number in rng.sample(range(100, 999), count)]


@template("pcmanfm")
def files_rename(rng: random.Random) -> Draft:
    """One file of several with similar names."""
    city, other = (name.lower() for name in rng.sample(CITIES, 2))
    old, new = f"{city}.txt", f"trip-{city}-{rng.randint(2019, 2025)}.txt"
    names = [old, f"{city}-old.txt", f"{other}.txt"]
    before = dict(zip(names, distinct(rng, 3), strict=True))
    after = {new if name == old else name: text for name, text in before.items()}
    return Draft(
        instruction=f"In the Documents folder, rename the file {old} to {new}.",
        config=[*made(before), opened()],
        evaluator=becomes(before, after),
        api=[
            tool("files.move", source=f"{DOCUMENTS}/{old}", destination=f"{DOCUMENTS}/{new}"),
            done(),
        ],
        gui=[
            typed(old),
            key("escape"),
            key("f2"),
            {"type": "wait", "ms": 700},
            key("ctrl", "a"),
            typed(new, submit=True),
            {"type": "wait", "ms": 700},
            done(),
        ],
    )


@template("pcmanfm")
def files_make_folder(rng: random.Random) -> Draft:
    """A new, empty folder."""
    name = f"{rng.choice(CITIES)} {rng.randint(2020, 2026)}"
    before: Tree = {"notes.txt": note(rng), "Old": None}
    return Draft(
        instruction=f'Make an empty folder called "{name}" in Documents.',
        config=[*made(before), opened()],
        evaluator=becomes(before, {**before, name: None}),
        api=[tool("files.mkdir", path=f"{DOCUMENTS}/{name}"), done()],
        gui=[
            key("ctrl", "shift", "n"),
            {"type": "wait", "ms": 700},
            key("ctrl", "a"),
            typed(name, submit=True),
            {"type": "wait", "ms": 700},
            done(),
        ],
    )


@template("pcmanfm")
def files_make_folders(rng: random.Random) -> Draft:
    """A folder for each line of a list."""
    cities = rng.sample(CITIES, rng.randint(3, 5))
    before: Tree = {"cities.txt": "\n".join(cities) + "\n", "Projects": None}
    folders = [f"Projects/{city}" for city in cities]
    return Draft(
        instruction="The file cities.txt in Documents names one city a line. Make an empty folder "
        "for each of them, named exactly like it, inside Documents/Projects.",
        config=[*made(before), opened()],
        evaluator=becomes(before, {**before, **dict.fromkeys(folders)}),
        api=[
            tool("files.read", path=f"{DOCUMENTS}/cities.txt"),
            *(tool("files.mkdir", path=f"{DOCUMENTS}/{folder}") for folder in folders),
            done(),
        ],
    )


@template("pcmanfm")
def files_move_by_name(rng: random.Random) -> Draft:
    """Files whose names begin alike go into a folder."""
    numbers = rng.sample(range(100, 999), 5)
    chosen = [f"invoice-{number}.txt" for number in numbers[:3]]
    others = [f"offer-{numbers[3]}.txt", f"old-invoice-{numbers[4]}.txt", "invoices.md"]
    names = [*chosen, *others]
    rng.shuffle(names)
    before: dict[str, str | None] = dict(zip(names, distinct(rng, 6), strict=True))
    before["Paid"] = None
    after = {f"Paid/{name}" if name in chosen else name: text for name, text in before.items()}
    return Draft(
        instruction='Move every file in Documents whose name begins with "invoice-" into the '
        "folder Documents/Paid. Leave all other files where they are.",
        config=[*made(before), opened()],
        evaluator=becomes(before, after),
        api=[
            tool("files.find", path=DOCUMENTS, pattern="invoice-*"),
            *(
                tool("files.move", source=f"{DOCUMENTS}/{name}", destination=f"{DOCUMENTS}/Paid")
                for name in chosen
            ),
            done(),
        ],
    )


@template("pcmanfm", max_steps=20)
def files_sort_by_kind(rng: random.Random) -> Draft:
    """Files sorted into folders by their extension."""
    stems = rng.sample([city.lower() for city in CITIES], 6)
    kinds = ["txt", "csv", "md", *rng.choices(("txt", "csv", "md"), k=3)]
    names = [f"{stem}.{kind}" for stem, kind in zip(stems, kinds, strict=True)]
    before = dict(zip([f"Inbox/{name}" for name in names], distinct(rng, 6), strict=True))
    after = {f"Inbox/{path.rpartition('.')[2]}/{path[6:]}": t for path, t in before.items()}
    return Draft(
        instruction="Sort the files in Documents/Inbox by their extension: inside Inbox, make the "
        "folders csv, md and txt and move every file into the one named after its extension.",
        config=[*made(before), opened(f"{DOCUMENTS}/Inbox")],
        evaluator=becomes(before, after),
        api=[
            *(tool("files.mkdir", path=f"{DOCUMENTS}/Inbox/{kind}") for kind in sorted(set(kinds))),
            *(
                tool("files.move", source=f"{DOCUMENTS}/{old}", destination=f"{DOCUMENTS}/{new}")
                for old, new in zip(before, after, strict=True)
            ),
            done(),
        ],
    )


@template("pcmanfm")
def files_delete_kind(rng: random.Random) -> Draft:
    """Temporary files in several folders are deleted."""
    folders = ["", "Work/", "Work/Old/"]
    junk = [f"{folder}{name.lower()}.tmp" for folder, name in
            zip(folders, rng.sample(CITIES, 3), strict=True)]  # fmt: skip
    kept = ["tmp.txt", "Work/template.md", f"Work/Old/{rng.choice(ITEMS).lower()}.txt"]
    before = dict(zip([*junk, *kept], distinct(rng, 6), strict=True))
    return Draft(
        instruction="Delete all files that end in .tmp in Documents and in the folders inside it. "
        "Delete nothing else.",
        config=[*made(before), opened()],
        evaluator=becomes(before, {path: before[path] for path in kept}),
        api=[
            tool("files.find", path=DOCUMENTS, pattern="*.tmp"),
            *(tool("files.delete", path=f"{DOCUMENTS}/{path}") for path in junk),
            done(),
        ],
    )


@template("pcmanfm", max_steps=20)
def files_deduplicate(rng: random.Random) -> Draft:
    """Of files with the same content one is kept."""
    names = sorted(f"{name.lower()}.txt" for name in rng.sample(CITIES, 5))
    texts = distinct(rng, 3)
    contents = [texts[0], texts[0], texts[1], texts[1], texts[2]]
    rng.shuffle(contents)
    before = {f"Scans/{n}": text for n, text in zip(names, contents, strict=True)}
    first = {text: path for path, text in sorted(before.items(), reverse=True)}
    after = {path: text for path, text in before.items() if first[text] == path}
    return Draft(
        instruction="Some files in Documents/Scans have exactly the same content. Of files that "
        "are the same keep only the one whose name comes first in the alphabet and delete the "
        "others.",
        config=[*made(before), opened(f"{DOCUMENTS}/Scans")],
        evaluator=becomes(before, after),
        api=[
            *(tool("files.hash", path=f"{DOCUMENTS}/{path}") for path in before),
            *(
                tool("files.delete", path=f"{DOCUMENTS}/{path}")
                for path in before
                if path not in after
            ),
            done(),
        ],
    )


@template("pcmanfm")
def files_backup(rng: random.Random) -> Draft:
    """A whole folder copied."""
    names = ["plan.txt", f"{rng.choice(CITIES)}/budget.csv", "draft.md"]
    folder = rng.choice(("Garden", "Wedding", "House"))
    before: dict[str, str | None] = {
        f"{folder}/{name}": text for name, text in zip(names, distinct(rng, 3), strict=True)
    }
    before["Backup"] = None
    after = before | {f"Backup/{path}": text for path, text in before.items() if text is not None}
    return Draft(
        instruction=f"Copy the folder {folder} in Documents with everything in it into "
        f"Documents/Backup, so that there is a folder Documents/Backup/{folder}. Keep the "
        "original.",
        config=[*made(before), opened()],
        evaluator=becomes(before, after),
        api=[
            tool("files.copy", source=f"{DOCUMENTS}/{folder}", destination=f"{DOCUMENTS}/Backup"),
            done(),
        ],
    )


@template("pcmanfm")
def files_archive(rng: random.Random) -> Draft:
    """Some files packed into one archive."""
    kind, suffix = rng.choice((("zip", "zip"), ("tar", "tar.gz")))
    names = [f"{name.lower()}.txt" for name in rng.sample(CITIES, 5)]
    before = dict(zip(names, distinct(rng, 5), strict=True))
    packed = sorted(names[:3])
    target = f"{DOCUMENTS}/selected.{suffix}"
    rules = {"kind": kind, "files": {name: before[name] for name in packed}}
    return Draft(
        instruction=f"Pack the files {packed[0]}, {packed[1]} and {packed[2]} from Documents into "
        f"the archive selected.{suffix} in Documents, without any folder inside the archive. Keep "
        "the files.",
        config=[*made(before), opened()],
        evaluator=both(check("archive_is", target, rules), nothing_else(added=[target])),
        api=[
            tool("archives.create", path=target, sources=[f"{DOCUMENTS}/{n}" for n in packed]),
            done(),
        ],
    )


@template("pcmanfm")
def files_unpack(rng: random.Random) -> Draft:
    """An archive unpacked into a folder of a given name."""
    folder = rng.choice(("Unpacked", "Photos list", "From Ada"))
    names = ["readme.txt", "data/first.csv", "data/second.csv"]
    content = dict(zip(names, distinct(rng, 3), strict=True))
    archive = f"{DOCUMENTS}/delivery.zip"
    packed = {"path": archive, "base64": base64.b64encode(zipped(content)).decode()}
    return Draft(
        instruction=f'Unpack delivery.zip in Documents into a new folder "{folder}" beside it, so '
        f"that readme.txt lies directly in that folder. Keep the archive.",
        config=[{"type": "text_file", "parameters": packed}, opened()],
        evaluator=both(
            {
                "func": "folder_is",
                "result": {"type": "vm_folder", "path": f"{DOCUMENTS}/{folder}"},
                "expected": {"type": "rule", "rules": content},
            },
            nothing_else(added=[f"{DOCUMENTS}/{folder}/{name}" for name in names]),
        ),
        api=[tool("archives.extract", path=archive, to=f"{DOCUMENTS}/{folder}"), done()],
    )


def zipped(content: Mapping[str, str]) -> bytes:
    """A zip archive, equal for equal content."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, text in content.items():
            archive.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), text)
    return out.getvalue()
