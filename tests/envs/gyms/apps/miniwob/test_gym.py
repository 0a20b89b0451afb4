"""MiniWoB++ as a gym: tasks, verdicts, and a handful of its pages in Chromium."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from envs.browser.chromium import Browsers
from envs.browser.gym_admin import GymAdmin
from envs.browser.session import BrowserSession
from envs.contract.actions import Action, Click, Done, History, Navigate, Target, Wait
from envs.contract.observations import Observation, Observe, parse_tree
from envs.contract.task import HELDOUT_SEED_BASE, Task
from envs.gyms.apps.miniwob.assets import is_installed
from envs.gyms.apps.miniwob.gym import MiniWoB
from envs.gyms.server import registry
from envs.gyms.server.gym import PageOwned
from tests.envs.gyms.harness import TOKEN, GymServer

if not is_installed():
    pytest.skip("the package miniwob is not installed", allow_module_level=True)

GYM = MiniWoB()
OBSERVE = Observe(console=True)
SOLVED_TASKS = (
    "click-test",
    "click-tab-2",
    "login-user",
    "choose-date-easy",
    "email-inbox",
    "use-autocomplete",
    "click-menu",
    "social-media-some",
    "form-sequence",
)
WRONG_BUTTONS = {"click-test-2": "TWO", "click-dialog": None, "enter-text": "Submit"}
"""Tasks and a button that fails them; None where there is no such button."""


def test_tasks_follow_from_template_and_seed() -> None:
    assert isinstance(GYM, PageOwned)
    train, heldout = GYM.make_task("click-link", 7), GYM.make_task("click-link", HELDOUT_SEED_BASE)
    assert GYM.make_task("click-link", 7) == train
    assert (train.split, heldout.split) == ("train", "test")
    begins = [GYM.page_scripts(task).begin for task in (train, heldout)]
    assert '"train"' in begins[0]
    assert '"test"' in begins[1]
    assert ", 7, " in begins[0]
    assert f", {HELDOUT_SEED_BASE}, " in begins[1]
    with pytest.raises(KeyError, match="no task 'chess'"):
        GYM.make_task("chess", 0)


def test_score_is_the_raw_reward_of_this_very_episode() -> None:
    task = GYM.make_task("click-link", 7)
    right = {"path": GYM.start_path(task), "seed": 7, "done": True, "raw": 1, "reason": None}

    def score(page: dict[str, object] | None, infeasible: bool = False) -> float:
        return GYM.verdict(task, {"page": None}, {"page": page}, None, infeasible).score

    assert score(right) == 1
    assert score(right | {"raw": 0.5}) == 0.5
    for wrong in ({"raw": -1}, {"raw": None}, {"done": False}, {"seed": 8}, {"path": "/"}):
        assert score(right | wrong) == 0
    assert score(None) == score({}) == score(right, infeasible=True) == 0


def test_a_task_without_an_oracle_says_so() -> None:
    with pytest.raises(KeyError, match="no oracle for bisect-angle"):
        GYM.oracle(GYM.make_task("bisect-angle", 0))


def test_corpus_is_made_of_the_pages() -> None:
    assert GYM.corpus(3) == GYM.corpus(3)
    assert any("Submit" in text for seed in range(3) for text in GYM.corpus(seed))


def test_without_the_package_the_gym_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    others = {name: gym for name, gym in registry.web_gyms().items() if name != "miniwob"}
    monkeypatch.setattr(registry, "web_gyms", lambda: others)
    with pytest.raises(KeyError, match=r"deskhand\[miniwob\]"):
        registry.get_web_gym("miniwob")


@asynccontextmanager
async def browser(server: GymServer) -> AsyncIterator[BrowserSession]:
    browsers = Browsers(gym_url=server.url)
    session = BrowserSession(browsers, GymAdmin(server.url, TOKEN))
    try:
        yield session
    finally:
        await session.close()
        await browsers.close()


def text_of(observation: Observation) -> str:
    assert observation.tree is not None
    return observation.tree.text


def button(observation: Observation, name: str) -> Action:
    line = next(line for line in parse_tree(text_of(observation)) if line.name == name)
    return Click(target=Target(ref=line.ref))


async def episode(session: BrowserSession, task: Task) -> tuple[float, str, list[str]]:
    """Score, reset level, and all trees of an oracle's episode."""
    oracle = GYM.oracle(task)
    reply = await session.reset(task, OBSERVE)
    observation, trees = reply.observation, list[str]()
    for _ in range(task.limits.max_steps):
        trees.append(text_of(observation))
        action = oracle.move(observation).action
        if isinstance(action, Done):
            return (await session.evaluate()).score, reply.reset_level, trees
        stepped = await session.step([action], OBSERVE)
        assert stepped.results[0].ok, (task.id, action, stepped.results[0])
        observation = stepped.observation
    raise AssertionError(f"{task.id}: no end\n{trees[-1]}")


@pytest.mark.browser
async def test_a_seed_gives_the_same_episode_in_the_open_page_and_in_a_new_one(
    server: GymServer,
) -> None:
    async with browser(server) as session:
        for template in SOLVED_TASKS:
            task, other = GYM.make_task(template, 5), GYM.make_task(template, HELDOUT_SEED_BASE + 1)
            score, reset_level, loaded = await episode(session, task)
            assert (score, reset_level != "page") == (1, True), (template, loaded[-1])
            score, reset_level, unlike = await episode(session, other)
            assert (score, reset_level) == (1, "page"), (template, unlike[-1])
            score, reset_level, again = await episode(session, task)
            assert (score, reset_level) == (1, "page")
            assert again == loaded
            assert template == "click-test" or unlike[0] != loaded[0]


@pytest.mark.browser
async def test_only_the_right_thing_scores_and_what_is_over_stays_over(server: GymServer) -> None:
    async with browser(server) as session:
        for template, name in WRONG_BUTTONS.items():
            await session.reset(GYM.make_task(template, 3), OBSERVE)
            verdict = await session.evaluate()
            assert (verdict.score, verdict.details["done"]) == (0, False)
            if name is None:
                continue
            shown = (await session.reset(GYM.make_task(template, 3), OBSERVE)).observation
            ended = (await session.step([button(shown, name)], OBSERVE)).observation
            assert text_of(ended) == "text Finished."
            assert not ended.console  # nothing tells the reward
            point = Click(target=Target(x=80, y=100))  # where the package's START cover would be
            assert (await session.step([point], OBSERVE)).observation.tree == ended.tree
            verdict = await session.evaluate()
            assert (verdict.score, verdict.milestones) == (0, {"right": False})
            assert verdict.details["raw_reward"] == -1
        for leaving in (Navigate(url="click-button.html"), History(op="reload")):
            task = GYM.make_task("click-test", 3)
            await episode(session, task)
            await session.step([leaving], OBSERVE)
            assert (await session.evaluate()).score == 0
            reset_level = (await session.reset(task, OBSERVE)).reset_level
            assert reset_level == ("warm" if isinstance(leaving, Navigate) else "page")


@pytest.mark.browser
async def test_the_clock_of_a_page_is_moved_by_actions_alone(server: GymServer) -> None:
    async with browser(server) as session:
        before = (await session.reset(GYM.make_task("stock-market", 3), OBSERVE)).observation
        await asyncio.sleep(0.4)
        assert (await session.step([], OBSERVE)).observation.tree == before.tree
        after = (await session.step([Wait(ms=100)], OBSERVE)).observation
        assert after.tree != before.tree
        shown = (await session.reset(GYM.make_task("click-test-2", 3), OBSERVE)).observation
        await session.page.run("deskhand.elapse(3600 * 1000)")  # the package's own limit is 10 s
        await session.step([button(shown, "ONE")], OBSERVE)
        assert (await session.evaluate()).score == 1
