"""The stamp says what the numbers were measured with."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from agent_server.agents.config import CompactChat
from agent_server.evaluation.job.plan import EvalSpec, PolicyStamp, task_set_sha256
from agent_server.evaluation.job.stamp import (
    agent_stamp,
    describe_started_hosts,
    differing_settings,
    differing_surroundings,
    make_stamp,
    served_hosts,
)
from envs.contract.outcomes import EpisodeFault
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
    assert describe_started_hosts(EvalSpec(policy="oracle"), [task("a")]).no_image


def test_machines_that_the_job_starts_are_named_by_the_hash_of_their_image(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk = tmp_path / "desktop.qcow2"
    spec = EvalSpec(policy="oracle", provider="qemu", image=str(disk))
    with pytest.raises(EpisodeFault, match=r"desktop\.qcow2 is not a file"):
        describe_started_hosts(spec, [task("a")])
    disk.write_bytes(b"disk")
    hosts = describe_started_hosts(spec, [task("a")])
    assert hosts.image == f"desktop.qcow2@sha256:{hashlib.sha256(b'disk').hexdigest()}"
    assert (hosts.no_image, hosts.applications) == ("", {})
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/nobody.sock")
    with pytest.raises(EpisodeFault, match="no Docker Engine answers"):
        describe_started_hosts(EvalSpec(policy="oracle", provider="docker"), [task("a")])


def test_the_screen_is_osworld_s_for_tasks_in_its_format_and_smaller_for_ours() -> None:
    theirs = task("a", env="desktop")
    ours = task("b", env="desktop", gym="desktop", template="x", seed=1)
    spec = EvalSpec(policy="oracle")
    assert spec.screen_for([ours, theirs]) == (1920, 1080)
    assert spec.screen_for([ours]) == (1280, 720)
    assert EvalSpec(policy="oracle", screen=(800, 600)).screen_for([theirs]) == (800, 600)
    stamp = make_stamp(spec, [theirs], PolicyStamp(name="oracle"), served_hosts(""))
    assert stamp.screen == (1920, 1080)


def test_settings_that_differ_are_named_with_both_values() -> None:
    first = EvalSpec(policy="chat", agent=CHAT.model_copy(update={"name": "chat"}))
    agent = CHAT.model_copy(update={"name": "chat", "model": "other", "history": 9})
    second = first.model_copy(update={"agent": agent, "trials": 3, "max_steps": 7})
    assert differing_settings(first, first) == []
    assert differing_settings(first, second) == [
        "agent.model was m, is other",
        "agent.history was 3, is 9",
        "trials was 1, is 3",
        "max_steps was None, is 7",
    ]


def test_what_is_not_as_it_was_when_a_job_began_is_named() -> None:
    spec, tasks = EvalSpec(policy="oracle"), [task("a")]
    hosts = describe_started_hosts(spec, tasks)
    stamp = make_stamp(spec, tasks, PolicyStamp(name="oracle"), hosts)
    assert differing_surroundings(stamp, spec, tasks) == []
    applications = stamp.applications | {"chromium": "1"}
    older = stamp.model_copy(update={"commit": "0123456789ab", "applications": applications})
    lines = differing_surroundings(older, spec, tasks)
    assert lines[0] == f"commit was 0123456789ab, is {stamp.commit or 'none'}"
    assert lines[1].startswith("chromium was 1, is ")
    assert len(lines) == 2
