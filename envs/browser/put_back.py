"""A snapshot of a web gym's session taken, and put back into one: the app's state and the page.

Guarantees: what is put back is checked against the snapshot; where it differs there is a fault.
"""

from __future__ import annotations

import secrets

from envs.browser.gym_admin import GymAdmin
from envs.browser.page import Page
from envs.browser.page_state import (
    capture_page,
    has_head_of,
    put_back_document,
    put_back_history,
)
from envs.browser.perform import Performer
from envs.browser.snapshots import Snapshot
from envs.contract.outcomes import EpisodeFault, InvalidReason
from envs.contract.task import Task


async def take_snapshot(
    task: Task, page: Page, performer: Performer, gym: GymAdmin, key: str
) -> Snapshot:
    """`key`: of the gym session. Raises CannotSnapshot, EpisodeFault."""
    await page.wait_loaded()
    page_state = await capture_page(page)
    copy_key = secrets.token_urlsafe(24)
    return Snapshot(
        id=secrets.token_hex(8),
        task=task,
        key=copy_key,
        state_hash=await gym.copy(key, copy_key),
        page=page_state,
        pointer=performer.pointer,
        clipboard=performer.clipboard,
    )


async def put_back(
    snapshot: Snapshot, page: Page, performer: Performer, gym: GymAdmin, key: str
) -> None:
    """Into the session whose only tab `page` is. Raises EpisodeFault."""
    state = snapshot.page
    await page.wait_loaded()
    if not await has_head_of(page, state):
        if error := await page.navigate(state.document["loaded"]):
            raise EpisodeFault(InvalidReason.RESET, f"could not load the page: {error}")
        await page.wait_loaded()
    await put_back_history(page, state)
    # What was loaded on the way is in the session's log: its state comes back after that.
    if await gym.copy(snapshot.key, key) != snapshot.state_hash:
        raise EpisodeFault(InvalidReason.RESET, "the app's state is not as it was")
    await put_back_document(page, state)
    performer.pointer, performer.clipboard = snapshot.pointer, snapshot.clipboard
