"""An agent that is a Python class.

    class MyAgent:
        def reset(self, task): ...             a `envs.contract.task.Task`
        def act(self, observation): ...        an `envs.contract.observations.Observation`
        def on_results(self, results): ...     optional: the results of its actions
        def on_message(self, text): ...        optional: what the task's owner adds while it runs

`act` gives actions of `envs.contract.actions`, one or a list, as models or as their dicts. What is
no action is a step with an error, which `on_results` gets as its one result, and the log as well.
Plain functions run in a thread, coroutines on the loop; one object an episode. What it raises ends
the episode as policy_refused; the log has its traceback.
"""

from __future__ import annotations

import asyncio
import importlib
import inspect
import logging
import sys
import time
import traceback
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel, TypeAdapter

from agent_server.agents.config import AgentFileError, PythonClass
from agent_server.episodes.agent import Answer, Sampling
from agent_server.episodes.trajectory import Completion
from envs.contract.actions import (
    Action,
    ActionResult,
    SimpleAction,
    action_adapter,
    describe_fields,
    single_actions,
)
from envs.contract.observations import Observation, Observe, ScreenshotRequest
from envs.contract.outcomes import EpisodeFault, InvalidReason
from envs.contract.task import Task
from envs.contract.validation import suggest_names
from envs.dialects.dialect import Parsed, Refused, Request, read_all

log = logging.getLogger(__name__)

SAID_CHARS = 20_000
LOGGED_CHARS = 500
_results: TypeAdapter[list[ActionResult]] = TypeAdapter(list[ActionResult])


def find_class(spec: PythonClass) -> type[Any]:
    """Import the class, from `path` too. Raises AgentFileError."""
    module_name, _, name = spec.entry.partition(":")
    if spec.path is not None and spec.path not in sys.path:
        sys.path.insert(0, spec.path)
    try:
        module = importlib.import_module(module_name)
    except (Exception, SystemExit) as error:
        # It is somebody else's code, which may raise anything while it is imported.
        raise AgentFileError(f"cannot import {module_name}: {error!r}") from error
    agent_class = getattr(module, name, None)
    missing = [need for need in ("reset", "act") if not callable(getattr(agent_class, need, None))]
    if agent_class is None:
        raise AgentFileError(
            f"{module_name} has no class {name}{suggest_names(name, vars(module))}"
        )
    if not isinstance(agent_class, type) or missing:
        raise AgentFileError(f"{spec.entry} is not a class with {' and '.join(missing)}")
    try:
        inspect.signature(agent_class).bind(**spec.options)
    except TypeError as error:
        message = (
            f"{spec.entry} cannot be made: {error}; `options` of the agent's file are its arguments"
        )
        raise AgentFileError(message) from error
    return agent_class


def source_of(spec: PythonClass) -> Path | None:
    """File of the class; None where it has none. Raises AgentFileError."""
    try:
        return Path(inspect.getfile(find_class(spec)))
    except TypeError:
        return None


class PythonAgent:
    """Adapts a Python class to `Agent`."""

    def __init__(self, spec: PythonClass, task: Task) -> None:
        self._spec, self._task = spec, task
        self._made: Any = None
        self._unread: ActionResult | None = None
        """The error of its last answer, of which nothing was carried out."""
        self._unheard: list[str] = []
        """Follow-ups that the class has not been given yet."""
        self.longest_s = spec.timeout_s

    def extend_observe(self, observe: Observe) -> Observe:
        """The observation that the agent's file names."""
        pictures = "screenshot" in self._spec.observe
        return observe.model_copy(
            update={
                "tree": "tree" in self._spec.observe,
                "tree_chars": self._spec.tree_chars,
                "screenshot": observe.screenshot or (ScreenshotRequest() if pictures else None),
            }
        )

    def tell(self, text: str) -> None:
        """See `Agent.tell`."""
        self._unheard.append(text)

    async def act(
        self, observation: Observation, results: Sequence[ActionResult], sampling: Sampling
    ) -> Answer:
        """See `Agent.act`."""
        started = time.perf_counter()
        if self._made is None:
            kind = await asyncio.to_thread(find_class, self._spec)
            self._made = await self._call(kind, **self._spec.options)
            await self._call(self._made.reset, self._task)
        elif hasattr(self._made, "on_results"):
            own_results = [self._unread] if self._unread is not None else list(results)
            await self._call(self._made.on_results, own_results)
        await self._pass_follow_ups()
        answer = await self._call(self._made.act, observation)
        parsed = read_all("", [Request(lambda: _actions(answer))])
        self._unread = parsed.error
        if parsed.error is not None:
            text = _record_text(answer, parsed)[:LOGGED_CHARS]
            log.warning("%s gave %s: %s", self._spec.entry, text, parsed.error.message)
        completion = Completion(
            text=_record_text(answer, parsed), latency_s=round(time.perf_counter() - started, 5)
        )
        return Answer(_results.dump_json(list(results)).decode(), completion, parsed)

    async def _pass_follow_ups(self) -> None:
        unheard, self._unheard = self._unheard, []
        for text in unheard:
            if hasattr(self._made, "on_message"):
                await self._call(self._made.on_message, text)
            else:
                log.warning("%s has no on_message: a follow-up is lost", self._spec.entry)

    async def _call(self, function: Any, *arguments: Any, **options: Any) -> Any:
        name = f"{self._spec.entry} {getattr(function, '__name__', '')}".strip()
        try:
            async with asyncio.timeout(self._spec.timeout_s):
                if inspect.iscoroutinefunction(function):
                    return await function(*arguments, **options)
                return await asyncio.to_thread(function, *arguments, **options)
        except TimeoutError as error:
            raise EpisodeFault(
                InvalidReason.POLICY_TIMEOUT, f"{name}: nothing within {self._spec.timeout_s:g} s"
            ) from error
        except (Exception, SystemExit) as error:
            # Somebody else's code may raise anything, and may want to end the program, which is the
            # worker with the episodes of others: it is no fault of the worker.
            log.warning("%s raised %r", name, error, exc_info=error)
            place = traceback.extract_tb(error.__traceback__)[-1]
            where = f"{Path(place.filename).name}:{place.lineno}"
            detail = f"{name} raised {error!r} at {where}; the worker's log has the traceback"
            raise EpisodeFault(InvalidReason.POLICY_REFUSED, detail) from error


def _actions(answer: Any) -> Iterator[SimpleAction]:
    for entry in answer if isinstance(answer, list | tuple) else [answer]:
        if not isinstance(entry, BaseModel | dict):
            raise Refused(f"act gave {type(entry).__name__}, no action")
        action: Action = action_adapter.validate_python(entry)
        yield from single_actions(action)


def _record_text(answer: Any, parsed: Parsed) -> str:
    """For the record: the actions, or what stood in their place."""
    if parsed.error is not None:
        return repr(answer)[:SAID_CHARS]
    return "\n".join(describe_fields(action) for action in parsed.actions)
