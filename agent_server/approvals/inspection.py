"""The facts of the page that actions would run on.

Guarantees: an open dialog hides nothing. An action that ignores a dialog has the browser dismiss it
first, so it is dismissed here, and the page behind it is what is looked at; a page that opens one
dialog after the other is told as such.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from envs.contract.actions import Action, Dialog, SimpleAction
from envs.contract.observations import Observe
from envs.contract.page_facts import PageFacts
from envs.contract.session import StepReply

DIALOGS = 3


@runtime_checkable
class Inspectable(Protocol):
    """A session whose host tells what actions would touch."""

    async def inspect(self, actions: Sequence[Action]) -> PageFacts:
        """Changes nothing. Raises EpisodeFault."""

    async def step(self, actions: list[Action], observe: Observe) -> StepReply:
        """Runs actions. Raises EpisodeFault."""


async def inspect_pages(
    session: Inspectable, actions: Sequence[SimpleAction]
) -> tuple[PageFacts, ...]:
    """The dialogs that are in the way, if the actions do not answer them, and the page last. Raises
    EpisodeFault."""
    pages = [await session.inspect(actions)]
    if actions and isinstance(actions[0], Dialog):
        return tuple(pages)
    while pages[-1].dialog and len(pages) <= DIALOGS:
        await session.step([Dialog(accept=False)], Observe(tree=False))
        pages.append(await session.inspect(actions))
    return tuple(pages)
