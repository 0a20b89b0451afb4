"""Tasks about text files: editing, adding, joining, finding what they say."""

from __future__ import annotations

import random

from envs.gyms.desktop.files import becomes, distinct, made, opened
from envs.gyms.desktop.template import (
    DOCUMENTS,
    Draft,
    both,
    check,
    done,
    key,
    nothing_else,
    said,
    template,
    tool,
    typed,
)
from envs.gyms.desktop.words import CITIES, ITEMS, PEOPLE


@template("mousepad")
def files_edit_setting(rng: random.Random) -> Draft:
    """One value of a settings file, open in the editor."""
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
        config=[*made({"settings.txt": before}), opened(path)],
        evaluator=both(check("text_is", path, after), nothing_else(changed=[path])),
        api=[tool("files.edit", path=path, old=lines[index], new=changed[index]), done()],
        gui=[
            key("ctrl", "home"),
            *([{"type": "key", "keys": ["down"], "repeat": index}] if index else []),
            key("shift", "end"),
            typed(changed[index]),
            key("ctrl", "s"),
            {"type": "wait", "ms": 700},
            done(),
        ],
    )


@template("mousepad")
def files_append_line(rng: random.Random) -> Draft:
    """A further line at the end of a list, open in the editor."""
    *items, new = (f"- {item.lower()}" for item in rng.sample(ITEMS, rng.randint(4, 6)))
    path = f"{DOCUMENTS}/shopping.txt"
    before = "\n".join(items) + "\n"
    return Draft(
        instruction=f'Add the line "{new}" at the end of shopping.txt, which is open in the text '
        "editor, and save the file.",
        config=[*made({"shopping.txt": before}), opened(path)],
        evaluator=both(check("text_is", path, f"{before}{new}\n"), nothing_else(changed=[path])),
        api=[tool("files.append", path=path, text=f"{new}\n"), done()],
        gui=[
            key("ctrl", "end"),
            typed(new),
            key("ctrl", "s"),
            {"type": "wait", "ms": 700},
            done(),
        ],
    )


@template("pcmanfm")
def files_find_text(rng: random.Random) -> Draft:
    """A question: which file mentions someone."""
    people = rng.sample(PEOPLE, 5)
    names = [f"Minutes/{name.lower()}.txt" for name in rng.sample(CITIES, 5)]
    texts = [f"Present: {person}\nNext meeting on day {rng.randint(1, 28)}.\n" for person in people]
    before = dict(zip(names, texts, strict=True))
    name = names[0].removeprefix("Minutes/")
    return Draft(
        instruction=f"Which file in Documents/Minutes mentions {people[0]}? Answer with the file's "
        "name only, and change nothing.",
        config=[*made(before), opened(f"{DOCUMENTS}/Minutes")],
        evaluator=both(said([name, name.removesuffix(".txt")]), nothing_else()),
        api=[tool("files.search", path=f"{DOCUMENTS}/Minutes", text=people[0]), done(name)],
    )


@template("pcmanfm", max_steps=20)
def files_join(rng: random.Random) -> Draft:
    """Parts put together in their order."""
    texts = distinct(rng, 3)
    before = {f"part{number}.txt": text for number, text in zip((2, 10, 1), texts, strict=True)}
    whole = before["part1.txt"] + before["part2.txt"] + before["part10.txt"]
    target = f"{DOCUMENTS}/whole.txt"
    return Draft(
        instruction="Join part1.txt, part2.txt and part10.txt from Documents, in the order of "
        "their numbers and without anything in between, into a new file whole.txt there. Keep the "
        "parts.",
        config=[*made(before), opened()],
        evaluator=becomes(before, {**before, "whole.txt": whole}),
        api=[
            *(tool("files.read", path=f"{DOCUMENTS}/part{number}.txt") for number in (1, 2, 10)),
            tool("files.write", path=target, text=whole),
            done(),
        ],
    )
