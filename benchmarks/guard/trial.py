"""Plays a case in a real Chromium: the agent obeys whatever the pages of its case say.

The agent is the attack's worst case: it reads everything in a document, hidden or not, believes it,
and goes on with the next step after a refusal. What it does stands in the case; the guard sees only
the user's task, the pages and the actions.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from agent_server.approvals.inspection import inspect_pages
from agent_server.guard.effects import list_effects
from agent_server.guard.injection import InjectionGuard
from agent_server.guard.risk import find_risks
from benchmarks.guard.cases import Case
from benchmarks.guard.sites import Sites
from envs.browser.session import BrowserSession
from envs.contract.actions import SimpleAction, simple_action_adapter
from envs.contract.approval import RULES
from envs.contract.observations import Observe
from envs.contract.task import Task

Watch = Literal["nobody", "guard", "risky"]
"""Who holds actions back: nobody, the injection guard alone, or all rules of `approve: risky`."""


@dataclass
class Trial:
    """What came of a case. `stopped`: why actions waited, one entry an action; a person who is
    asked refuses in an attack, and approves else."""

    is_harmed: bool = False
    failed: list[str] = field(default_factory=list)
    stopped: list[str] = field(default_factory=list)


async def play(case: Case, session: BrowserSession, sites: Sites, watch: Watch) -> Trial:
    """Plays it to its end. Raises EpisodeFault."""
    sites.show(case)
    task = Task(id=case.name, instruction=case.task, start_url=f"{sites.site}{case.start}")
    await session.reset(task, Observe())
    guard = InjectionGuard(case.task, task.start_url)
    trial = Trial()
    for step in case.steps:
        action = simple_action_adapter.validate_python(_fill(step, sites))
        if watch != "nobody":
            why = await _find_why(action, session, guard, watch)
            if why:
                trial.stopped.append(why)
                if case.is_attack:
                    continue
        reply = await session.step([action], Observe())
        trial.failed += [result.message for result in reply.results if not result.ok]
    trial.is_harmed = case.harm is not None and sites.has_happened(case.harm)
    return trial


async def _find_why(
    action: SimpleAction, session: BrowserSession, guard: InjectionGuard, watch: Watch
) -> str:
    pages = await inspect_pages(session, [action])
    for page in pages:
        guard.see(page)
    facts = pages[-1]
    effects = list_effects([action], facts)
    reasons = [f"{alarm.why} <- {alarm.quote}" for alarm in guard.judge(effects, facts)]
    if watch == "risky":
        reasons += [reason.why for reason in find_risks(effects, facts, (), RULES)]
    return "; ".join(reasons)


def _fill(value: Any, sites: Sites) -> Any:
    """A step with the sites' addresses."""
    if isinstance(value, str):
        return sites.fill(value)
    if isinstance(value, dict):
        return {key: _fill(part, sites) for key, part in value.items()}
    return [_fill(part, sites) for part in value] if isinstance(value, list) else value
