"""What an oracle reads of a page, and the moves it makes there: from the compact tree alone."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator

from envs.actions import Action, Click, Done, Key, Move, Scroll, SetValue, Target, Type
from envs.gyms.gym import OracleLost, OracleMove
from envs.observations import Observation, TreeLine, parse_tree

OVER = "Finished."
_QUOTED = re.compile(r'"\s*([^"]*?)\s*"')


class Seen:
    """The page as it was observed last; scripts read it anew after each move."""

    def __init__(self) -> None:
        self.lines: list[TreeLine] = []
        self.tree = 0

    def look(self, observation: Observation) -> None:
        if observation.tree is None:
            raise OracleLost("an oracle needs the tree")
        self.lines = parse_tree(observation.tree.text)
        self.tree = observation.tree.id

    @property
    def over(self) -> bool:
        return [line.name for line in self.lines] == [OVER]

    @property
    def query(self) -> str:
        """What the page asks for."""
        return " ".join(self.lines[0].name.split()) if self.lines else ""

    def asked(self, pattern: str) -> tuple[str, ...]:
        """The groups of a pattern in the query."""
        found = re.search(pattern, self.query)
        if found is None:
            raise OracleLost(f"no {pattern} in: {self.query}")
        return found.groups()

    @property
    def quoted(self) -> list[str]:
        return _QUOTED.findall(self.query)

    @property
    def texts(self) -> list[str]:
        """All text below the query."""
        return [line.name for line in self.lines[1:] if line.role == "text"]

    def all(self, *roles: str) -> list[TreeLine]:
        """Elements with these roles that can be used, in order."""
        return [line for line in self.lines if line.role in roles and line.ref is not None]

    def has(self, name: str, *roles: str) -> TreeLine | None:
        """The first element of this name; if there is none, of this name in another case."""
        wanted = name.strip()
        fits = [
            line
            for line in self.lines
            if line.ref is not None
            and line.name.lower() == wanted.lower()
            and (not roles or line.role in roles)
        ]
        return next((line for line in fits if line.name == wanted), fits[0] if fits else None)

    def one(self, name: str, *roles: str) -> TreeLine:
        found = self.has(name, *roles)
        if found is None:
            raise OracleLost(f"there is no {' or '.join(roles)} {name}")
        return found

    def box(self, number: int = 0) -> TreeLine:
        boxes = self.all("box")
        if number >= len(boxes):
            raise OracleLost(f"there is no text box {number + 1}")
        return boxes[number]

    def after(self, text: str, *roles: str) -> TreeLine:
        """The first usable element with one of the roles below a text."""
        for number, line in enumerate(self.lines):
            if number and line.name.strip(": ").lower() == text.strip(": ").lower():
                for below in self.lines[number + 1 :]:
                    if below.ref is not None and below.role in roles:
                        return below
        raise OracleLost(f"nothing below {text}")

    def target(self, line: TreeLine) -> Target:
        return Target(ref=line.ref, tree=self.tree)

    def click(self, line: TreeLine, why: str = "") -> OracleMove:
        return OracleMove(
            why or f"I press {line.name or line.role}.", Click(target=self.target(line))
        )

    def hover(self, line: TreeLine) -> OracleMove:
        return OracleMove(f"I point at {line.name} to open it.", Move(target=self.target(line)))

    def write(self, line: TreeLine, text: str) -> OracleMove:
        return OracleMove(f"I enter {text}.", Type(text=text, target=self.target(line), clear=True))

    def set(self, line: TreeLine, value: str) -> OracleMove:
        return OracleMove(f"I choose {value}.", SetValue(target=self.target(line), value=value))

    def scroll(self, line: TreeLine, up: bool = False) -> OracleMove:
        far = -100_000 if up else 100_000
        why = f"I scroll to the {'start' if up else 'end'} of the text."
        return OracleMove(why, Scroll(target=self.target(line), dy=far))

    def submit(self) -> OracleMove:
        return self.click(self.one("submit"), "All is filled in: I submit.")


Moves = Generator[OracleMove, None, None]
Script = Callable[[Seen], Moves]
"""Yields one move at a time; when it goes on, what it sees is what the move led to."""


def does(thought: str, action: Action) -> OracleMove:
    return OracleMove(thought, action)


def press(*keys: str, repeat: int = 1, why: str) -> OracleMove:
    return OracleMove(why, Key(keys=keys, repeat=repeat))


class ScriptOracle:
    """Follows a script; ends the episode when the page or the script has come to its end."""

    def __init__(self, script: Script) -> None:
        self._seen = Seen()
        self._moves = script(self._seen)

    def move(self, observation: Observation) -> OracleMove:
        self._seen.look(observation)
        move = None if self._seen.over else next(self._moves, None)
        return move or OracleMove("The page has taken it: I am done.", Done())
