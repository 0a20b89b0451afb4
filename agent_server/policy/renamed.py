"""The served policy on pages whose names are made up: what it learns there is no name by heart.

Guarantees: in one episode a name has one made-up word, alike in page, task and history, and it is
the same in every episode of the task, so that steps in the same state have the same prompt; words
of the interface stay. What the policy answers is put back into the page's own words before it is
done; the page's own name, which the policy has not seen, means nothing there. Prompts and answers
as tokens, from which the learner learns, are in the made-up words.
"""

from __future__ import annotations

import dataclasses
import random
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from agent_server.episodes.agent import Policy, Turn
from agent_server.episodes.trajectory import Completion
from agent_server.policy.renaming import (
    COUPON,
    RESERVED,
    Pieces,
    element_names,
    is_fixed,
    make_word,
    rename,
    respell,
    stem_of,
    words_of,
)
from envs.contract.outcomes import EpisodeFault, InvalidReason
from envs.io.atomic_write import write_whole

NAME = "renamed"
NAMING_FILE = "naming.json"
"""In the run's folder."""
TRIES = 20
"""Words that are drawn for a name before one is taken that is a word of the page, too."""


class Naming(BaseModel):
    """How a run makes names up."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    interface: frozenset[str] = Field(description="words that stay")
    pieces: Pieces = Field(description="of which some of the new words are made")


def write_naming(run_dir: Path, naming: Naming) -> None:
    """For the workers of the run. Raises OSError."""
    write_whole(run_dir / NAMING_FILE, [naming.model_dump_json().encode()])


def read_naming(run_dir: Path) -> Naming:
    """What the run wrote. Raises EpisodeFault(unrunnable) where there is nothing, or nonsense."""
    file = run_dir / NAMING_FILE
    try:
        return Naming.model_validate_json(file.read_bytes())
    except (OSError, ValidationError) as error:
        detail = f"{file} must say which words are made up, and cannot be read: {error}"
        raise EpisodeFault(InvalidReason.UNRUNNABLE, detail) from error


class RenamedPolicy:
    """See `agent_server.episodes.agent.Policy`. Of one episode."""

    def __init__(self, policy: Policy, task_id: str, naming: Naming) -> None:
        self._policy, self._task_id, self._pieces = policy, task_id, naming.pieces
        self._kept = {stem_of(word) for word in naming.interface}
        self._taken = {word.lower() for word in naming.interface} | RESERVED
        self._stems: dict[str, str] = {}
        self._renaming: dict[str, str] = {}

    async def act(self, turn: Turn) -> Completion:
        """Raises what the policy raises."""
        self._name_what_is_new(turn.prompt)
        prompt = rename(turn.prompt, self._renaming)
        completion = await self._policy.act(dataclasses.replace(turn, prompt=prompt))
        # In both directions: else a name that the policy knows by heart would do what it never saw.
        originals = {new: old for old, new in self._renaming.items()} | self._renaming
        return completion.model_copy(update={"text": rename(completion.text, originals)})

    def _name_what_is_new(self, prompt: str) -> None:
        """Makes words up for the names of the prompt's elements that have none yet."""
        for name in sorted(element_names(prompt)):
            stem = stem_of(name)
            if stem not in self._kept and stem not in self._stems and not is_fixed(name):
                self._stems[stem] = self._make_word(stem, prompt)
        for word in words_of(prompt):
            stem = stem_of(word)
            if stem in self._stems:
                self._renaming[word.capitalize()] = self._stems[stem] + word.lower()[len(stem) :]
        for code in sorted(set(COUPON.findall(prompt)).difference(self._renaming)):
            self._renaming[code] = respell(code, self._draw(code))

    def _make_word(self, stem: str, prompt: str) -> str:
        rng = self._draw(stem)
        taken = self._taken.union(map(str.lower, words_of(prompt)))
        word = make_word(rng, self._pieces)
        for _ in range(TRIES):
            if stem_of(word) == word.lower() and word.lower() not in taken:
                break
            word = make_word(rng, self._pieces)
        self._taken |= {word.lower(), f"{word.lower()}s"}
        return word

    def _draw(self, name: str) -> random.Random:
        return random.Random(f"{self._task_id}:{name}")
