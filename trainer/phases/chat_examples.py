"""Examples of others, in the usual chat format, that a policy imitates beside oracles.

A file has one example a line, as `deskhand eval export --format chat` writes them:

    {"messages": [{"role": "user", "content": "..."}, {"role": "assistant", "content": "..."}],
     "images": ["pictures/....png"], "solved": 0.25, "split": "train"}

A system message may come first; it is read as the beginning of the prompt. `images` are files
relative to the line's, in the order in which the prompt shows them. `solved` is the share of trials
that solved the example's task. Other keys are left alone.

Guarantees: what is said to be of held-out tasks is refused; hard tasks are drawn as often as easy
ones, however few examples there are of them.
"""

from __future__ import annotations

import io
import random
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Literal

from PIL import Image, UnidentifiedImageError
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from agent_server.policy.manifest import PictureFormat
from envs.contract.task import Split
from envs.contract.validation import describe_unusable
from envs.dialects.pictures import smart_resize
from trainer.chat_format import served_format
from trainer.config import ConfigError, TrainConfig
from trainer.context import Context
from trainer.imitate_config import ImitateConfig
from trainer.phase_order import phase_names
from trainer.samples import Picture, Sample
from trainer.written_samples import Size, written_sample

EASY, HARD = 2 / 3, 1 / 3
"""Shares of trials that solved a task, above and below which it is easy or hard."""


class Part(BaseModel):
    """A part of a message; pictures are named beside the messages."""

    type: str
    text: str = ""


class Message(BaseModel):
    """One message of a line."""

    role: Literal["system", "user", "assistant"]
    content: str | tuple[Part, ...]

    @property
    def text(self) -> str:
        """All of its text."""
        if isinstance(self.content, str):
            return self.content
        return "\n".join(part.text for part in self.content if part.type == "text")


class ChatLine(BaseModel):
    """One line of a file."""

    model_config = ConfigDict(frozen=True)

    messages: tuple[Message, ...]
    images: tuple[str, ...] = ()
    solved: float | None = Field(None, ge=0, le=1)
    split: Split = "train"

    @model_validator(mode="after")
    def _check(self) -> ChatLine:
        roles = [message.role for message in self.messages]
        if roles not in (["user", "assistant"], ["system", "user", "assistant"]):
            raise ValueError(
                f"roles are {', '.join(roles) or 'missing'}: a prompt of ours is one user message, "
                "so write one line for each answer"
            )
        if not self.messages[-1].text.strip():
            raise ValueError("the assistant's message is empty")
        if self.split != "train":
            raise ValueError(
                f"it is of a {self.split} task, on which policies are measured: training on it "
                "would make the figures worthless"
            )
        return self


@dataclass(frozen=True, slots=True)
class ChatExample:
    """A prompt and the answer to imitate; `solved`: see `ChatLine`."""

    prompt: str
    answer: str
    pictures: tuple[Picture, ...]
    solved: float | None


@lru_cache(maxsize=4)
def read_examples(files: tuple[str, ...]) -> tuple[ChatExample, ...]:
    """All examples of the files. Raises ConfigError with the file and the line."""
    return tuple(example for name in files for example in _read_file(Path(name)))


def check_examples(config: TrainConfig) -> None:
    """Whether the files of every imitation can be read. Raises ConfigError."""
    for name, kind in zip(phase_names(config.schedule), config.schedule, strict=True):
        if kind == "imitate":
            read_examples(config.settings_of(name, ImitateConfig).data)


def _read_file(file: Path) -> list[ChatExample]:
    try:
        lines = file.read_text().splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"imitate.data: cannot read {file}: {error}") from error
    examples = []
    for number, text in enumerate(lines, 1):
        if text.strip():
            try:
                examples.append(_make_example(ChatLine.model_validate_json(text), file.parent))
            except (ValidationError, OSError) as error:
                message = f"imitate.data: {file}, line {number}: {describe_unusable(error)}"
                raise ConfigError(message) from error
    if not examples:
        raise ConfigError(f"imitate.data: {file} has no example")
    return examples


def _make_example(line: ChatLine, folder: Path) -> ChatExample:
    return ChatExample(
        prompt="\n".join(message.text for message in line.messages[:-1]),
        answer=line.messages[-1].text,
        pictures=tuple(Picture((folder / name).read_bytes()) for name in line.images),
        solved=line.solved,
    )


def draw_examples(
    examples: Sequence[ChatExample], count: int, rng: random.Random
) -> list[ChatExample]:
    """So many examples, with equal chances of tasks that are easy, hard, between, and unknown."""
    strata: dict[str, list[ChatExample]] = defaultdict(list)
    for example in examples:
        strata[_difficulty(example.solved)].append(example)
    names = sorted(strata)
    return [rng.choice(strata[rng.choice(names)]) for _ in range(count)]


def _difficulty(solved: float | None) -> str:
    if solved is None:
        return "unknown"
    if solved < HARD:
        return "hard"
    return "easy" if solved > EASY else "between"


def example_samples(
    context: Context, files: tuple[str, ...], count: int, prompt_ce: float
) -> list[Sample]:
    """So many samples of the files' examples, the same in a resumed run. Raises ConfigError for
    pictures that the model does not read as they are."""
    if not count:
        return []
    learner = context.learner
    form = served_format(context.tokenizer, learner.model_config, learner.pictures)
    # Not the run's own generator: a phase that is resumed draws the same examples again.
    rng = random.Random(f"examples:{context.config.seed}")
    return [
        written_sample(
            context,
            form,
            prompt=example.prompt,
            answer=example.answer,
            pictures=example.pictures,
            sizes=[_size_of(picture, form.picture) for picture in example.pictures],
            prompt_ce=prompt_ce,
        )
        for example in draw_examples(read_examples(files), count, rng)
    ]


def _size_of(picture: Picture, form: PictureFormat | None) -> Size:
    if form is None:
        raise ConfigError("imitate.data: an example shows a picture, which the model does not read")
    try:
        with Image.open(io.BytesIO(picture.data)) as image:
            size = image.size
    except UnidentifiedImageError as error:
        raise ConfigError(f"imitate.data: a file is no picture: {error}") from error
    own = smart_resize(*size, form.min_pixels, form.max_pixels, form.factor)
    if own != size:
        # Resized here, the coordinates in the answer would be of other pixels.
        raise ConfigError(
            f"imitate.data: a picture is {size[0]} x {size[1]}, the model reads it as {own[0]} x "
            f"{own[1]}: resize it, and absolute coordinates with it"
        )
    return size
