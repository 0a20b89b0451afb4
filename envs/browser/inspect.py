"""What a page says and what actions would touch, before they run. Nothing is changed by the look.

The script runs in the walker's isolated world, only when it is asked for: pages of episodes that
wait for nobody never see it.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import orjson

from envs.browser.page import Page
from envs.browser.perform import Performer
from envs.contract.actions import (
    Action,
    Click,
    Drag,
    History,
    Key,
    KeyDown,
    MouseDown,
    MouseUp,
    SetValue,
    SimpleAction,
    Target,
    Type,
    single_actions,
)
from envs.contract.keys import canonical_key
from envs.contract.page_facts import MAX_PASSAGES, PASSAGE_CHARS, PageFacts
from envs.io.cdp import CdpError

_SCRIPT = (Path(__file__).parent / "inspect.js").read_text()
_FOCUS = {"focus": True}
_TRIES = 3


async def inspect_page(page: Page, performer: Performer, actions: Sequence[Action]) -> PageFacts:
    """Facts of the page of now, with an element for each single action. Raises EpisodeFault."""
    singles = [single for action in actions for single in single_actions(action)]
    nothing: tuple[None, ...] = (None,) * len(singles)
    if page.dialog is not None:
        # An open dialog stops the page's scripts: they would not answer.
        return PageFacts(dialog=page.dialog, elements=nothing)
    resends = tuple(_get_resend(page, action) for action in singles)
    places = orjson.dumps([_place_of(action, performer) for action in singles]).decode()
    call = f"({_SCRIPT})({places},{MAX_PASSAGES},{PASSAGE_CHARS})"
    for _ in range(_TRIES):
        await page.wait_loaded()
        try:
            facts = PageFacts.model_validate(await page.evaluate(call))
            return facts.model_copy(update={"resends": resends})
        except CdpError:
            # The document went away under the script.
            if page.dialog is not None:
                break
    return PageFacts(dialog=page.dialog or "", elements=nothing, resends=resends)


def _get_resend(page: Page, action: SimpleAction) -> str:
    """Where the action sends a form a second time; "" where it does not."""
    is_reload = isinstance(action, History) and action.op == "reload"
    return str(page.redact(page.events.sent_form.reload_url)) if is_reload else ""


def _place_of(action: SimpleAction, performer: Performer) -> dict[str, Any] | None:
    """Where the action strikes, as the script knows places; None where it strikes nothing."""
    match action:
        case Click(target=target) | MouseDown(target=target) | MouseUp(target=target):
            return _of_target(target, performer) if target else _of_pointer(performer)
        case Drag(path=path):
            return _of_target(path[-1], performer)
        case SetValue(target=target):
            return _of_target(target, performer)
        case Type(target=target):
            return _of_target(target, performer) if target else _FOCUS
        case Key(keys=keys):
            return _of_keys(keys)
        case KeyDown():
            return _FOCUS
        case _:
            return None


def _of_keys(keys: Sequence[str]) -> dict[str, Any]:
    """What has the focus; of a chord with Alt the control that has this access key."""
    names = [canonical_key(key) for key in keys]
    letter = next((name for name in names if len(name) == 1), None)
    return {"access": letter.lower()} if "alt" in names and letter is not None else _FOCUS


def _of_target(target: Target, performer: Performer) -> dict[str, Any]:
    if target.x is None or target.y is None:
        return {"ref": target.ref, "selector": target.selector}
    x, y = target.in_pixels(performer.width, performer.height)
    return {"x": x, "y": y}


def _of_pointer(performer: Performer) -> dict[str, Any]:
    x, y = performer.pointer
    return {"x": x, "y": y}
