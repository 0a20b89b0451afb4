"""The leaderboard: the contenders of many evaluations, side by side, as rows, a page and JSON.

Guarantees: only evaluations of the same tasks, judged in the same way, share a board; a row says
how many trials it rests on, its intervals, what a success cost, and where it was measured; an
evaluation that is not complete has no place and comes last.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict

from agent_server.evaluation.figures.summary import Figures, PolicyFigures, Summary
from agent_server.evaluation.figures.tables import interval, percent, policy_name
from agent_server.evaluation.job.plan import Evaluation, PolicyStamp
from agent_server.html.page import page_templates
from envs.io.atomic_write import write_whole

HEAD = ("place", "policy", "success", "95% (trials)", "95% (tasks)", "solved", "steps p50",
        "tokens a success", "cost a success", "run", "date", "commit", "machine")  # fmt: skip


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True)


class Entry(_Model):
    """One contender of one evaluation. `place`: 1 is the best; None while trials are missing."""

    place: int | None
    policy: str
    run: str
    day: date
    commit: str
    device: str
    figures: Figures


class Board(_Model):
    """Evaluations that can be compared: the same tasks, limits, tools and way of judging."""

    title: str
    sha256: str
    entries: tuple[Entry, ...]


def make_boards(runs: Sequence[tuple[str, Summary]]) -> list[Board]:
    """The boards of runs, given by name; the one with the most entries first."""
    by_board: dict[str, list[tuple[str, Summary]]] = defaultdict(list)
    for name, summary in runs:
        by_board[board_sha256(summary.evaluation)].append((name, summary))
    boards = [_make_board(sha256, members) for sha256, members in by_board.items()]
    return sorted(boards, key=lambda board: (-len(board.entries), board.sha256))


def board_sha256(evaluation: Evaluation) -> str:
    """What two evaluations must share to be ranked together: tasks of the denominator, limits,
    tools, and whether OSWorld's defects were kept."""
    spec = evaluation.spec
    settings = (spec.max_steps, spec.max_seconds, spec.tools, spec.compat)
    lines = [repr(settings), *sorted(f"{task.id} {task.sha256}" for task in evaluation.tasks)]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def _make_board(sha256: str, runs: Sequence[tuple[str, Summary]]) -> Board:
    contenders = [
        (name, summary, policy)
        for name, summary in runs
        for policy in summary.policies
        if not policy.control
    ]
    rates = [
        policy.total.success_rate
        for _, _, policy in contenders
        if policy.total.success_rate is not None and not policy.total.not_run_yet
    ]
    entries = [_entry(*contender, rates) for contender in contenders]
    entries.sort(key=lambda entry: (entry.place is None, entry.place or 0, entry.run))
    evaluation = runs[0][1].evaluation
    spec = evaluation.spec
    source = spec.split or (Path(spec.tasks).name if spec.tasks else spec.gym)
    title = f"{source}: {len(evaluation.tasks)} {'training ' if spec.training else ''}tasks"
    if spec.compat:
        title += ", judged with OSWorld's own defects"
    return Board(title=title, sha256=sha256, entries=tuple(entries))


def _entry(name: str, summary: Summary, policy: PolicyFigures, rates: Sequence[float]) -> Entry:
    """`rates`: of all that have a place; equal ones share it."""
    stamp, total = summary.evaluation.stamp, policy.total
    own = stamp.policy if policy.policy == summary.evaluation.spec.policy else stamp.versus
    return Entry(
        place=None
        if total.not_run_yet or total.success_rate is None
        else 1 + sum(rate > total.success_rate for rate in rates),
        policy=policy_name(own or PolicyStamp(name=policy.policy)),
        run=name,
        day=stamp.started_at.date(),
        commit=stamp.commit,
        device=stamp.device,
        figures=total,
    )


def board_rows(board: Board) -> list[list[str]]:
    """The cells of the board under `HEAD`."""
    return [_cells(entry) for entry in board.entries]


def _cells(entry: Entry) -> list[str]:
    row = entry.figures
    unplaced = f"{row.not_run_yet} trials missing"
    return [
        unplaced if entry.place is None else str(entry.place),
        entry.policy,
        percent(row.success_rate),
        interval(row.ci95),
        interval(row.ci95_tasks),
        f"{row.solved}/{row.n}",
        "-" if row.steps is None else f"{row.steps['p50']:.0f}",
        "-" if row.tokens_per_success is None else f"{row.tokens_per_success:.0f}",
        "-" if row.cost_per_success is None else f"{row.cost_per_success:.4f}",
        entry.run,
        entry.day.isoformat(),
        entry.commit or "unknown",
        entry.device,
    ]


def write_page(path: Path, boards: Sequence[Board]) -> None:
    """Write the boards as one HTML file that needs no other."""
    template = page_templates(Path(__file__).parent).get_template("leaderboard.html")
    page = template.render(
        title="Leaderboard",
        boards=[_page_board(board) for board in boards],
    )
    write_whole(path, [page.encode()])


def _page_board(board: Board) -> dict[str, Any]:
    return {
        "title": board.title,
        "sha256": board.sha256[:12],
        "head": HEAD,
        "rows": board_rows(board),
    }
