"""A person in the agent's place, by way of the database: inputs come in, pictures go out.

Guarantees: every input that was carried out is told once, in order; what the person sees is at most
`LOOK_S` old. It needs no way from the person to the host, so it works in every deployment, for
browsers and desktops alike; a step takes about half a second.
"""

from __future__ import annotations

import asyncio
import base64
import time

from pydantic import ValidationError

from agent_server.store.approvals import ApprovalStore
from agent_server.store.tables import Approval
from envs.contract.actions import Action, action_adapter
from envs.contract.observations import Observation, Observe, ScreenshotRequest
from envs.contract.session import Session

LOOK_S = 1.0
PICTURE = Observe(tree=False, screenshot=ScreenshotRequest())


def picture_of(observation: Observation) -> bytes | None:
    """The encoded picture; None without one."""
    shot = observation.screenshot
    return None if shot is None else base64.b64decode(shot.data)


class TakeOver:
    """The inputs of one approval while a person has control."""

    def __init__(self, session: Session, approvals: ApprovalStore) -> None:
        self._session, self._approvals = session, approvals
        self._looked_at = 0.0
        self.actions: list[Action] = []
        """What the person did."""

    async def follow(self, row: Approval) -> None:
        """Carries out what came since the last call, and renews the picture. Raises
        EpisodeFault."""
        inputs = row.inputs[row.inputs_done :]
        if not inputs and time.monotonic() < self._looked_at + LOOK_S:
            return
        done = row.inputs_done
        for raw in inputs:
            done += 1
            try:
                action = action_adapter.validate_python(raw)
            except ValidationError:
                continue  # of an API of another version
            await self._session.step([action], Observe(tree=False))
            self.actions.append(action)
        reply = await self._session.step([], PICTURE)
        self._looked_at = time.monotonic()
        await asyncio.to_thread(self._approvals.show, row.id, picture_of(reply.observation), done)
