"""Tasks about the content of text files: editing, adding, joining, searching."""

from __future__ import annotations

import random

from tasksets.desktop.actions import finish, in_terminal, key, tool, type_text, wait
from tasksets.desktop.checks import all_of, answer_is, check_file, only_changed
from tasksets.desktop.files import documents_become, sample_notes, setup_files
from tasksets.desktop.setup_steps import open_path
from tasksets.desktop.template import DOCUMENTS, FILE_MANAGER, TEXT_EDITOR, DesktopTemplate, Draft
from tasksets.desktop.vocabulary import CITIES, ITEMS, PEOPLE


def files_edit_setting(rng: random.Random) -> Draft:
    """One value of a settings file that is open in the editor."""
    keys = rng.sample(("width", "height", "volume", "retries", "timeout", "margin"), 4)
    values = rng.sample(range(10, 99), 5)
    lines = [f"{name} = {value}" for name, value in zip(keys, values, strict=False)]
    index, new = rng.randrange(4), values[4]
    changed = [f"{keys[index]} = {new}" if i == index else line for i, line in enumerate(lines)]
    path = f"{DOCUMENTS}/settings.txt"
    before, after = ("\n".join(part) + "\n" for part in (lines, changed))
    return Draft(
        instruction=f"In settings.txt, which is open in the text editor, set {keys[index]} to "
        f"{new} and save the file.",
        config=[*setup_files({"settings.txt": before}), open_path(path)],
        evaluator=all_of(check_file("text_is", path, after), only_changed(changed=[path])),
        api=[tool("files.edit", path=path, old=lines[index], new=changed[index]), finish()],
        gui=[
            key("ctrl", "home"),
            *([key("down", repeat=index)] if index else []),
            key("shift", "end"),
            type_text(changed[index]),
            key("ctrl", "s"),
            wait(700),
            finish(),
        ],
    )


def files_append_line(rng: random.Random) -> Draft:
    """A line added at the end of a list that is open in the editor."""
    *items, new = (f"- {item.lower()}" for item in rng.sample(ITEMS, rng.randint(4, 6)))
    path = f"{DOCUMENTS}/shopping.txt"
    before = "\n".join(items) + "\n"
    return Draft(
        instruction=f'Add the line "{new}" at the end of shopping.txt, which is open in the text '
        "editor, and save the file.",
        config=[*setup_files({"shopping.txt": before}), open_path(path)],
        evaluator=all_of(
            check_file("text_is", path, f"{before}{new}\n"), only_changed(changed=[path])
        ),
        api=[tool("files.append", path=path, text=f"{new}\n"), finish()],
        gui=[
            key("ctrl", "end"),
            type_text(new),
            key("ctrl", "s"),
            wait(700),
            finish(),
        ],
    )


def files_find_text(rng: random.Random) -> Draft:
    """A question: which file mentions a person."""
    people = rng.sample(PEOPLE, 5)
    names = [f"Minutes/{name.lower()}.txt" for name in rng.sample(CITIES, 5)]
    texts = [f"Present: {person}\nNext meeting on day {rng.randint(1, 28)}.\n" for person in people]
    before = dict(zip(names, texts, strict=True))
    name = names[0].removeprefix("Minutes/")
    return Draft(
        instruction=f"Which file in Documents/Minutes mentions {people[0]}? Answer with the file's "
        "name only, and change nothing.",
        config=[*setup_files(before), open_path(f"{DOCUMENTS}/Minutes")],
        evaluator=all_of(answer_is([name, name.removesuffix(".txt")]), only_changed()),
        api=[tool("files.search", path=f"{DOCUMENTS}/Minutes", text=people[0]), finish(name)],
        gui=[*in_terminal(f"grep -l '{people[0]}' Minutes/*", "read"), finish(name)],
    )


def files_join(rng: random.Random) -> Draft:
    """Parts joined in their order."""
    texts = sample_notes(rng, 3)
    before = {f"part{number}.txt": text for number, text in zip((2, 10, 1), texts, strict=True)}
    whole = before["part1.txt"] + before["part2.txt"] + before["part10.txt"]
    target = f"{DOCUMENTS}/whole.txt"
    return Draft(
        instruction="Join part1.txt, part2.txt and part10.txt from Documents, in the order of "
        "their numbers and without anything in between, into a new file whole.txt there. Keep the "
        "parts.",
        config=[*setup_files(before), open_path(DOCUMENTS)],
        evaluator=documents_become(before, {**before, "whole.txt": whole}),
        api=[
            *(tool("files.read", path=f"{DOCUMENTS}/part{number}.txt") for number in (1, 2, 10)),
            tool("files.write", path=target, text=whole),
            finish(),
        ],
        gui=[*in_terminal("cat part1.txt part2.txt part10.txt > whole.txt"), finish()],
    )


TEMPLATES = (
    DesktopTemplate(
        name="files_edit_setting", apps=(TEXT_EDITOR,), sample_draft=files_edit_setting
    ),
    DesktopTemplate(name="files_append_line", apps=(TEXT_EDITOR,), sample_draft=files_append_line),
    DesktopTemplate(name="files_find_text", apps=(FILE_MANAGER,), sample_draft=files_find_text),
    DesktopTemplate(name="files_join", apps=(FILE_MANAGER,), sample_draft=files_join, max_steps=20),
)
