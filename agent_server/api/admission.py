"""Refuses, when it is submitted, what no worker could ever run.

What can be known only later (a worker that comes with a desktop, a policy that is published) is not
judged here: such an episode is queued, and ends without a retry if it cannot be run.
"""

from __future__ import annotations

from http import HTTPStatus

from agent_server.agents.config import RESERVED
from agent_server.api.errors import ApiError
from agent_server.policy.oracle import find_oracle
from agent_server.scripts.play import POLICY as SCRIPT
from agent_server.scripts.play import read_play
from agent_server.store.store import Store
from envs.contract.domains import check_start
from envs.contract.page_url import BLANK
from envs.contract.task import Env, Task
from tasksets.registry import get_gym

ENV_SENTENCES: dict[str, str] = {
    "browser": "no worker has a browser: set DESKHAND_HOST_URLS of the workers",
    "desktop": "no worker has a desktop: start with --desktops, or set DESKHAND_DESKTOP_URLS of "
    "the workers",
}
LIVE_SENTENCE = (
    "policy: no model is served: start with --model, or set DESKHAND_POLICY_URLS of the workers; "
    "`oracle`, controls and agents (--agent, DESKHAND_AGENTS) need none"
)


def check_task(task: Task, policy: str) -> None:
    """Raises ApiError(422) where the gym would not make this task, there is no oracle, or no script
    that could be replayed."""
    try:
        check_genuine(task)
        if policy == "oracle":
            find_oracle(task)
        if policy == SCRIPT:
            read_play(task)
    except (KeyError, ValueError) as error:
        raise ApiError(HTTPStatus.UNPROCESSABLE_ENTITY, str(error.args[0])) from error


def check_genuine(task: Task) -> None:
    """Raises KeyError or ValueError for a task of a gym that the gym would not make."""
    if task.gym is None:
        return
    genuine = get_gym(task.gym).make_task(task.template or "", task.seed)
    if genuine.params != task.params:
        raise ValueError(
            f"the params of task {task.id[:80]!r} are not those of {genuine.id!r}: send "
            "gym, template and seed instead"
        )


def check_start_url(task: Task, own_port: int | None) -> None:
    """Raises ApiError(422) where the task starts on no page that any browser host would open."""
    if task.env != "browser" or task.gym is not None or task.start_url in (None, BLANK):
        return
    try:
        check_start(task.start_url, task.allow, own_port)
    except ValueError as error:
        raise ApiError(HTTPStatus.UNPROCESSABLE_ENTITY, str(error)) from error


def check_workers(store: Store, envs: set[Env], policy: str) -> None:
    """Raises ApiError(422) where workers are alive and none of them could run this."""
    workers = store.workers.alive()
    if not workers:
        return
    for env in sorted(envs):
        if not any(env in worker.envs for worker in workers):
            raise ApiError(HTTPStatus.UNPROCESSABLE_ENTITY, ENV_SENTENCES[env])
    if policy == "live" and not any("live" in worker.policies for worker in workers):
        raise ApiError(HTTPStatus.UNPROCESSABLE_ENTITY, LIVE_SENTENCE)
    if policy not in RESERVED and not any(policy in worker.policies for worker in workers):
        detail = f"no worker knows the agent {policy!r}: set DESKHAND_AGENTS of the workers"
        raise ApiError(HTTPStatus.UNPROCESSABLE_ENTITY, detail)
