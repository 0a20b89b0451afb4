"""Tic-tac-toe against a page that plays badly half of the time."""

from __future__ import annotations

import pytest

from envs.gyms.apps.miniwob.scripts import games
from tests.envs.gyms.apps.miniwob.play import observation, play


@pytest.mark.parametrize(
    ("board", "cell"),
    [
        ("XX.OO....", 2),  # it wins rather than blocks
        ("O..O.X.X.", 6),  # else it blocks
        ("XOXOX.O.O", 7),  # where no win is left, a draw is better than a loss
    ],
)
def test_the_best_field(board: str, cell: int) -> None:
    assert games.best_cell(board) == cell


def test_moves_follow_the_board_on_the_page() -> None:
    marks = ["X", "X", "empty", "O", "O", "empty", "empty", "empty", "empty"]
    page = observation("text win a game", *(f"button {mark} #" for mark in marks))
    assert play(games.tic_tac_toe, page)[0] == "click empty"
