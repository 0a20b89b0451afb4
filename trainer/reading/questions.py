"""Questions about a page whose right answer follows from its lines alone.

Guarantees: every answer is one that the compact dialect accepts on the page, and the question has
no other right answer there. A question that needs evidence has it in its thought: the lines that
decide, quoted before the answer. Kinds:

    click   an element by its name              value   the value of a field
    set     a drop-down or a box to a value     row     an element by two words of its name
    after   the line below a line               compare the smaller of two amounts
    count   how many names begin with a word    missing an element that is not on the page
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from agent_server.episodes.compact import render
from agent_server.policy.renaming import make_word
from envs.contract.actions import Action, Click, Done, Infeasible, SetValue, Target, Type
from envs.contract.observations import TreeLine

AMOUNT = re.compile(r"\$(\d[\d,]*\.\d\d)")
CLICKED = frozenset({"link", "button", "tab", "menu", "radio"})
TRIES = 6
"""Kinds that are tried before a page gives fewer questions than wanted."""


T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked as a task, and the answer in the compact dialect."""

    kind: str
    text: str
    answer: str


Lines = Sequence[TreeLine]
Maker = Callable[[Lines, random.Random], Question | None]


def make_questions(lines: Lines, rng: random.Random, count: int) -> list[Question]:
    """At most `count` different questions of random kinds; fewer where the page has no more."""
    questions: dict[str, Question] = {}
    for _ in range(count * TRIES):
        if len(questions) == count:
            break
        question = rng.choice(MAKERS)(lines, rng)
        if question is not None:
            questions.setdefault(question.text, question)
    return list(questions.values())


def _ask_click(lines: Lines, rng: random.Random) -> Question | None:
    line = _pick(_distinct([line for line in lines if _is_clicked(line)]), rng)
    if line is None:
        return None
    verb = rng.choice(("Click", "Open", "Press", "Go to"))
    return _question("click", f"{verb} {line.name}.", "", Click(target=Target(ref=line.ref)), lines)


def _ask_value(lines: Lines, rng: random.Random) -> Question | None:
    line = _pick(_distinct([line for line in lines if line.value and line.ref]), rng)
    if line is None:
        return None
    text = rng.choice(("What is {}?", "Tell the value of {}.", "Read {}."))
    return _question("value", text.format(line.name), "", Done(answer=line.value), lines)


def _ask_set(lines: Lines, rng: random.Random) -> Question | None:
    fields = [line for line in lines if line.ref and line.role in ("select", "box")]
    line = _pick(_distinct(fields), rng)
    if line is None:
        return None
    target = Target(ref=line.ref)
    if line.role == "select":
        value = _pick([option for option in line.options if option != line.value], rng)
        if value is None:
            return None
        text = rng.choice(("Set {} to {}.", "Choose {1} as {0}.", "{}: {}."))
        action: Action = SetValue(target=target, value=value)
    else:
        value = " ".join(make_word(rng) for _ in range(rng.randint(1, 2)))
        text = rng.choice(("Type {1} into {0}.", "Fill in {0}: {1}."))
        action = Type(target=target, text=value, clear=True, submit=False)
    return _question("set", text.format(line.name, value), "", action, lines)


def _ask_row(lines: Lines, rng: random.Random) -> Question | None:
    """Two words that only one name has together, though each is in other names too."""
    elements = _distinct([line for line in lines if _is_clicked(line)])
    words = {line.ref: _words(line.name) for line in elements}
    counts = Counter(word for own in words.values() for word in set(own))
    pairs = [
        (line, first, second)
        for line in elements
        for place, first in enumerate(words[line.ref])
        for second in words[line.ref][place + 1 :]
        if first != second and counts[first] > 1 and counts[second] > 1
        if sum(first in own and second in own for own in words.values()) == 1
    ]
    if not pairs:
        return None
    line, first, second = rng.choice(pairs)
    text = rng.choice(("Click the one with {} and {}.", "Open what has {1} and {0} in its name."))
    action = Click(target=Target(ref=line.ref))
    return _question("row", text.format(first, second), f"it is {line.name}", action, lines)


def _ask_after(lines: Lines, rng: random.Random) -> Question | None:
    elements = _distinct([line for line in lines if _is_clicked(line)])
    if len(elements) < 2:
        return None
    place = rng.randrange(len(elements) - 1)
    line, following = elements[place], elements[place + 1]
    if lines.index(following) != lines.index(line) + 1:
        return None
    text = f"Click the line below {line.name}."
    return _question("after", text, "", Click(target=Target(ref=following.ref)), lines)


def _ask_compare(lines: Lines, rng: random.Random) -> Question | None:
    priced = [
        (line, float(match[1].replace(",", "")), line.name[: match.start()].strip())
        for line in lines
        if (match := AMOUNT.search(line.name)) and match.start() > 3
    ]
    counts = Counter(name for _, _, name in priced)
    distinct = [entry for entry in priced if counts[entry[2]] == 1]
    if len(distinct) < 2:
        return None
    first, second = rng.sample(distinct, 2)
    if first[1] == second[1]:
        return None
    cheaper = min(first, second, key=lambda entry: entry[1])
    prices = [AMOUNT.search(entry[0].name) for entry in (first, second)]
    thought = " and ".join(
        f"{entry[2]} {match[0]}"
        for entry, match in zip((first, second), prices, strict=True)
        if match is not None
    )
    text = f"Which is cheaper, {first[2]} or {second[2]}?"
    return _question("compare", text, thought, Done(answer=cheaper[2]), lines)


def _ask_count(lines: Lines, rng: random.Random) -> Question | None:
    names = [_words(line.name) for line in lines if line.ref]
    starts = Counter(words[0] for words in names if len(words) > 1)
    word = _pick([word for word, count in starts.items() if count < 9], rng)
    if word is None:
        return None
    text = rng.choice(("How many begin with {}?", "Count what begins with {}."))
    count = sum(words[:1] == [word] for words in names)
    return _question("count", text.format(word), "", Done(answer=str(count)), lines)


def _ask_missing(lines: Lines, rng: random.Random) -> Question | None:
    name = " ".join(make_word(rng) for _ in range(rng.randint(1, 2)))
    if rng.random() > 0.5 or any(name in line.name for line in lines):
        return None
    action = Infeasible(reason=f"there is no {name}")
    return _question("missing", f"Click {name}.", f"there is no {name}", action, lines)


MAKERS: tuple[Maker, ...] = (
    _ask_click,
    _ask_value,
    _ask_set,
    _ask_row,
    _ask_after,
    _ask_compare,
    _ask_count,
    _ask_missing,
)


def _question(kind: str, text: str, thought: str, action: Action, lines: Lines) -> Question:
    return Question(kind, text, render(thought, action, lines))


def _is_clicked(line: TreeLine) -> bool:
    return line.ref is not None and line.role in CLICKED and bool(line.name)


def _distinct(lines: list[TreeLine]) -> list[TreeLine]:
    """Those whose name no other of them has."""
    counts = Counter(line.name for line in lines)
    return [line for line in lines if counts[line.name] == 1 and line.name]


def _pick(items: Sequence[T], rng: random.Random) -> T | None:
    return rng.choice(items) if items else None


def _words(name: str) -> list[str]:
    """Words of letters: digits are no good handle on a name."""
    return [word for word in name.split() if word.isalpha()]
