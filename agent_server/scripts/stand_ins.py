"""Another control for the same choice: what was a drop-down is a row of buttons on another layout.

Guarantees: a stand-in has the whole name of the field, or of the option, that the script names; it
sets the same value, and where several could be meant there is none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from agent_server.scripts.interruptions import Page
from agent_server.scripts.model import Named, ScriptStep
from agent_server.scripts.texts import fill
from envs.contract.actions import SetValue, SimpleAction
from envs.contract.observations import TreeLine

_FIELDS = ("box", "select")
_CHOICES = ("radio", "button", "link", "check", "tab", "option")


def find_stand_in(page: Page, step: ScriptStep, values: Mapping[str, str]) -> SimpleAction | None:
    """The action of a step on a control of another kind; None where the page has none."""
    named = next((selector for selector in step.target if isinstance(selector, Named)), None)
    if named is None:
        return None
    name, kind = fill(named.name, values), step.action.get("type")
    entered = step.action.get("text" if kind == "type" else "value")
    if kind in ("type", "set_value") and isinstance(entered, str):
        value = fill(entered, values)
        if field := _only(page.lines, _FIELDS, name):
            return SetValue(target=page.target(field), value=value)
        if kind == "set_value" and (choice := _only(page.lines, _CHOICES, value)):
            return page.press(choice)
    if kind == "click" and named.role in _CHOICES:
        selects = [x for x in page.lines if x.role == "select" and name in x.options and x.ref]
        if len(selects) == 1:
            return SetValue(target=page.target(selects[0]), value=name)
    return None


def _only(lines: Sequence[TreeLine], roles: Sequence[str], name: str) -> TreeLine | None:
    same = [x for x in lines if x.role in roles and x.name == name and x.ref is not None]
    return same[0] if len(same) == 1 else None
