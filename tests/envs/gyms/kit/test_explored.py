"""Tasks of a walk: what they carry, how a seed draws one, what a page must still have."""

from __future__ import annotations

from pathlib import Path

import pytest

from envs.contract.actions import Click, Target, Type
from envs.contract.observations import Observation, Tree
from envs.contract.task import DEV_SEED_BASE, HELDOUT_SEED_BASE, Task, split_of
from envs.gyms.kit.explored import (
    BadTaskFile,
    Move,
    check_params,
    load_tasks,
    make_params,
    pack_tasks,
    place_move,
)
from envs.gyms.server.gym import OracleLost
from envs.gyms.server.view import Page
from envs.state.canonical import Change
from tasksets.registry import get_gym

SHOP = get_gym("shop")
COUPON = Change("/coupon", "changed", None, "SAVE10")
MOVES = (
    Move(action=Type(text="SAVE10", target=Target(ref=9)), role="box", name="Coupon"),
    Move(action=Click(target=Target(ref=4)), role="button", name="Apply", place=1),
)


def explored(seed: int, template: str = "explored-coupon") -> Task:
    return Task(
        id=f"shop/{template}@{seed}",
        instruction=f"Use SAVE10 in world {seed}.",
        gym="shop",
        template=template,
        seed=seed,
        params=make_params("Use SAVE10.", [COUPON], MOVES),
        split=split_of(seed),
    )


ALL = [explored(seed) for seed in (1, 2, HELDOUT_SEED_BASE + 3, DEV_SEED_BASE + 4)]


def test_the_verdict_is_made_from_the_params_alone() -> None:
    task = explored(1)
    before = SHOP.initial_state(task)  # type: ignore[attr-defined]
    after = SHOP.initial_state(task) | {"coupon": "SAVE10", "log": ["cart"]}  # type: ignore[attr-defined]

    def solves(state: dict[str, object]) -> bool:
        verdict = SHOP.verdict(task, before, state, None, False)  # type: ignore[attr-defined]
        return bool(verdict.success)

    assert solves(after)
    assert not solves(before)
    assert not solves(after | {"wishlist": ["p1"]}), "nothing else may change"
    assert not solves(after | {"coupon": "SAVE20"})


def test_a_seed_draws_from_the_tasks_of_its_split(tmp_path: Path) -> None:
    file = tmp_path / "shop.jsonl"
    file.write_bytes(pack_tasks(ALL))
    assert load_tasks(file) == ("shop/explored-coupon",)
    assert {SHOP.make_task("explored-coupon", seed).seed for seed in range(9)} == {1, 2}
    drawn = SHOP.make_task("explored-coupon", DEV_SEED_BASE + 77)
    assert drawn == ALL[3]
    assert drawn.split == "dev"
    assert drawn.origin == "shop/explored-coupon"
    with pytest.raises(KeyError, match="was not read"):
        SHOP.make_task("explored-nothing", 1)


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"", "holds no task"),
        (b"{}\n", "no explored task"),
        (pack_tasks(ALL[:2]), "has no test and no dev task"),
        (pack_tasks([explored(1, "checkout")]), "is no explored task"),
        (
            pack_tasks([explored(1).model_copy(update={"params": {"changes": []}})]),
            "params.instruction",
        ),
    ],
)
def test_a_file_that_cannot_be_used_is_named(
    tmp_path: Path, content: bytes, complaint: str
) -> None:
    file = tmp_path / "bad.jsonl"
    file.write_bytes(content)
    with pytest.raises(BadTaskFile, match=complaint) as refused:
        load_tasks(file)
    assert "bad.jsonl" in str(refused.value)
    with pytest.raises(BadTaskFile, match="cannot read"):
        load_tasks(tmp_path / "none.jsonl")


def test_a_move_finds_its_element_by_role_name_and_place() -> None:
    params = make_params("x", [COUPON], MOVES)
    check_params(explored(1).model_copy(update={"params": params}))
    text = "box Coupon #3\nbutton Apply #5\nbutton Apply #8"
    page = Page(Observation(hash="a", url="http://s/", title="Cart", tree=Tree(id=2, text=text)))
    typed, clicked = (place_move(page, Move.model_validate(move)) for move in params["moves"])
    assert typed == Type(text="SAVE10", target=Target(ref=3, tree=2))
    assert clicked == Click(target=Target(ref=8, tree=2))
    with pytest.raises(OracleLost, match="no button 'Pay'"):
        place_move(page, Move(action=Click(), role="button", name="Pay"))
