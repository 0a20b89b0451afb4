"""One session of an env host as tools of any MCP client, whatever carries the messages.

Guarantees: names are made of [a-z_], as all clients take them; every GUI action is offered under
its type, and each tool of the chosen groups with `_` for the dot (`files_read` for `files.read`); a
refused tool or action is an error result in the host's words, never a broken connection.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Collection
from typing import Any, Literal, Protocol, get_args

from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    CallToolResult,
    ContentBlock,
    ImageContent,
    TextContent,
    Tool,
)
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from envs.client import HostBusy
from envs.contract import actions
from envs.contract.actions import ActionResult, SimpleAction
from envs.contract.observations import Observation, Observe, ScreenshotRequest
from envs.contract.outcomes import EpisodeFault
from envs.contract.session import StepReply
from envs.contract.task import Env
from envs.contract.validation import describe_first

TREE_CHARS = 6000
MAX_TEXT = 60_000
"""Characters of one answer."""
INSTRUCTIONS = """Controls one {env}. `tree` lists what is on the screen: each line ends in #n, and
a target {{"ref": n}} means that element. `screenshot` shows the pixels; a target
{{"x": .., "y": ..}} is a point in them. Actions such as click and type answer with the new tree;
tools that begin with the name of an application or of {groups} do more in one call."""
ALL_GROUPS = "all"
DEFAULT_GROUPS = ("files", "shell", "browser")
"""Groups of the host's tools that are offered if nothing else is chosen, as far as the host has
them. A desktop has over 300 tools: too many for the context of most agents."""
_NO_TOOLS = (
    actions.Tool,
    actions.Done,
    actions.Infeasible,
    actions.Note,
    actions.Zoom,
    actions.Mark,
)
_NOT_ON: dict[Env, tuple[type[BaseModel], ...]] = {
    "desktop": (actions.History, actions.Tab, actions.Dialog),
    "browser": (actions.Window, actions.Launch, actions.Clipboard),
}
_SUMMARIES = {
    "click": "Clicks an element or point, or where the pointer is.",
    "move": "Moves the pointer.",
    "mouse_down": "Presses a mouse button and holds it.",
    "mouse_up": "Releases a mouse button.",
    "drag": "Drags along a path of at least two targets.",
    "scroll": "Scrolls; positive dy is down, positive dx is right.",
    "type": "Types text with the keyboard, into a target if one is given.",
    "key": 'Presses a chord of keys, such as ["ctrl", "s"].',
    "key_down": "Presses a key and holds it.",
    "key_up": "Releases a key.",
    "set_value": "Sets a field, check box or drop-down of the tree.",
    "navigate": "Opens a web address in the browser.",
    "history": "Goes back or forward in the browser, or loads the page again.",
    "tab": "Opens, closes or selects a tab of the browser.",
    "dialog": "Answers a dialog of the web page.",
    "window": "Focuses, closes, maximizes, minimizes or restores a window, by its title.",
    "launch": "Starts an application and waits for its window.",
    "clipboard": "Reads or writes the clipboard.",
    "wait": "Waits for some milliseconds.",
}


class _Arguments(BaseModel):
    model_config = ConfigDict(extra="forbid")


class SeeTree(_Arguments):
    """What is on the screen, as text: one line an element, with its number."""

    chars: int = Field(TREE_CHARS, ge=200, le=MAX_TEXT, description="budget; the rest is cut")


class SeeScreen(_Arguments):
    """A picture of the screen."""

    format: Literal["jpeg", "png", "webp"] = "png"
    scale: float = Field(1.0, gt=0, le=1)


class Reset(_Arguments):
    """Puts everything back as it was at the beginning; unsaved and saved work is lost."""


_OWN_TOOLS: dict[str, type[_Arguments]] = {"tree": SeeTree, "screenshot": SeeScreen, "reset": Reset}


def gui_actions(env: Env) -> dict[str, type[BaseModel]]:
    """Action models by the tool name under which they are offered."""
    kinds = get_args(get_args(SimpleAction)[0])
    left_out = _NO_TOOLS + _NOT_ON[env]
    return {kind.model_fields["type"].default: kind for kind in kinds if kind not in left_out}


class UnknownGroup(ValueError):
    """A group of tools that the host does not have; the message lists those that it has."""


def choose_tools(
    entries: Collection[dict[str, Any]], groups: Collection[str]
) -> dict[str, dict[str, Any]]:
    """The host's tools of these groups, by the names under which they are offered. A group is what
    stands before the first dot of a name. Raises UnknownGroup."""
    known = {entry["name"].partition(".")[0] for entry in entries}
    unknown = set(groups) - known - {ALL_GROUPS, *DEFAULT_GROUPS}
    if unknown:
        raise UnknownGroup(
            f"no tools are called {', '.join(sorted(unknown))}; groups: "
            f"{', '.join(sorted(known))}, or {ALL_GROUPS}"
        )
    chosen = known if ALL_GROUPS in groups else known & set(groups)
    return {
        entry["name"].replace(".", "_"): entry
        for entry in entries
        if entry["name"].partition(".")[0] in chosen
    }


class SessionFailed(Exception):
    """The session cannot be used now; the message says why."""


class OwnedSession(Protocol):
    """The session of one MCP client. Its methods raise EpisodeFault, HostBusy or SessionFailed."""

    env: Env

    async def step(self, actions: list[actions.Action], observe: Observe) -> StepReply:
        """Runs actions in order and observes."""
        ...

    async def reset(self, observe: Observe) -> Observation:
        """Back to its beginning; another session where this one is lost."""
        ...

    async def list_tools(self) -> list[dict[str, Any]]:
        """The tools of its host, with their schemas."""
        ...


class Bridge:
    """A session, offered as MCP tools."""

    def __init__(
        self,
        session: OwnedSession,
        tools: Collection[dict[str, Any]],
        groups: Collection[str] = DEFAULT_GROUPS,
    ) -> None:
        """`tools`: those of the session's host. Raises UnknownGroup for a group that it does not
        have."""
        self._session = session
        self._busy = asyncio.Lock()
        self._host_tools = choose_tools(tools, groups)
        self._actions = gui_actions(session.env)

    @property
    def instructions(self) -> str:
        """What the client's model is told about the tools."""
        groups = sorted({entry["name"].partition(".")[0] for entry in self._host_tools.values()})
        return INSTRUCTIONS.format(env=self._session.env, groups=", ".join(groups) or "a group")

    def list_tools(self) -> list[Tool]:
        """The bridge's own tools, then GUI actions, then the host's tools."""
        own_tools = [_tool_of(name, model) for name, model in _OWN_TOOLS.items()]
        gui = [_tool_of(name, model) for name, model in self._actions.items()]
        api = [
            Tool(name=name, description=entry["description"], input_schema=entry["parameters"])
            for name, entry in self._host_tools.items()
        ]
        return [*own_tools, *gui, *api]

    async def call(self, name: str, arguments: dict[str, Any]) -> CallToolResult:
        """Call a tool. Raises MCPError when there is no such tool."""
        if name not in _OWN_TOOLS and name not in self._actions and name not in self._host_tools:
            raise MCPError(INVALID_PARAMS, f"there is no tool {name[:100]}")
        async with self._busy:
            try:
                return await self._call(name, arguments)
            except ValidationError as error:
                return _error_result(
                    f"malformed: {name}: {describe_first(error, 'arguments')}"[:400]
                )
            except (EpisodeFault, HostBusy, SessionFailed) as fault:
                return _error_result(
                    f"the {self._session.env} failed: {fault}; call reset to go on with a new one"
                )

    async def _call(self, name: str, arguments: dict[str, Any]) -> CallToolResult:
        if name in self._host_tools:
            action = actions.Tool(name=self._host_tools[name]["name"], arguments=arguments)
            result, _ = await self._step(action, Observe(tree=False))
            return _result_content(result)
        if name in self._actions:
            chosen: Any = self._actions[name].model_validate({**arguments, "type": name})
            result, observation = await self._step(chosen, Observe(tree_chars=TREE_CHARS))
            return _result_content(result, observation)
        if name == "reset":
            Reset.model_validate(arguments)
            return _content(_text(await self._session.reset(Observe(tree_chars=TREE_CHARS))))
        if name == "tree":
            arguments_model = SeeTree.model_validate(arguments)
            return _content(_text(await self._look(Observe(tree_chars=arguments_model.chars))))
        picture = SeeScreen.model_validate(arguments)
        request = ScreenshotRequest(format=picture.format, scale=picture.scale)
        shot = (await self._look(Observe(tree=False, screenshot=request))).screenshot
        assert shot is not None
        return _content(ImageContent(data=shot.data, mime_type=f"image/{shot.format}"))

    async def _step(
        self, action: SimpleAction, observe: Observe
    ) -> tuple[ActionResult, Observation]:
        reply = await self._session.step([action], observe)
        return reply.results[-1], reply.observation

    async def _look(self, observe: Observe) -> Observation:
        return (await self._session.step([], observe)).observation


def _tool_of(name: str, model: type[BaseModel]) -> Tool:
    schema = model.model_json_schema()
    schema["properties"].pop("type", None)
    schema.pop("description", None)
    description = _SUMMARIES.get(name) or (model.__doc__ or "").strip()
    return Tool(name=name, description=description, input_schema=schema)


def _result_content(result: ActionResult, observation: Observation | None = None) -> CallToolResult:
    """An action's answer: its value, then what is on the screen now."""
    if not result.ok:
        return _error_result(f"{result.error}: {result.message}")
    content: list[ContentBlock] = []
    if result.value is not None or observation is None:
        value = result.value if result.value is not None else "done"
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        content.append(TextContent(text=_truncate(text)))
    if observation is not None:
        content.append(_text(observation))
    return CallToolResult(content=content)


def _text(observation: Observation) -> TextContent:
    assert observation.tree is not None
    return TextContent(text=_truncate(observation.tree.text) or "(nothing on the screen)")


def _content(block: ContentBlock) -> CallToolResult:
    return CallToolResult(content=[block])


def _error_result(message: str) -> CallToolResult:
    return CallToolResult(content=[TextContent(text=message)], is_error=True)


def _truncate(text: str) -> str:
    return text if len(text) <= MAX_TEXT else f"{text[:MAX_TEXT]}\n... cut"
