"""Renaming changes names and nothing that an answer depends on."""

from __future__ import annotations

import itertools
import random
import re

from hypothesis import given, settings
from hypothesis import strategies as st

from agent_server.episodes.compact import parse
from agent_server.policy.renaming import (
    RESERVED,
    Pieces,
    make_renaming,
    make_word,
    rename,
    rename_step,
)
from envs.contract.observations import parse_tree

TREE = """heading Cart
link Opal Wool Coat $12.50 #1
link Opal Linen Coat $9.00 #2
select Address = Home [Home | Work] #3
check I accept the terms (checked) #4
text Order 5982, 3 Mar 2026, shipping to Work
button Remove Opal Wool Coat #5"""
WORDS = ("Opal", "Wool", "Linen", "Coat", "Cart", "Home", "Work", "Order", "Remove")


def test_names_change_alike_in_page_task_and_answer() -> None:
    renaming = make_renaming(TREE, random.Random(1))
    assert set(WORDS) < set(renaming)
    tree, answer = rename(TREE, renaming), rename("click Remove Opal Wool Coat", renaming)
    before, after = parse_tree(TREE), parse_tree(tree)
    assert [(line.role, line.ref, line.states) for line in after] == [
        (line.role, line.ref, line.states) for line in before
    ]
    assert not any(word in tree for word in WORDS)
    assert parse(answer, after).action == parse("click Remove Opal Wool Coat", before).action
    assert rename("the cart", renaming) == f"the {renaming['Cart'].lower()}"


def test_numbers_dates_and_the_trees_own_words_stay() -> None:
    renaming = make_renaming(TREE + "\nlink Menu #6\nlink Select all #7", random.Random(2))
    assert not {word.lower() for word in renaming} & RESERVED
    tree = rename(TREE, renaming)
    assert all(part in tree for part in ("$12.50 #1", "5982, 3 Mar 2026", "(checked) #4", " | "))


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6), share=st.floats(0, 1))
def test_a_renaming_is_one_to_one_and_can_be_undone(seed: int, share: float) -> None:
    renaming = make_renaming(TREE, random.Random(seed), share)
    assert len(set(renaming.values())) == len(renaming)
    assert not set(renaming.values()) & set(TREE.split())
    inverse = {new: old for old, new in renaming.items()}
    assert rename(rename(TREE, renaming), inverse) == TREE


def test_some_new_words_are_near_twins() -> None:
    words = [f"{make_word(random.Random(seed))}" for seed in range(60)]
    renaming = make_renaming(" ".join(dict.fromkeys(words)), random.Random(0))
    new = sorted(renaming.values())
    twins = [pair for pair in itertools.pairwise(new) if pair[1].startswith(pair[0])]
    assert len(twins) > 2


def test_a_step_keeps_labels_and_the_words_of_its_task() -> None:
    prompt = f"page: Cart\n{TREE}\ntask: Please Remove the Opal Wool Coat\ndid: click Cart"
    answer = "Opal is #1.\nclick Remove Opal Wool Coat"
    new_prompt, new_answer = rename_step(prompt, answer, {"Remove", "Cart"}, random.Random(0))
    assert new_prompt.startswith("page: Cart\nheading Cart\n")
    assert "task: Please Remove the " in new_prompt
    assert new_prompt.endswith("did: click Cart")
    name = new_answer.split("Remove ")[1]
    assert "Opal" not in new_prompt + new_answer
    assert f"link {name} $12.50 #1" in new_prompt
    assert new_answer.startswith(f"{name.split()[0]} is #1.")


def test_the_options_of_a_drop_down_are_names_and_what_every_page_offers_stays() -> None:
    tree = (
        "select Address = Home [Home | Work] #1\nselect Shipping = Pickup [Standard | Pickup] #2\n"
        "box Name = Ana #3"
    )
    prompt = f"page: Checkout\n{tree}\ntask: Pickup shipping to Work."
    interface = {"Address", "Shipping", "Standard", "Pickup", "Name", "Checkout"}
    answer = "Address Work is Home\nselect Address = Work"
    new_prompt, new_answer = rename_step(prompt, answer, interface, random.Random(0))
    home, work = new_answer.split(" is ")[1].split("\n")[0], new_answer.split(" = ")[1]
    assert {home, work}.isdisjoint({"Home", "Work"})
    assert f"select Address = {home} [{home} | {work}] #1" in new_prompt
    assert "select Shipping = Pickup [Standard | Pickup] #2\nbox Name = Ana #3" in new_prompt
    assert new_prompt.endswith(f"task: Pickup shipping to {work}.")
    assert new_answer == f"Address {work} is {home}\nselect Address = {work}"


def test_a_coupon_takes_other_letters_and_keeps_its_number() -> None:
    text = "text Coupon SAVE10 saves 10%\ntask: Apply SAVE10, not SPRING15 #1, key F5"
    renaming = make_renaming(text, random.Random(0))
    new = {code: renaming[code] for code in ("SAVE10", "SPRING15")}
    for code, respelt in new.items():
        assert len(respelt) == len(code)
        assert respelt[-2:] == code[-2:]
        assert respelt != code
    renamed = rename(text, renaming)
    assert renamed.count(new["SAVE10"]) == 2
    assert " 10%" in renamed
    assert renamed.endswith("F5")


def test_half_of_the_words_are_made_of_the_tokenizers_pieces() -> None:
    rng = random.Random(0)
    words = [make_word(rng, Pieces(("Lo", "Gr"), ("ory", "mit"))) for _ in range(200)]
    made = [word for word in words if re.fullmatch("(Lo|Gr)(ory|mit){1,2}", word)]
    assert 80 < len(made) < 120
    assert all(word.istitle() for word in words)
