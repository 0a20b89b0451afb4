"""What went wrong, by rules: from the verdict, the difference of states and the last error.

The state's difference names what is missing or was changed without being asked for, by its path:
the verifier knows more than the policy saw. So a success that was told is imitated without it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from agent_server.episodes.attempt import Attempt, last_error
from envs.contract.observations import one_line
from envs.contract.outcomes import EndReason
from envs.contract.session import Verdict

MOST_PATHS = 3
"""Of one kind: the first say enough, and a prompt is short."""
_ENDINGS = {
    EndReason.STEP_LIMIT: "you ran out of steps",
    EndReason.TIME_LIMIT: "you ran out of time",
    EndReason.TOKEN_LIMIT: "you ran out of tokens",
    EndReason.LOOP: "you did the same again and again",
    EndReason.MALFORMED: "your answers could not be read",
    EndReason.INFEASIBLE: "you said it cannot be done",
}
_KINDS = {
    "missing": "not done",
    "wrong": "done with another value",
    "forbidden": "changed though nobody asked",
    "passing": "not put back",
}


def explain(attempt: Attempt, verdict: Verdict, max_chars: int) -> str:
    """One line of at most so many characters; the most telling comes first."""
    details = verdict.details
    parts = [*_state_parts(details.get("state")), *_missed_part(verdict.milestones)]
    if details.get("answer_ok") is False:
        parts.append(f"the answer was wrong: {attempt.answer or 'none'}")
    ending = _ENDINGS.get(EndReason(attempt.reason)) if attempt.reason in set(EndReason) else None
    if ending:
        parts.append(ending)
    elif details.get("ending_ok") is False:
        parts.append("it ended the wrong way")
    if (error := last_error(attempt.steps)) is not None:
        parts.append(f"an action failed: {error}")
    return one_line("; ".join(parts) or "the task was not achieved", max_chars)


def _state_parts(state: object) -> list[str]:
    if not isinstance(state, Mapping):
        return []
    return [
        f"{words}: {_some(changes)}"
        for kind, words in _KINDS.items()
        if isinstance(changes := state.get(kind), Sequence) and changes
    ]


def _missed_part(milestones: Mapping[str, bool]) -> list[str]:
    missed = [name.replace("_", " ") for name, reached in milestones.items() if not reached]
    return [f"not reached: {_some(missed)}"] if missed else []


def _some(items: Sequence[Any]) -> str:
    rest = len(items) - MOST_PATHS
    more = f" and {rest} more" if rest > 0 else ""
    return ", ".join(map(str, items[:MOST_PATHS])) + more
