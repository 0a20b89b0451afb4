"""A web gym's verdict, made again from kept evidence.

Guarantees: a state that is not the one that was judged gives no verdict.
"""

from __future__ import annotations

from envs.contract.session import Verdict
from envs.gyms.server.registry import get_web_gym
from envs.state.bundle import BadBundle
from envs.state.canonical import apply_patch
from envs.state.gym_evidence import GymEvidence, session_hash


def rejudge(evidence: GymEvidence) -> Verdict:
    """By the gym as it is now. Raises BadBundle when it makes other states by now."""
    task = evidence.task
    try:
        gym = get_web_gym(task.gym or "")
        before = gym.initial_state(task)
        after = apply_patch(gym.initial_state(task), evidence.change)
    except (KeyError, ValueError) as error:
        raise BadBundle(f"the state cannot be made again: {error}") from error
    if session_hash(task, after) != evidence.state_hash:
        raise BadBundle("the state cannot be made again: the gym makes others now")
    verdict = gym.verdict(task, before, after, evidence.answer, evidence.infeasible)
    return verdict.with_details(state_hash=evidence.state_hash)
