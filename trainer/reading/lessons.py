"""From pages to the samples of one optimiser step: renamed, shuffled, asked about, tokenised.

Guarantees: the samples of an update depend on the seed and the update's number alone, so a resumed
run continues with what an uninterrupted one would have read; the questions of a page share its
tokens as their prompt, which the learner reads once; no loss is on a question's own tokens.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from transformers import PreTrainedTokenizerFast

from agent_server.episodes.compact import TASK
from trainer.reading.config import ReadingConfig
from trainer.reading.pages import Page
from trainer.reading.questions import Question, make_questions
from trainer.reading.renaming import make_renaming, rename
from trainer.samples import Sample
from trainer.tokenizer import encode_answer, encode_prompt


@dataclass(frozen=True, slots=True)
class Lesson:
    """A page and what is asked about it."""

    page: Page
    questions: tuple[Question, ...]


def draw_lessons(
    pages: Sequence[Page], config: ReadingConfig, seed: int, update: int
) -> list[Lesson]:
    """The lessons of one update."""
    rng = random.Random(f"lessons:{seed}:{update}")
    return [
        make_lesson(rng.choice(pages), rng, config.questions, config.renamed, config.shuffled)
        for _ in range(config.pages)
    ]


def make_lesson(
    page: Page, rng: random.Random, questions: int, renamed: float = 0.0, shuffled: float = 0.0
) -> Lesson:
    """A page, renamed and with shuffled lines at these probabilities, and questions about it."""
    if rng.random() < renamed:
        page = rename_page(page, rng)
    if rng.random() < shuffled:
        page = shuffle_lines(page, rng)
    return Lesson(page, tuple(make_questions(page.lines(), rng, questions)))


def rename_page(page: Page, rng: random.Random) -> Page:
    """The page with all its names renamed."""
    renaming = make_renaming(page.text(), rng)
    return Page(
        page.template, page.group, rename(page.title, renaming), rename(page.tree, renaming)
    )


def shuffle_lines(page: Page, rng: random.Random) -> Page:
    """The same lines in another order; numbers still count up from 1, as a walk of a page gives."""
    lines = page.tree.split("\n")
    rng.shuffle(lines)
    number = 0
    renumbered = []
    for line in lines:
        start, mark, ref = line.rpartition(" #")
        if mark and ref.isdigit():
            number += 1
            line = f"{start} #{number}"
        renumbered.append(line)
    return Page(page.template, page.group, page.title, "\n".join(renumbered))


def make_samples(
    tokenizer: PreTrainedTokenizerFast, lesson: Lesson, room: int, prompt_ce: float = 0.0
) -> list[tuple[Question, Sample]]:
    """A sample for each question that fits `room` tokens: the page is the prompt, task and answer
    the completion, of which only the answer weighs. The ids are those of the whole prompt."""
    page_ids = encode_prompt(tokenizer, lesson.page.text() + "\n")[:-1]
    samples = []
    for question in lesson.questions:
        text = f"{lesson.page.text()}\n{TASK}{question.text}"
        question_ids = encode_prompt(tokenizer, text)[len(page_ids) :]
        answer_ids = encode_answer(tokenizer, question.answer)
        if len(page_ids) + len(question_ids) + len(answer_ids) > room:
            continue
        sample = Sample(
            prompt_ids=tuple(page_ids),
            completion_ids=(*question_ids, *answer_ids),
            ce=(0.0,) * len(question_ids) + (1.0,) * len(answer_ids),
            prompt_ce=prompt_ce,
        )
        samples.append((question, sample))
    return samples
