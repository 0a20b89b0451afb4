"""Observations of a session's page, and the numbers of their trees.

Guarantees: the same content has the same number, so that refs outlive an `unchanged` observation;
what was not asked for is not read.
"""

from __future__ import annotations

import hashlib

from envs.browser.page import Page
from envs.browser.perform import Performer
from envs.browser.secret_book import SecretBook
from envs.browser.settled_walk import walk_when_settled
from envs.browser.shots import take
from envs.browser.tabs import Tabs
from envs.browser.trouble import PageTrouble
from envs.browser.walked_tree import make_tree
from envs.contract.observations import Observation, Observe
from envs.contract.screen_size import Size


class Observer:
    """Of one session. `performer.tree` is the number of the last tree, also of one that was not
    sent: the refs of the agent's next action are of it."""

    def __init__(self, size: Size, secrets: SecretBook) -> None:
        self._size, self._secrets = size, secrets
        self._trees = 0
        self._numbers: dict[str, int] = {}

    def forget(self) -> None:
        """No ref of an earlier tree is taken from here on."""
        self._numbers.clear()

    async def observe(
        self,
        page: Page,
        tabs: Tabs,
        performer: Performer,
        observe: Observe,
        clock: str | None,
        calm: bool,
    ) -> Observation:
        """`clock` and `calm`: see `walk_when_settled`. Raises EpisodeFault, CdpError."""
        limits = observe.tree_chars, observe.tree_options
        walked = await walk_when_settled(page, *limits, clock, observe.points, calm)
        if walked is None:
            dialog = page.dialog or ""
            return Observation(hash=_digest(dialog), dialog=dialog)
        digest = _digest(f"{walked['url']}\n{walked['text']}\n{walked['scroll']}")
        performer.tree = self._number(digest)
        if observe.unless_hash == digest:
            return Observation(hash=digest, unchanged=True)
        shot = observe.screenshot
        return Observation(
            hash=digest,
            url=walked["url"],
            title=walked["title"],
            tree=make_tree(walked, performer.tree) if observe.tree else None,
            screenshot=shot and await take(page, shot, *self._size, self._secrets.spellings),
            text=await page.walker("text") if observe.text else None,
            console=tuple(page.console) if observe.console else (),
            windows=await tabs.describe() if observe.windows else (),
        )

    def show_trouble(
        self, trouble: PageTrouble, performer: Performer, observe: Observe
    ) -> Observation:
        """What the agent sees of a page that does not answer."""
        performer.tree = self._number(trouble.digest)
        return trouble.observation(performer.tree, observe)

    def _number(self, digest: str) -> int:
        if digest not in self._numbers:
            self._trees += 1
            self._numbers[digest] = self._trees
        return self._numbers[digest]


def _digest(content: str) -> str:
    return hashlib.blake2b(content.encode(), digest_size=12).hexdigest()
