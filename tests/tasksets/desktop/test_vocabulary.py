from __future__ import annotations

import random

import pytest

from tasksets.desktop import vocabulary
from tasksets.desktop.vocabulary import SENTENCES, sample_paragraphs


@pytest.mark.parametrize("name", ["ITEMS", "PEOPLE", "CITIES", "TOPICS", "PROJECTS", "CHORES"])
def test_no_word_is_part_of_another_in_lower_case(name: str) -> None:
    """A question or a replacement that names one must not mean another one as well."""
    words = [word.lower() for word in getattr(vocabulary, name)]
    assert not [(a, b) for a in words for b in words if a != b and a in b.split()]
    assert len(set(words)) == len(words)


def test_paragraphs_repeat_no_sentence() -> None:
    for seed in range(20):
        texts = sample_paragraphs(random.Random(seed), 7)
        assert len(texts) == 7
        assert all(sum(text.count(sentence) for text in texts) == 1 for sentence in SENTENCES)


def test_there_are_sentences_for_seven_paragraphs_only() -> None:
    with pytest.raises(ValueError, match="larger than population"):
        sample_paragraphs(random.Random(0), 8)
