"""Scripts for games against the page.

The oracle of tic-tac-toe wins as often as one can who does not know the page's random numbers: a
draw is no success, and some draws cannot be avoided.
"""

from __future__ import annotations

from functools import cache

from envs.gyms.apps.miniwob.scripts.live_page import LivePage, Moves, Script

_LINES = (
    *((row, row + 1, row + 2) for row in (0, 3, 6)),
    *((column, column + 3, column + 6) for column in (0, 1, 2)),
    (0, 4, 8),
    (2, 4, 6),
)
_MARKS = {"X": "X", "O": "O", "empty": "."}
_MOST_MOVES = 5
_DRAW = 0.001
"""What a draw is worth: more than a loss, less than any hope of a win."""
_RANDOM_SHARE = 0.55
"""How often the page plays anywhere; else it completes its own line, or blocks ours."""


def tic_tac_toe(page: LivePage) -> Moves:
    """We are X; the page may begin."""
    for _ in range(_MOST_MOVES):
        cells = [line for line in page.all("button") if line.name in _MARKS]
        board = "".join(_MARKS[line.name] for line in cells)
        cell = best_cell(board)
        # One mark a token: three marks in a row are a pattern of ids.
        yield page.click(cells[cell], f"{' '.join(board)} : {cell + 1}.", called="")


def best_cell(board: str) -> int:
    """The free cell after which X wins most often. `board`: nine of "X", "O" and "."."""
    return max(_free_cells(board), key=lambda cell: _chance_after(_put(board, cell, "X")))


@cache
def _chance_after(board: str) -> float:
    """How likely X wins when the page moves next. A draw adds `_DRAW`."""
    if _has_won(board, "X"):
        return 1.0
    free = _free_cells(board)
    if not free:
        return _DRAW
    planned = _completing_cells(board, "O") or _completing_cells(board, "X") or free
    anywhere = sum(_chance_before(_put(board, cell, "O")) for cell in free) / len(free)
    aimed = sum(_chance_before(_put(board, cell, "O")) for cell in planned) / len(planned)
    return _RANDOM_SHARE * anywhere + (1 - _RANDOM_SHARE) * aimed


@cache
def _chance_before(board: str) -> float:
    """How likely X wins when X moves next. A draw adds `_DRAW`."""
    if _has_won(board, "O"):
        return 0.0
    moves = [_chance_after(_put(board, cell, "X")) for cell in _free_cells(board)]
    return max(moves, default=_DRAW)


def _free_cells(board: str) -> list[int]:
    return [cell for cell, mark in enumerate(board) if mark == "."]


def _put(board: str, cell: int, mark: str) -> str:
    return board[:cell] + mark + board[cell + 1 :]


def _completing_cells(board: str, mark: str) -> list[int]:
    return [cell for cell in _free_cells(board) if _has_won(_put(board, cell, mark), mark)]


def _has_won(board: str, mark: str) -> bool:
    return any(all(board[cell] == mark for cell in line) for line in _LINES)


SCRIPTS: dict[str, Script] = {"tic-tac-toe": tic_tac_toe}
