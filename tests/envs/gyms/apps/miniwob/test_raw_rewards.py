"""Rewards are those of the package's own page, for the same seed and the same events."""

from __future__ import annotations

import json

import pytest

from envs.browser.chromium import Browsers
from envs.browser.gym_admin import GymAdmin
from envs.browser.session import BrowserSession
from envs.contract.actions import Done
from envs.contract.observations import Observe
from envs.contract.task import Task
from envs.gyms.apps.miniwob.assets import is_installed, page_of
from envs.gyms.apps.miniwob.gym import MiniWoB
from envs.gyms.apps.miniwob.oracle import LEAST_WINS
from tests.envs.gyms.apps.miniwob.raw_site import serve_raw_pages
from tests.envs.gyms.harness import TOKEN, GymServer

if not is_installed():
    pytest.skip("the package miniwob is not installed", allow_module_level=True)

TEMPLATES = (
    "click-checkboxes-soft",
    "click-pie",
    "click-shades",
    "click-shape",
    "count-shape",
    "email-inbox-forward-nl-turk",
    "email-inbox-nl-turk",
    "grid-coordinate",
    "identify-shape",
    "tic-tac-toe",
)
SEEDS = (1, 2, 3)
RECORD = """(() => {
  if (globalThis.events) return;  // the page is open from the episode before
  globalThis.events = [];
  const path = (el) => { const steps = [];
    for (; el && el !== document.body; el = el.parentElement)
      steps.unshift([...el.parentElement.children].indexOf(el));
    return steps; };
  for (const type of ['mousedown', 'mouseup', 'click', 'input'])
    addEventListener(type, (e) => document.body.contains(e.target)
      && events.push([type, path(e.target), e.target.value ?? null]), true);
})()"""
REPLAY = """(async (seed, events) => {
  core.setDataMode('train');
  core.EPISODE_MAX_TIME = 1e9;
  Math.seedrandom(seed);
  core.startEpisodeReal();
  for (const [type, path, value] of events) {
    await new Promise((go) => setTimeout(go, 0));
    const el = path.reduce((parent, index) => parent.children[index], document.body);
    if (type === 'input') el.value = value;
    if (type === 'click' && el.click) el.click();
    else el.dispatchEvent(new MouseEvent(type, { bubbles: true }));
  }
  return WOB_RAW_REWARD_GLOBAL;
})"""


@pytest.mark.browser
async def test_oracles_get_the_reward_of_the_raw_page(server: GymServer) -> None:
    gym, wins = MiniWoB(), dict.fromkeys(TEMPLATES, 0)
    with serve_raw_pages() as raw_pages:
        browsers = Browsers(gym_url=server.url, sites=(raw_pages,))
        sessions = [BrowserSession(browsers, GymAdmin(server.url, TOKEN)) for _ in range(2)]
        try:
            for template in TEMPLATES:
                for seed in SEEDS:
                    task = gym.make_task(template, seed)
                    reward, events = await play_and_record(sessions[0], task)
                    url = f"{raw_pages}/{page_of(template)}"
                    assert await replay(sessions[1], url, seed, events) == reward, task.id
                    wins[template] += reward == 1
        finally:
            for session in sessions:
                await session.close()
            await browsers.close()
    assert {name for name, count in wins.items() if count < len(SEEDS)} <= set(LEAST_WINS)


async def play_and_record(session: BrowserSession, task: Task) -> tuple[float, list[object]]:
    """The raw reward of the oracle's episode, and the events that the page got."""
    oracle = MiniWoB().oracle(task)
    observation = (await session.reset(task, Observe())).observation
    await session.page.run(RECORD)
    while not isinstance(action := oracle.move(observation).action, Done):
        observation = (await session.step([action], Observe())).observation
    verdict = await session.evaluate()
    events = await session.page.run("globalThis.events.splice(0)")
    return float(verdict.details["raw_reward"]), events


async def replay(session: BrowserSession, url: str, seed: int, events: list[object]) -> float:
    """The raw page's reward for these events."""
    await session.reset(Task(id=url, instruction="replay", start_url=url), Observe())
    reward = await session.page.run(f"{REPLAY}({seed}, {json.dumps(events)})")
    return float(reward)
