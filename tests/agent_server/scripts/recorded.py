"""A small recorded episode: a customer is looked for, opened, and gets a new phone number."""

from __future__ import annotations

from typing import Any

from agent_server.episodes.agent import Sampling
from agent_server.episodes.trajectory import Completion, Step
from agent_server.scripts.model import ScriptPlay
from agent_server.scripts.replay import ScriptAgent
from envs.contract.actions import ActionResult, ElementTraits, SimpleAction, action_adapter
from envs.contract.observations import Observation, Tree
from envs.contract.task import Task

SITE = "http://127.0.0.1:8000"
TASK = Task(
    id="t1",
    instruction="Set the phone of Hugo Blanc to 555-0199.",
    start_url=f"{SITE}/people",
)
LIST = "heading People\nbox Search #1\nlink Ada Stone #2\nlink Hugo Blanc #3"
FOUND = "heading People\nbox Search = Hugo Blanc #1\nlink Hugo Blanc #2"
PERSON = "heading Hugo Blanc\ntext Phone 555-0100\nlink Edit #1\nbutton Delete #2"
FORM = "heading Edit Hugo Blanc\ntext Phone\nbox Phone = 555-0100 #1\nbutton Save person #2"
FILLED = FORM.replace("555-0100", "555-0199")
SAVED = "text ✓ Saved\n" + PERSON.replace("555-0100", "555-0199")
SEARCH = ElementTraits(tag="input", name="q", form="/people", method="get")
NUMBER = ElementTraits(tag="input", name="phone", form="/people/p7/save", method="post")
SAVE = ElementTraits(tag="button", form="/people/p7/save", method="post")


def make_step(
    index: int,
    path: str,
    tree: str,
    action: dict[str, Any],
    element: ElementTraits | None = None,
    ok: bool = True,
    prompt: str = "",
) -> Step:
    result = ActionResult(ok=ok, element=element)
    return Step(
        index=index,
        prompt=prompt,
        completion=Completion(text=""),
        action=action_adapter.validate_python(action),
        result=result,
        url=SITE + path,
        tree=tree,
    )


def record() -> list[Step]:
    """As an agent did it, with a detour: it looked further down, and missed once."""
    search = {"type": "type", "text": "Hugo Blanc", "clear": True, "submit": True}
    number = {"type": "type", "text": "555-0199", "clear": True}
    pages: list[tuple[str, str, dict[str, Any], ElementTraits | None, bool]] = [
        ("/people", LIST, {"type": "scroll", "dy": 1, "unit": "page"}, None, True),
        ("/people", LIST, {"type": "click", "target": {"ref": 9}}, None, False),
        ("/people", LIST, search | {"target": {"ref": 1}}, SEARCH, True),
        ("/people?q=Hugo+Blanc", FOUND, {"type": "click", "target": {"ref": 2}}, None, True),
        ("/people/p7", PERSON, {"type": "click", "target": {"ref": 1}}, None, True),
        ("/people/p7/edit", FORM, number | {"target": {"ref": 1}}, NUMBER, True),
        ("/people/p7/edit", FILLED, {"type": "click", "target": {"ref": 2}}, SAVE, True),
        ("/people/p7", SAVED, {"type": "done"}, None, True),
    ]
    return [
        make_step(index, path, tree, action, element, ok)
        for index, (path, tree, action, element, ok) in enumerate(pages)
    ]


def observe(path: str, tree: str, title: str = "", scroll: str = "") -> Observation:
    text = Tree(id=1, text=tree, scroll=scroll)
    return Observation(hash=path + tree, url=SITE + path, title=title, tree=text)


class Replayed:
    """A replay that is shown one page after the other."""

    def __init__(self, play: ScriptPlay, other: Any = None) -> None:
        self.agent = ScriptAgent(play, other)
        self.sent = ""
        self._acted = False

    async def see(
        self, path: str, tree: str, result: ActionResult | None = None, **more: str
    ) -> SimpleAction:
        """The action on this page; the last one worked unless `result` says otherwise."""
        results = (result or ActionResult.success(),) if self._acted else ()
        answer = await self.agent.act(observe(path, tree, **more), results, Sampling())
        self._acted, self.sent = True, answer.sent
        (action,) = answer.parsed.actions
        return action
