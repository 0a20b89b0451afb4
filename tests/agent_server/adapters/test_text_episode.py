"""Episodes by lines of text: the same task for the same seed, and one verdict at the end."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from agent_server.adapters.text_episode import (
    GymHost,
    TextEpisode,
    describe_page,
    make_gym_task,
    seed_in_split,
)
from envs.contract.task import HELDOUT_SEED_BASE
from envs.gyms.server.registry import get_web_gym


def test_a_seed_is_of_its_split() -> None:
    assert seed_in_split("train", 7) == 7
    assert seed_in_split("test", 7) == HELDOUT_SEED_BASE + 7
    assert seed_in_split("test", HELDOUT_SEED_BASE + 7) == HELDOUT_SEED_BASE + 7
    with pytest.raises(ValueError, match="split 'test', not of 'train'"):
        seed_in_split("train", HELDOUT_SEED_BASE + 7)


def test_a_task_is_drawn_by_its_seed() -> None:
    assert make_gym_task("shop", None, 3) == make_gym_task("shop", None, 3)
    templates = {make_gym_task("shop", None, seed).template for seed in range(20)}
    assert len(templates) > 1
    with pytest.raises(ValueError, match="price"):
        make_gym_task("shop", "nothing", 3)


@pytest.fixture(scope="module")
def host() -> Iterator[GymHost]:
    live = GymHost()
    yield live
    live.close()


@pytest.mark.browser
def test_an_oracle_has_the_full_score_and_who_does_nothing_has_none(host: GymHost) -> None:
    episode = TextEpisode(host)
    for template in ("price", "cheapest"):
        task = make_gym_task("shop", template, 7)
        oracle = get_web_gym("shop").oracle(task)
        episode.reset(task)
        while episode.is_running:
            step = episode.step(oracle.move(episode.observation).action)
        assert step.verdict is not None
        assert (step.verdict.score, step.truncated) == (1.0, False)
        assert episode.finish() is step.verdict
        with pytest.raises(RuntimeError, match="call reset"):
            episode.step("done")
        episode.reset(task)
        assert episode.finish().score == 0
    episode.close()


@pytest.mark.browser
def test_a_wrong_line_is_a_result_and_the_last_step_ends_the_episode(host: GymHost) -> None:
    episode = TextEpisode(host)
    task = make_gym_task("shop", "price", 7)
    first = describe_page(episode.reset(task).observation)
    assert "cannot read the action" in episode.step("clik Cart").result
    steps = [episode.step("scroll down") for _ in range(task.limits.max_steps - 1)]
    assert [step.truncated for step in steps] == [False] * (len(steps) - 1) + [True]
    assert not episode.is_running
    assert describe_page(episode.reset(task).observation) == first
    episode.close()
