"""The page as a MiniWoB++ oracle sees it, and the moves it can make there.

An oracle reads the compact tree alone, as a policy does. Its thoughts hold what the next action
follows from, where that is more than copying: a policy that imitates it has to read that first.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Sequence

from envs.contract.actions import Action, Click, Done, Key, Move, Scroll, SetValue, Target, Type
from envs.contract.observations import Observation, TreeLine, parse_tree
from envs.gyms.server.gym import OracleLost, OracleMove

FINISHED_TEXT = "Finished."
"""All that `page.js` shows once an episode is over."""
_QUOTED = re.compile(r'"\s*([^"]*?)\s*"')


class LivePage:
    """The latest observation of the page. A script reads it anew after each of its moves."""

    def __init__(self) -> None:
        self.lines: list[TreeLine] = []
        self.tree_id = 0

    def update(self, observation: Observation) -> None:
        """Takes the next observation. Raises OracleLost if it has no tree."""
        if observation.tree is None:
            raise OracleLost("an oracle needs the tree")
        self.lines = parse_tree(observation.tree.text)
        self.tree_id = observation.tree.id

    @property
    def is_over(self) -> bool:
        """Whether the episode has ended."""
        return [line.name for line in self.lines] == [FINISHED_TEXT]

    @property
    def query(self) -> str:
        """The page's request: the first text of its tree."""
        return " ".join(self.lines[0].name.split()) if self.lines else ""

    def match_query(self, pattern: str) -> tuple[str, ...]:
        """The groups of a pattern in the query. Raises OracleLost if it does not match."""
        match = re.search(pattern, self.query)
        if match is None:
            raise OracleLost(f"no {pattern} in: {self.query}")
        return match.groups()

    @property
    def quoted_texts(self) -> list[str]:
        """All texts in double quotes in the query."""
        return _QUOTED.findall(self.query)

    @property
    def texts(self) -> list[str]:
        """All text below the query."""
        return [line.name for line in self.lines[1:] if line.role == "text"]

    def all(self, *roles: str) -> list[TreeLine]:
        """The usable elements with one of these roles, from top to bottom."""
        return [line for line in self.lines if line.role in roles and line.ref is not None]

    def find(self, name: str, *roles: str) -> TreeLine | None:
        """The first usable element with this name, or else with this name in another case."""
        name = name.strip()
        candidates = [
            line
            for line in self.lines
            if line.ref is not None
            and line.name.lower() == name.lower()
            and (not roles or line.role in roles)
        ]
        exact = (line for line in candidates if line.name == name)
        return next(exact, candidates[0] if candidates else None)

    def get(self, name: str, *roles: str) -> TreeLine:
        """As `find`. Raises OracleLost if there is no such element."""
        line = self.find(name, *roles)
        if line is None:
            raise OracleLost(f"there is no {' or '.join(roles)} {name}")
        return line

    def box(self, index: int = 0) -> TreeLine:
        """A text box by its place on the page. Raises OracleLost."""
        boxes = self.all("box")
        if index >= len(boxes):
            raise OracleLost(f"there is no text box {index + 1}")
        return boxes[index]

    def first_below(self, text: str, *roles: str) -> TreeLine:
        """The first usable element with one of the roles below a text. Raises OracleLost."""
        for index, line in enumerate(self.lines):
            if index and line.name.strip(": ").lower() == text.strip(": ").lower():
                for below in self.lines[index + 1 :]:
                    if below.ref is not None and below.role in roles:
                        return below
        raise OracleLost(f"nothing below {text}")

    def target(self, line: TreeLine) -> Target:
        """The target of an action on this element."""
        return Target(ref=line.ref, tree=self.tree_id)

    def click(self, line: TreeLine, thought: str = "", called: str | None = None) -> OracleMove:
        """A move that clicks the element."""
        return OracleMove(thought, Click(target=self.target(line)), called)

    def hover(self, line: TreeLine) -> OracleMove:
        """A move that points at the element, as menus need it."""
        return OracleMove("", Move(target=self.target(line)))

    def write(self, line: TreeLine, text: str, thought: str = "") -> OracleMove:
        """A move that replaces the content of a text box."""
        return OracleMove(thought, Type(text=text, target=self.target(line), clear=True))

    def set(self, line: TreeLine, value: str, thought: str = "") -> OracleMove:
        """A move that sets the value of a control, such as an option of a drop-down."""
        return OracleMove(thought, SetValue(target=self.target(line), value=value))

    def scroll(self, line: TreeLine, up: bool = False) -> OracleMove:
        """A move that scrolls the element to its end, or to its start."""
        distance = -100_000 if up else 100_000
        thought = f"I scroll to the {'start' if up else 'end'} of the text."
        return OracleMove(thought, Scroll(target=self.target(line), dy=distance))

    def submit(self, thought: str = "") -> OracleMove:
        """A move that clicks the submit button."""
        return self.click(self.get("submit"), thought)


Moves = Generator[OracleMove, None, None]
Script = Callable[[LivePage], Moves]
"""Yields one move at a time. When it resumes, the page shows the effect of that move."""


def list_refs(lines: Sequence[TreeLine], most: int = 8) -> str:
    """The numbers of the first of some elements: "#3, #7"."""
    return ", ".join(f"#{line.ref}" for line in lines[:most])


def act(thought: str, action: Action) -> OracleMove:
    """A move with any action."""
    return OracleMove(thought, action)


def press_keys(*keys: str, repeat: int = 1, thought: str) -> OracleMove:
    """A move that presses keys together, `repeat` times."""
    return OracleMove(thought, Key(keys=keys, repeat=repeat))


class LivePageOracle:
    """Follows a script, and finishes as soon as the episode or the script is over."""

    def __init__(self, script: Script) -> None:
        self._page = LivePage()
        self._moves = script(self._page)

    def move(self, observation: Observation) -> OracleMove:
        """See `Oracle` of the gyms."""
        self._page.update(observation)
        move = None if self._page.is_over else next(self._moves, None)
        return move or OracleMove("", Done())
