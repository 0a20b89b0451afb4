"""What an oracle sees of a page: elements by role and name, and actions on them."""

from __future__ import annotations

from collections.abc import Iterable

from envs.contract.actions import Click, SetValue, Target, Type
from envs.contract.observations import Observation, TreeLine, parse_tree
from envs.gyms.server.gym import OracleLost, OracleMove


class Page:
    """One observation. Raises OracleLost where what is needed is not there."""

    def __init__(self, observation: Observation) -> None:
        if observation.tree is None:
            raise OracleLost("the oracle needs a tree in the observation")
        if not observation.url:
            # What a session shows of a page that does not answer: nothing to conclude from.
            raise OracleLost(f"no page: {observation.tree.text[:100]}")
        self.tree = observation.tree
        self.title = observation.title
        self.url = observation.url
        self.lines = parse_tree(observation.tree.text)

    @property
    def has_more_below(self) -> bool:
        """Whether the page goes on below what is in view."""
        return "below" in self.tree.scroll

    def find(self, role: str, name: str) -> TreeLine | None:
        """An element by its exact name."""
        return next((x for x in self.elements(role) if x.name == name), None)

    def find_prefix(self, role: str, prefix: str) -> TreeLine | None:
        """The first element whose name begins so."""
        return next((x for x in self.elements(role) if x.name.startswith(prefix)), None)

    def elements(self, role: str) -> Iterable[TreeLine]:
        """The elements of a role that can be acted on."""
        return (x for x in self.lines if x.role == role and x.ref is not None)

    def text_after(self, start: str) -> str | None:
        """The rest of the first line of text that begins so."""
        for line in self.lines:
            if line.ref is None and line.name.startswith(start):
                return line.name[len(start) :]
        return None

    def has_heading(self, text: str) -> bool:
        """Whether there is a heading of exactly this text."""
        return any(line.role == "heading" and line.name == text for line in self.lines)

    def target(self, line: TreeLine) -> Target:
        """The target of an action on an element."""
        return Target(ref=line.ref, tree=self.tree.id)

    def click(self, thought: str, role: str, name: str) -> OracleMove:
        """Clicks an element by its exact name. Raises OracleLost."""
        return self.click_on(thought, self.get_line(role, name))

    def click_on(self, thought: str, line: TreeLine) -> OracleMove:
        """Clicks an element."""
        return OracleMove(thought, Click(target=self.target(line)))

    def get_line(self, role: str, name: str) -> TreeLine:
        """An element by its exact name. Raises OracleLost."""
        line = self.find(role, name)
        if line is None:
            raise OracleLost(f"no {role} {name!r} on page {self.title!r}")
        return line

    def select(self, thought: str, name: str, option: str) -> OracleMove | None:
        """None when the option is chosen already."""
        line = self.get_line("select", name)
        if line.value == option:
            return None
        return OracleMove(thought, SetValue(target=self.target(line), value=option))

    def type_into(self, thought: str, name: str, text: str, submit: bool) -> OracleMove:
        """Replaces the text of a box; `submit` presses Enter. Raises OracleLost."""
        target = self.target(self.get_line("box", name))
        return OracleMove(thought, Type(target=target, text=text, clear=True, submit=submit))
