"""Tasks about files and folders: naming, moving, sorting, deleting, packing."""

from __future__ import annotations

import random
from collections.abc import Mapping

from tasksets.desktop.actions import finish, in_terminal, key, tool, type_text, wait
from tasksets.desktop.checks import all_of, check_file, folder_is, only_changed
from tasksets.desktop.setup_steps import create_folder, create_text_file, create_zip, open_path
from tasksets.desktop.template import DOCUMENTS, FILE_MANAGER, DesktopTemplate, Draft, Json
from tasksets.desktop.vocabulary import CITIES, ITEMS, PEOPLE

Tree = Mapping[str, str | None]
"""Content of Documents: the text of each file by its path, None for a folder."""


def setup_files(before: Tree) -> list[Json]:
    """Setup: these files and folders in Documents."""
    return [
        create_folder(f"{DOCUMENTS}/{path}")
        if text is None
        else create_text_file(f"{DOCUMENTS}/{path}", text)
        for path, text in before.items()
    ]


def documents_become(before: Tree, after: Tree) -> Json:
    """Evaluator: Documents holds exactly `after`, and nothing changed outside it."""
    old = {f"{DOCUMENTS}/{path}": text for path, text in before.items() if text is not None}
    new = {f"{DOCUMENTS}/{path}": text for path, text in after.items() if text is not None}
    return all_of(
        folder_is(DOCUMENTS, dict(after)),
        only_changed(
            added=sorted(new.keys() - old.keys()),
            changed=sorted(path for path in new.keys() & old.keys() if new[path] != old[path]),
            removed=sorted(old.keys() - new.keys()),
        ),
    )


def _note(rng: random.Random) -> str:
    """A short text."""
    lines = [f"{rng.choice(PEOPLE)}: {rng.choice(ITEMS).lower()}, {rng.randint(2, 99)} pieces"]
    lines += [f"Meet in {rng.choice(CITIES)} on day {rng.randint(1, 28)}." for _ in range(2)]
    return "\n".join(lines) + "\n"


def sample_notes(rng: random.Random, count: int) -> list[str]:
    """`count` different notes."""
    return [f"No. {number}\n{_note(rng)}" for number in rng.sample(range(100, 999), count)]


def files_rename(rng: random.Random) -> Draft:
    """One file of several with similar names."""
    city, other = (name.lower() for name in rng.sample(CITIES, 2))
    old, new = f"{city}.txt", f"trip-{city}-{rng.randint(2019, 2025)}.txt"
    names = [old, f"{city}-old.txt", f"{other}.txt"]
    before = dict(zip(names, sample_notes(rng, 3), strict=True))
    after = {new if name == old else name: text for name, text in before.items()}
    return Draft(
        instruction=f"In the Documents folder, rename the file {old} to {new}.",
        config=[*setup_files(before), open_path(DOCUMENTS)],
        evaluator=documents_become(before, after),
        api=[
            tool("files.move", source=f"{DOCUMENTS}/{old}", destination=f"{DOCUMENTS}/{new}"),
            finish(),
        ],
        gui=[
            type_text(old),
            key("escape"),
            key("f2"),
            wait(700),
            key("ctrl", "a"),
            type_text(new, submit=True),
            wait(700),
            finish(),
        ],
    )


def files_make_folder(rng: random.Random) -> Draft:
    """A new, empty folder."""
    name = f"{rng.choice(CITIES)} {rng.randint(2020, 2026)}"
    before: Tree = {"notes.txt": _note(rng), "Old": None}
    return Draft(
        instruction=f'Make an empty folder called "{name}" in Documents.',
        config=[*setup_files(before), open_path(DOCUMENTS)],
        evaluator=documents_become(before, {**before, name: None}),
        api=[tool("files.mkdir", path=f"{DOCUMENTS}/{name}"), finish()],
        gui=[
            key("ctrl", "shift", "n"),
            wait(700),
            key("ctrl", "a"),
            type_text(name, submit=True),
            wait(700),
            finish(),
        ],
    )


def files_make_folders(rng: random.Random) -> Draft:
    """A folder for each line of a list."""
    cities = rng.sample(CITIES, rng.randint(3, 5))
    before: Tree = {"cities.txt": "\n".join(cities) + "\n", "Projects": None}
    folders = [f"Projects/{city}" for city in cities]
    return Draft(
        instruction="The file cities.txt in Documents names one city a line. Make an empty folder "
        "for each of them, named exactly like it, inside Documents/Projects.",
        config=[*setup_files(before), open_path(DOCUMENTS)],
        evaluator=documents_become(before, {**before, **dict.fromkeys(folders)}),
        api=[
            tool("files.read", path=f"{DOCUMENTS}/cities.txt"),
            *(tool("files.mkdir", path=f"{DOCUMENTS}/{folder}") for folder in folders),
            finish(),
        ],
        gui=[
            *in_terminal('while read -r city; do mkdir "Projects/$city"; done < cities.txt'),
            finish(),
        ],
    )


def files_move_by_name(rng: random.Random) -> Draft:
    """Files whose names begin with a word are moved into a folder."""
    numbers = rng.sample(range(100, 999), 5)
    invoices = [f"invoice-{number}.txt" for number in numbers[:3]]
    others = [f"offer-{numbers[3]}.txt", f"old-invoice-{numbers[4]}.txt", "invoices.md"]
    names = [*invoices, *others]
    rng.shuffle(names)
    before: dict[str, str | None] = dict(zip(names, sample_notes(rng, 6), strict=True))
    before["Paid"] = None
    after = {f"Paid/{name}" if name in invoices else name: text for name, text in before.items()}
    return Draft(
        instruction='Move every file in Documents whose name begins with "invoice-" into the '
        "folder Documents/Paid. Leave all other files where they are.",
        config=[*setup_files(before), open_path(DOCUMENTS)],
        evaluator=documents_become(before, after),
        api=[
            tool("files.find", path=DOCUMENTS, pattern="invoice-*"),
            *(
                tool("files.move", source=f"{DOCUMENTS}/{name}", destination=f"{DOCUMENTS}/Paid")
                for name in invoices
            ),
            finish(),
        ],
        gui=[*in_terminal("mv invoice-* Paid/"), finish()],
    )


def files_sort_by_kind(rng: random.Random) -> Draft:
    """Files sorted into folders by their extension."""
    stems = rng.sample([city.lower() for city in CITIES], 6)
    kinds = ["txt", "csv", "md", *rng.choices(("txt", "csv", "md"), k=3)]
    names = [f"{stem}.{kind}" for stem, kind in zip(stems, kinds, strict=True)]
    before = dict(zip([f"Inbox/{name}" for name in names], sample_notes(rng, 6), strict=True))
    after = {f"Inbox/{path.rpartition('.')[2]}/{path[6:]}": text for path, text in before.items()}
    return Draft(
        instruction="Sort the files in Documents/Inbox by their extension: inside Inbox, make the "
        "folders csv, md and txt and move every file into the one named after its extension.",
        config=[*setup_files(before), open_path(f"{DOCUMENTS}/Inbox")],
        evaluator=documents_become(before, after),
        api=[
            *(tool("files.mkdir", path=f"{DOCUMENTS}/Inbox/{kind}") for kind in sorted(set(kinds))),
            *(
                tool("files.move", source=f"{DOCUMENTS}/{old}", destination=f"{DOCUMENTS}/{new}")
                for old, new in zip(before, after, strict=True)
            ),
            finish(),
        ],
        gui=[
            *in_terminal("cd Inbox", "for f in *; do mkdir -p ${f##*.}; mv $f ${f##*.}/; done"),
            finish(),
        ],
    )


def files_delete_kind(rng: random.Random) -> Draft:
    """Temporary files in several folders are deleted."""
    folders = ["", "Work/", "Work/Old/"]
    junk = [
        f"{folder}{name.lower()}.tmp"
        for folder, name in zip(folders, rng.sample(CITIES, 3), strict=True)
    ]
    other_files = ["tmp.txt", "Work/template.md", f"Work/Old/{rng.choice(ITEMS).lower()}.txt"]
    before = dict(zip([*junk, *other_files], sample_notes(rng, 6), strict=True))
    return Draft(
        instruction="Delete all files that end in .tmp in Documents and in the folders inside it. "
        "Delete nothing else.",
        config=[*setup_files(before), open_path(DOCUMENTS)],
        evaluator=documents_become(before, {path: before[path] for path in other_files}),
        api=[
            tool("files.find", path=DOCUMENTS, pattern="*.tmp"),
            *(tool("files.delete", path=f"{DOCUMENTS}/{path}") for path in junk),
            finish(),
        ],
        gui=[*in_terminal("find . -name '*.tmp' -delete"), finish()],
    )


def files_deduplicate(rng: random.Random) -> Draft:
    """Of files with the same content only one is other_files."""
    names = sorted(f"{name.lower()}.txt" for name in rng.sample(CITIES, 5))
    texts = sample_notes(rng, 3)
    contents = [texts[0], texts[0], texts[1], texts[1], texts[2]]
    rng.shuffle(contents)
    before = {f"Scans/{name}": text for name, text in zip(names, contents, strict=True)}
    first_path = {text: path for path, text in sorted(before.items(), reverse=True)}
    after = {path: text for path, text in before.items() if first_path[text] == path}
    return Draft(
        instruction="Some files in Documents/Scans have exactly the same content. Of files that "
        "are the same keep only the one whose name comes first in the alphabet and delete the "
        "others.",
        config=[*setup_files(before), open_path(f"{DOCUMENTS}/Scans")],
        evaluator=documents_become(before, after),
        api=[
            *(tool("files.hash", path=f"{DOCUMENTS}/{path}") for path in before),
            *(
                tool("files.delete", path=f"{DOCUMENTS}/{path}")
                for path in before
                if path not in after
            ),
            finish(),
        ],
        gui=[
            *in_terminal("cd Scans", "md5sum * | sort | awk 'seen[$1]++ {print $2}' | xargs rm"),
            finish(),
        ],
    )


def files_backup(rng: random.Random) -> Draft:
    """A whole folder copied."""
    names = ["plan.txt", f"{rng.choice(CITIES)}/budget.csv", "draft.md"]
    folder = rng.choice(("Garden", "Wedding", "House"))
    before: dict[str, str | None] = {
        f"{folder}/{name}": text for name, text in zip(names, sample_notes(rng, 3), strict=True)
    }
    before["Backup"] = None
    after = before | {f"Backup/{path}": text for path, text in before.items() if text is not None}
    return Draft(
        instruction=f"Copy the folder {folder} in Documents with everything in it into "
        f"Documents/Backup, so that there is a folder Documents/Backup/{folder}. Keep the "
        "original.",
        config=[*setup_files(before), open_path(DOCUMENTS)],
        evaluator=documents_become(before, after),
        api=[
            tool("files.copy", source=f"{DOCUMENTS}/{folder}", destination=f"{DOCUMENTS}/Backup"),
            finish(),
        ],
        gui=[*in_terminal(f"cp -r {folder} Backup/"), finish()],
    )


def files_archive(rng: random.Random) -> Draft:
    """Some files packed into one archive."""
    kind, suffix = rng.choice((("zip", "zip"), ("tar", "tar.gz")))
    names = [f"{name.lower()}.txt" for name in rng.sample(CITIES, 5)]
    before = dict(zip(names, sample_notes(rng, 5), strict=True))
    packed = sorted(names[:3])
    target = f"{DOCUMENTS}/selected.{suffix}"
    rules = {"kind": kind, "files": {name: before[name] for name in packed}}
    return Draft(
        instruction=f"Pack the files {packed[0]}, {packed[1]} and {packed[2]} from Documents into "
        f"the archive selected.{suffix} in Documents, without any folder inside the archive. Keep "
        "the files.",
        config=[*setup_files(before), open_path(DOCUMENTS)],
        evaluator=all_of(check_file("archive_is", target, rules), only_changed(added=[target])),
        api=[
            tool(
                "archives.create", path=target, sources=[f"{DOCUMENTS}/{name}" for name in packed]
            ),
            finish(),
        ],
        gui=[
            *in_terminal(
                f"zip selected.zip {' '.join(packed)}"
                if kind == "zip"
                else f"tar czf selected.tar.gz {' '.join(packed)}"
            ),
            finish(),
        ],
    )


def files_unpack(rng: random.Random) -> Draft:
    """An archive unpacked into a new folder."""
    folder = rng.choice(("Unpacked", "Photos list", "From Ada"))
    names = ["readme.txt", "data/first.csv", "data/second.csv"]
    content = dict(zip(names, sample_notes(rng, 3), strict=True))
    archive = f"{DOCUMENTS}/delivery.zip"
    return Draft(
        instruction=f'Unpack delivery.zip in Documents into a new folder "{folder}" beside it, so '
        "that readme.txt lies directly in that folder. Keep the archive.",
        config=[create_zip(archive, content), open_path(DOCUMENTS)],
        evaluator=all_of(
            folder_is(f"{DOCUMENTS}/{folder}", content),
            only_changed(added=[f"{DOCUMENTS}/{folder}/{name}" for name in names]),
        ),
        api=[tool("archives.extract", path=archive, to=f"{DOCUMENTS}/{folder}"), finish()],
        gui=[*in_terminal(f'unzip -d "{folder}" delivery.zip'), finish()],
    )


TEMPLATES = (
    DesktopTemplate(name="files_rename", apps=(FILE_MANAGER,), sample_draft=files_rename),
    DesktopTemplate(name="files_make_folder", apps=(FILE_MANAGER,), sample_draft=files_make_folder),
    DesktopTemplate(
        name="files_make_folders", apps=(FILE_MANAGER,), sample_draft=files_make_folders
    ),
    DesktopTemplate(
        name="files_move_by_name", apps=(FILE_MANAGER,), sample_draft=files_move_by_name
    ),
    DesktopTemplate(
        name="files_sort_by_kind",
        apps=(FILE_MANAGER,),
        sample_draft=files_sort_by_kind,
        max_steps=20,
    ),
    DesktopTemplate(name="files_delete_kind", apps=(FILE_MANAGER,), sample_draft=files_delete_kind),
    DesktopTemplate(
        name="files_deduplicate", apps=(FILE_MANAGER,), sample_draft=files_deduplicate, max_steps=20
    ),
    DesktopTemplate(name="files_backup", apps=(FILE_MANAGER,), sample_draft=files_backup),
    DesktopTemplate(name="files_archive", apps=(FILE_MANAGER,), sample_draft=files_archive),
    DesktopTemplate(name="files_unpack", apps=(FILE_MANAGER,), sample_draft=files_unpack),
)
