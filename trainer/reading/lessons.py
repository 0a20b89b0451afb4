"""From pages to the samples of one optimiser step: renamed, shuffled, asked about, tokenised.

Guarantees: the samples of an update depend on the seed and the update's number alone, so a resumed
run continues with what an uninterrupted one would have read; the questions of a page share its
tokens as their prompt, which the learner reads once; no loss is on a question's own tokens.

On a page of a demonstration the oracle's answer is one of the questions. Its names are renamed
alike in page, task, history and answer. Words of the interface stay on half of the pages, for the
task does not say which button saves; on the others some of them are renamed, too.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace

from transformers import PreTrainedTokenizerFast

from agent_server.episodes.compact import TASK
from agent_server.policy.renaming import NO_PIECES, WORD, Pieces, make_renaming, rename
from trainer.chat_format import prompt_format
from trainer.reading.config import ReadingConfig
from trainer.reading.pages import Page
from trainer.reading.questions import Question, make_questions
from trainer.samples import Sample
from trainer.tokenizer import encode_answer, encode_prompt

ACT = "act"
"""Kind of the question that a demonstration answers."""
MOST_LABELS = 0.8
"""Largest share of a page's words of the interface that are renamed as names are."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """A page and what is asked about it."""

    page: Page
    questions: tuple[Question, ...]


class Shelf:
    """The pages of a group by their templates, each template as likely as another."""

    def __init__(
        self, pages: Iterable[Page], interface: Collection[str], pieces: Pieces = NO_PIECES
    ) -> None:
        self.interface = frozenset(interface)
        """words that are no names"""
        self.pieces = pieces
        """of which half of the new names are made"""
        self._read: dict[str, list[Page]] = defaultdict(list)
        self._acted: dict[str, list[Page]] = defaultdict(list)
        for page in pages:
            self._read[page.template].append(page)
            if page.answer:
                self._acted[page.template].append(page)
        self._to_read, self._to_act = sorted(self._read), sorted(self._acted)

    def draw(self, rng: random.Random, acted: float) -> tuple[Page, bool]:
        """A page, and whether its demonstration is asked for: of a share `acted`."""
        if self._to_act and rng.random() < acted:
            return rng.choice(self._acted[rng.choice(self._to_act)]), True
        return rng.choice(self._read[rng.choice(self._to_read)]), False


def interface_words(train: Iterable[Page], dev: Iterable[Page]) -> frozenset[str]:
    """Words on pages of both splits: those of the interface, for no name belongs to both."""
    words: list[set[str]] = [
        {word for page in pages for word in WORD.findall(page.text())} for pages in (train, dev)
    ]
    return frozenset(words[0] & words[1])


def draw_lessons(
    shelf: Shelf, config: ReadingConfig, seed: int, update: int, attempt: int = 0
) -> list[Lesson]:
    """The lessons of one update; those of another attempt are others."""
    rng = random.Random(f"lessons:{seed}:{update}:{attempt}")
    lessons = []
    for _ in range(config.pages):
        page, is_acted = shelf.draw(rng, config.acted)
        if rng.random() < config.renamed:
            kept = draw_kept_words(page, rng, shelf.interface) if is_acted else ()
            page = rename_page(page, rng, kept, shelf.pieces)
        if is_acted:
            lessons.append(make_task_lesson(page, rng, config.questions))
            continue
        if rng.random() < config.shuffled:
            page = shuffle_lines(page, rng)
        lessons.append(make_lesson(page, rng, config.questions))
    return lessons


def make_lesson(page: Page, rng: random.Random, questions: int) -> Lesson:
    """A page and questions about it."""
    return Lesson(page, tuple(make_questions(page.lines(), rng, questions)))


def make_task_lesson(page: Page, rng: random.Random, questions: int) -> Lesson:
    """A page of a demonstration: the oracle's answer, and half of the questions about the page."""
    others = make_questions(page.lines(), rng, questions // 2)
    return Lesson(page, (Question(ACT, page.task, page.answer), *others))


def draw_kept_words(page: Page, rng: random.Random, interface: Collection[str]) -> frozenset[str]:
    """Words of the interface that stay on a page of a demonstration: all of them on half of the
    pages. An app that was never seen has labels that were never seen, too."""
    share = rng.random() * MOST_LABELS if rng.random() < 0.5 else 0.0
    words = frozenset(WORD.findall(f"{page.text()}\n{page.task}")).intersection(interface)
    renamed = {word for word in sorted(words) if rng.random() < share}
    return frozenset(interface) - renamed


def rename_page(
    page: Page, rng: random.Random, kept: Collection[str] = (), pieces: Pieces = NO_PIECES
) -> Page:
    """The page with all its names renamed, but for the words `kept`."""
    text = f"{page.text()}\n{page.task}\n{page.answer}"
    renaming = make_renaming(text, rng, kept=kept, pieces=pieces)
    return replace(
        page,
        title=rename(page.title, renaming),
        tree=rename(page.tree, renaming),
        task=rename(page.task, renaming),
        answer=rename(page.answer, renaming),
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
    return replace(page, tree="\n".join(renumbered), task="", answer="")


def make_samples(
    tokenizer: PreTrainedTokenizerFast, lesson: Lesson, room: int, prompt_ce: float = 0.0
) -> list[tuple[Question, Sample]]:
    """A sample for each question that fits `room` tokens: the page is the prompt, task and answer
    the completion, of which only the answer weighs. The ids are those of the whole prompt."""
    form = prompt_format(tokenizer)
    page_ids = encode_prompt(tokenizer, lesson.page.text() + "\n")[: -len(form.suffix)]
    samples = []
    for question in lesson.questions:
        # A line break is a token of its own, so what follows it has the ids that it has alone.
        question_ids = encode_prompt(tokenizer, TASK + question.text)[len(form.prefix) :]
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
