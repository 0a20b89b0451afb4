"""Lessons: what varies, what stays, and which tokens weigh."""

from __future__ import annotations

import random

from agent_server.episodes.compact import build_prompt
from agent_server.policy.renaming import Pieces
from envs.contract.observations import Observation, Tree
from tests.trainer.reading.shop_pages import make_page
from tests.trainer.tiny_run import tiny_tokenizer
from trainer.reading.config import ReadingConfig
from trainer.reading.lessons import (
    Shelf,
    draw_kept_words,
    draw_lessons,
    make_lesson,
    make_samples,
    rename_page,
    shuffle_lines,
)
from trainer.reading.pages import Page
from trainer.tokenizer import encode_answer, encode_prompt

BRANDS = ("Opal", "Iris", "Dune")
PAGES = [make_page(brand) for brand in BRANDS]
CONFIG = ReadingConfig(pages=4, questions=3)


def test_an_updates_lessons_depend_on_seed_and_number_alone() -> None:
    first = draw_lessons(Shelf(PAGES, ()), CONFIG, seed=1, update=7)
    assert first == draw_lessons(Shelf(PAGES, ()), CONFIG, seed=1, update=7)
    assert first != draw_lessons(Shelf(PAGES, ()), CONFIG, seed=1, update=8)
    assert first != draw_lessons(Shelf(PAGES, ()), CONFIG, seed=2, update=7)
    assert [len(lesson.questions) for lesson in first] == [3] * 4


def test_shuffled_lines_are_the_same_lines_numbered_from_one() -> None:
    page = PAGES[0]
    shuffled = shuffle_lines(page, random.Random(3))

    def names(tree: str) -> list[str]:
        return sorted(line.rpartition(" #")[0] or line for line in tree.split("\n"))

    assert shuffled.tree != page.tree
    assert names(shuffled.tree) == names(page.tree)
    assert [line.ref for line in shuffled.lines() if line.ref] == [1, 2, 3, 4, 5]


def drawn_pages(config: ReadingConfig) -> list[Page]:
    shelf = Shelf(PAGES, ())
    return [lesson.page for update in range(5) for lesson in draw_lessons(shelf, config, 0, update)]


def test_renaming_happens_at_its_probability() -> None:
    plain = drawn_pages(CONFIG.model_copy(update={"renamed": 0.0, "shuffled": 0.0}))
    renamed = drawn_pages(CONFIG.model_copy(update={"renamed": 1.0, "shuffled": 0.0}))
    assert set(plain) == set(PAGES)
    assert not any(brand in page.tree for page in renamed for brand in BRANDS)


def test_new_names_are_made_of_pieces_as_well() -> None:
    pieces = Pieces(("Qua",), ("zor",))
    texts = [rename_page(PAGES[0], random.Random(seed), (), pieces).tree for seed in range(20)]
    assert sum("Quazor" in text for text in texts) > 10
    assert not any("Quazor" in rename_page(PAGES[0], random.Random(1)).tree for _ in range(20))


def test_on_half_of_the_demonstrations_all_labels_stay() -> None:
    rng, interface = random.Random(0), frozenset({"Search", "Cart", "Elsewhere"})
    page = Page("shop/price", "train", "Shop", "box Search #1\nlink Cart #2")
    kept = [draw_kept_words(page, rng, interface) for _ in range(400)]
    assert all("Elsewhere" in words for words in kept), "a word that the page does not have"
    # With all labels kept on one half, and each lost at 0 to 0.8 on the other: (1 + 0.6) / 2.
    assert 0.76 < sum("Cart" in words for words in kept) / 400 < 0.84


def test_questions_share_the_page_and_only_answers_weigh() -> None:
    tokenizer = tiny_tokenizer()
    lesson = make_lesson(PAGES[0], random.Random(5), 3)
    pairs = make_samples(tokenizer, lesson, room=1000, prompt_ce=0.1)
    assert len(pairs) == 3
    assert len({sample.prompt_ids for _, sample in pairs}) == 1
    for question, sample in pairs:
        seen = Observation(hash="h", title="Results", tree=Tree(id=1, text=lesson.page.tree))
        answer = encode_answer(tokenizer, question.answer)
        whole = (*encode_prompt(tokenizer, build_prompt(question.text, [], seen)), *answer)
        assert (*sample.prompt_ids, *sample.completion_ids) == whole, "as the agent would read it"
        assert isinstance(sample.ce, tuple)
        assert sum(sample.ce) == len(answer)
        assert sample.ce[-len(answer) :] == (1.0,) * len(answer)


def test_what_does_not_fit_is_left_out() -> None:
    lesson = make_lesson(PAGES[0], random.Random(5), 3)
    assert make_samples(tiny_tokenizer(), lesson, room=60) == []
