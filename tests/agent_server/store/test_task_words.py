from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_server.store.store import Store
from agent_server.store.tables import Episode
from agent_server.store.task_words import MAX_LETTERS, MAX_WORDS, split_words


def create(store: Store, episode_id: str, instruction: str, purpose: str = "api") -> None:
    task = {"id": f"t-{episode_id}", "instruction": instruction, "start_url": "http://shop.example"}
    store.episodes.create([Episode(id=episode_id, run_id="run", purpose=purpose, task=task)])


def find(store: Store, text: str) -> set[str]:
    return {row.id for row in store.episodes.page(text=text, newest_only=True).episodes}


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("shirt", {"a", "b"}),
        ("SHIRT blue", {"a"}),
        ("shi", {"a", "b"}),
        ("hirt", set()),
        ("straße", {"c"}),
        ("example", {"a", "b", "c"}),
        ("", {"a", "b", "c", "d"}),
        ("% _ '", set()),
        ("shirt nothing", set()),
    ],
)
def test_a_task_is_found_by_the_first_letters_of_its_words(
    store: Store, text: str, ids: set[str]
) -> None:
    create(store, "a", "Find the cheapest blue shirt")
    create(store, "b", "A red Shirt, please")
    create(store, "c", "Zur STRASSE")
    create(store, "d", "a shirt of a training run", purpose="train")
    assert find(store, text) == ids


@given(st.text(max_size=300))
def test_words_are_few_short_and_without_case(text: str) -> None:
    words = split_words(text)
    assert len(words) == len(set(words)) <= MAX_WORDS
    assert all(0 < len(word) <= MAX_LETTERS and word == word.casefold() for word in words)
