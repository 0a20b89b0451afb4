"""A policy of ours that is shown pictures: the screen of now, some of those before, perhaps the
tree; and answers in a dialect of points or in the compact one.

Guarantees: a prompt is one user message, its pictures first, the present one last; each picture is
made as large as the model reads it before it is sent, so coordinates, what is stored and what is
learnt are of the same pixels. What an oracle or a control answers in the compact dialect is said
in the policy's dialect, read again, and only then carried out: a demonstration shows what the
policy could have said.
"""

from __future__ import annotations

import base64
import hashlib
from collections import deque
from collections.abc import Callable, Sequence

from agent_server.episodes.agent import Answer, Policy, Sampling, Turn, outcome
from agent_server.episodes.compact import HISTORY_STEPS, TASK, parse
from agent_server.episodes.trajectory import SeenPicture
from envs.contract.actions import (
    Action,
    ActionResult,
    Click,
    Key,
    Move,
    Scroll,
    SetValue,
    SimpleAction,
    Target,
    Type,
    single_actions,
)
from envs.contract.observations import (
    Observation,
    Observe,
    Screenshot,
    ScreenshotRequest,
    Tree,
    lines_of,
    one_line,
    tree_lines,
)
from envs.contract.outcomes import EpisodeFault, InvalidReason
from envs.contract.task import Task
from envs.dialects import computer_use, glm, uitars
from envs.dialects.coordinates import RELATIVE, SHOWN, Coordinates, lines_of_part
from envs.dialects.dialect import Display, Parsed, Refused
from envs.dialects.view import View

ERROR_CHARS = 90
Fit = Callable[[Screenshot], Screenshot]
"""Makes a picture as large as the model reads it."""
_PARSE = {"uitars": uitars.parse, "computer_use": computer_use.parse, "glm": glm.parse}
WRITERS = {"uitars": uitars.write, "computer_use": computer_use.write, "glm": glm.write}
"""Of the dialects of points: what makes an answer of actions."""
EXPLAINED = {
    "uitars": "Answer with 'Thought: ...' and 'Action: ' and one call: click(start_box='(x,y)'), "
    "left_double, right_single, drag(start_box, end_box), hotkey(key='ctrl c'), "
    "type(content='text'), scroll(start_box, direction='down'), wait(), zoom(start_box, end_box) "
    "or crop to see that part next, mark(start_box), finished(content='answer') when the task is "
    "done, call_user() if it cannot be done.",
    "computer_use": "Answer with a call of the function computer_use in <tool_call> tags, as JSON: "
    'name and arguments with "action": left_click, right_click, double_click, mouse_move (with '
    '"coordinate": [x, y]), type ("text"), key ("keys"), scroll ("pixels"), wait ("time"), zoom '
    'or crop ("region": [x1, y1, x2, y2], seen next), mark ("points": [[x, y]]), answer ("text") '
    'or terminate ("status": success or failure) at the end.',
    "glm": "Answer with a few words and one action in a box, "
    f"{glm.BEGIN}left_click(start_box='[x,y]'){glm.END}, of: left_click, right_click, "
    "left_double_click, hover, left_drag(start_box, end_box), key(keys='ctrl+c'), "
    "type(content='text'), scroll(start_box, direction='down', step=5), WAIT(), "
    "zoom(start_box, end_box) or crop to see that part next, mark(start_box), DONE() when the task "
    "is done, DONE(content='answer') to answer it, FAIL() if it cannot be done.",
}


class SeeingAgent:
    """`fit`: see `Fit`. `policy_speaks_compact`: of oracles and controls, which read the tree."""

    longest_s = 0.0

    def __init__(
        self, task: Task, policy: Policy, view: View, fit: Fit, *, policy_speaks_compact: bool
    ) -> None:
        self._task, self._policy, self._view, self._fit = task, policy, view, fit
        self._translates = policy_speaks_compact and view.dialect != "compact"
        self._pictures: deque[Screenshot] = deque(maxlen=view.pictures)
        self._history: list[tuple[str, Parsed]] = []
        self._display = Display(1, 1)
        self._follow_ups: list[str] = []

    def extend_observe(self, observe: Observe) -> Observe:
        """Pictures without loss; the tree also where only an oracle reads it."""
        needs_tree = self._view.shows_tree or self._translates
        return observe.model_copy(
            update={
                "tree": needs_tree,
                "points": self._translates,
                "screenshot": ScreenshotRequest(format="png"),
            }
        )

    def tell(self, text: str) -> None:
        """See `Agent.tell`: every later prompt has it below the task."""
        self._follow_ups.append(text)

    async def act(
        self, observation: Observation, results: Sequence[ActionResult], sampling: Sampling
    ) -> Answer:
        """See `Agent.act`. Raises EpisodeFault(observation) without a picture."""
        seen = observation.screenshot
        if seen is None:
            if observation.dialog is None or not self._pictures:
                raise EpisodeFault(InvalidReason.OBSERVATION, "the host sent no picture")
            # A page with an open dialog draws nothing: what was seen last stays in sight.
        else:
            picture = self._fit(seen).model_copy(update={"part": seen.part})
            if seen.part is None:
                # Points stay those of the whole screen, as it was shown last, when a part is shown.
                self._display = Display(*seen.screen, (picture.width, picture.height))
            self._pictures.append(picture)
        display = self._display
        result = outcome(self._history[-1][1], results) if self._history else None
        prompt = self._prompt(observation, result)
        shown = tuple(self._pictures)
        turn = Turn(self._task, observation, prompt, sampling, shown, result)
        completion = await self._policy.act(turn)
        text = completion.text
        if self._translates:
            text = self._translate(completion.text, observation.tree, display)
        parsed = self._read(text, observation.tree, display)
        self._history.append((text, parsed))
        pictures = completion.pictures or tuple(map(seen_picture, shown))
        completion = completion.model_copy(update={"text": text, "pictures": pictures})
        return Answer(prompt, completion, parsed)

    def _prompt(self, observation: Observation, result: ActionResult | None) -> str:
        """`result` is of the last answer."""
        lines = [EXPLAINED[self._view.dialect]] if self._explains else []
        if self._view.shows_tree:
            lines += lines_of(observation)
        elif observation.dialog is not None:
            lines.append(f"dialog: {one_line(observation.dialog, 240)}")
        lines += lines_of_part(self._pictures[-1], self._display, _coordinates(self._view))
        lines.append(f"{TASK}{one_line(self._task.instruction, 2000)}")
        lines += [f"{TASK}{one_line(text, 2000)}" for text in self._follow_ups]
        lines += [f"did: {_last_line(text)}" for text, _ in self._history[-HISTORY_STEPS:]]
        if result is not None and not result.ok:
            lines.append(f"error: {one_line(result.message, ERROR_CHARS)}")
        return "\n".join(lines)

    @property
    def _explains(self) -> bool:
        return self._view.explain and self._view.dialect in EXPLAINED

    def _read(self, text: str, tree: Tree | None, display: Display) -> Parsed:
        if self._view.dialect == "compact":
            lines = tree_lines(tree)
            return parse(text, lines, None if tree is None else tree.id)
        return _PARSE[self._view.dialect](text, display, _coordinates(self._view))

    def _translate(self, text: str, tree: Tree | None, display: Display) -> str:
        """A compact answer in the policy's dialect; as it is where the dialect cannot say it, and
        then it is refused as malformed."""
        lines = tree_lines(tree)
        parsed = parse(text, lines)
        action = parsed.action
        if action is None:
            return text
        points = None if tree is None else tree.points
        try:
            actions = [
                part
                for each in single_actions(action)
                for part in point_actions(each, points or {})
            ]
            thought = parsed.thought if self._view.thoughts else ""
            return write_actions(self._view, thought, actions, display)
        except Refused:
            return text


def write_actions(
    view: View, thought: str, actions: Sequence[SimpleAction], display: Display
) -> str:
    """Actions on points as the view's dialect says them. Raises Refused for what it cannot say."""
    return WRITERS[view.dialect](thought, actions, display, _coordinates(view))


def _coordinates(view: View) -> Coordinates:
    is_relative = view.coordinates == "relative" or view.dialect == "compact"
    return RELATIVE if is_relative else SHOWN


def seen_picture(picture: Screenshot) -> SeenPicture:
    """The picture as a record holds it, in a prompt that no server has read."""
    data = base64.b64decode(picture.data)
    name = f"{hashlib.sha256(data).hexdigest()}.{picture.format}"
    return SeenPicture(name=name, width=picture.width, height=picture.height, data=data)


def point_actions(action: Action, points: dict[int, tuple[int, int]]) -> list[SimpleAction]:
    """What a person does with mouse and keys for an action on elements, at these points of the
    page. Raises Refused where that is not known."""

    def at(target: Target) -> Target:
        if target.ref is None or target.ref not in points:
            raise Refused("the element has no known place")
        x, y = points[target.ref]
        return Target(x=x, y=y)

    match action:
        case Click(target=Target(ref=int()) as target):
            return [action.model_copy(update={"target": at(target)})]
        case Move(target=Target(ref=int()) as target):
            return [Move(target=at(target))]
        case Scroll(target=Target(ref=int()) as target):
            return [action.model_copy(update={"target": at(target)})]
        case SetValue(target=Target(ref=int()) as target, value=bool()):
            # An oracle sets a box that is not set yet: one click turns it over.
            return [Click(target=at(target))]
        case Type(target=Target(ref=int()) as target):
            select = [Key(keys=("ctrl", "a"))] if action.clear else []
            typed = Type(text=action.text, submit=action.submit)
            return [Click(target=at(target)), *select, typed]
        case SetValue():
            raise Refused("no single input sets such a value")
    assert action.type != "batch"
    return [action]


def _last_line(text: str) -> str:
    """Of an answer: its action, which stands last, without the tags of a tool call or a box."""
    if glm.BEGIN in text:
        text = glm.split_answer(text)[1] or ""
    bare = text.replace("<tool_call>", "").replace("</tool_call>", "")
    lines = [line for line in bare.split("\n") if line.strip()]
    return one_line(lines[-1] if lines else "", 160)
