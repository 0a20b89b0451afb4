"""How a message becomes the token ids of a prompt, for whichever model is served.

A version's folder says it in `prompt.json`, beside the manifest: the ids that the model's chat
template puts before and after a user's message, and those that end an answer. Collecting, samples
and learner read the same file or make the same object, so that none of them renders a template.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from agent_server.policy.manifest import PROMPT_FORMAT, read_published

PROBE_TOKENS = 1
"""What a server adds to a probe."""


class PromptFormat(BaseModel):
    """Token ids around the text of a message."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    prefix: tuple[int, ...] = Field(description="before the text of the message")
    suffix: tuple[int, ...] = Field(description="after it, up to where the answer begins")
    ends: tuple[int, ...] = Field(
        min_length=1,
        description="each ends an answer; the first is what the chat template writes there",
    )

    def wrap(self, text_ids: Sequence[int], room: int | None = None) -> list[int]:
        """Ids of a prompt. Of the text the last `room` tokens are left, see `room`: a prompt begins
        with the page, and the task after it is not cut off."""
        text = text_ids if room is None else text_ids[-room:]
        return [*self.prefix, *text, *self.suffix]

    def room(self, max_model_len: int, max_tokens: int) -> int:
        """Tokens of a prompt's text beside an answer of `max_tokens` and what a probe needs."""
        around = len(self.prefix) + len(self.suffix)
        return max(max_model_len - max_tokens - around - PROBE_TOKENS, 1)


def read_prompt_format(folder: Path) -> PromptFormat:
    """The format of a published version. Raises BadVersion."""
    return read_published(folder / PROMPT_FORMAT, PromptFormat)
