"""The stamp says what the numbers were measured with."""

from __future__ import annotations

from agent_server.agents.config import CompactChat
from agent_server.evaluation.job.plan import EvalSpec, PolicyStamp, task_set_sha256
from agent_server.evaluation.job.stamp import agent_stamp, local_hosts, make_stamp, served_hosts
from tests.agent_server.evaluation.recorded_evaluation import task

CHAT = CompactChat(dialect="compact", base_url="http://127.0.0.1:9/v1", model="m")


def test_a_stamp_names_tasks_policy_and_machine() -> None:
    tasks = [task("a"), task("b")]
    spec = EvalSpec(policy="oracle", seed=4, compat=True)
    stamp = make_stamp(spec, tasks, PolicyStamp(name="oracle"), served_hosts("image@sha256:1"))
    assert stamp.task_set == task_set_sha256(tasks)
    assert (stamp.seed, stamp.compat, stamp.image) == (4, True, "image@sha256:1")
    assert stamp.device


def test_an_agent_s_hash_follows_everything_in_its_file() -> None:
    stamp = agent_stamp(CHAT)
    assert (stamp.dialect, stamp.endpoint, stamp.model) == ("compact", CHAT.base_url, "m")
    changed = agent_stamp(CHAT.model_copy(update={"history": 9}))
    assert changed.sha256 != stamp.sha256
    assert changed.prompt_sha256 == stamp.prompt_sha256


def test_hosts_without_an_image_say_why() -> None:
    assert "DESKHAND_HOST_IMAGE" in served_hosts("").no_image
    assert local_hosts([task("a")]).no_image
