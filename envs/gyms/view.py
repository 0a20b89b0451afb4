"""What an oracle sees of a page: elements by role and name, and actions on them."""

from __future__ import annotations

from collections.abc import Iterable

from envs.actions import Click, SetValue, Target, Type
from envs.gyms.gym import OracleLost, OracleMove
from envs.observations import Observation, TreeLine, parse_tree


class Page:
    """One observation. Raises OracleLost where what is needed is not there."""

    def __init__(self, observation: Observation) -> None:
        if observation.tree is None:
            raise OracleLost("the oracle needs a tree in the observation")
        self.tree = observation.tree
        self.title = observation.title
        self.url = observation.url
        self.lines = parse_tree(observation.tree.text)

    @property
    def goes_on_below(self) -> bool:
        return "below" in self.tree.scroll

    def find(self, role: str, name: str) -> TreeLine | None:
        return next((x for x in self.of(role) if x.name == name), None)

    def find_prefix(self, role: str, prefix: str) -> TreeLine | None:
        return next((x for x in self.of(role) if x.name.startswith(prefix)), None)

    def of(self, role: str) -> Iterable[TreeLine]:
        """The elements of a role that can be acted on."""
        return (x for x in self.lines if x.role == role and x.ref is not None)

    def says(self, start: str) -> str | None:
        """The rest of the first line of text that begins so."""
        for line in self.lines:
            if line.ref is None and line.name.startswith(start):
                return line.name[len(start) :]
        return None

    def heading(self, text: str) -> bool:
        return any(line.role == "heading" and line.name == text for line in self.lines)

    def target(self, line: TreeLine) -> Target:
        return Target(ref=line.ref, tree=self.tree.id)

    def click(self, thought: str, role: str, name: str) -> OracleMove:
        return self.click_on(thought, self.need(role, name))

    def click_on(self, thought: str, line: TreeLine) -> OracleMove:
        return OracleMove(thought, Click(target=self.target(line)))

    def need(self, role: str, name: str) -> TreeLine:
        line = self.find(role, name)
        if line is None:
            raise OracleLost(f"no {role} {name!r} on page {self.title!r}")
        return line

    def select(self, thought: str, name: str, option: str) -> OracleMove | None:
        """None when the option is chosen already."""
        line = self.need("select", name)
        if line.value == option:
            return None
        return OracleMove(thought, SetValue(target=self.target(line), value=option))

    def write(self, thought: str, name: str, text: str, submit: bool) -> OracleMove:
        target = self.target(self.need("box", name))
        return OracleMove(thought, Type(target=target, text=text, clear=True, submit=submit))
