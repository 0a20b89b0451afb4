"""MiniWoB++ as a gym: a template is a registered task, the page is its judge.

Guarantees: the score is made of the page's raw reward alone: 1 if and only if it is 1, else what of
it lies above 0; never of time. Held-out seeds draw from what the pages keep for tests.
"""

from __future__ import annotations

import json
import random
import re
from typing import TYPE_CHECKING

from envs.gyms.gym import Oracle, PageScripts, State
from envs.gyms.miniwob.assets import content, installed, page_of, registered
from envs.gyms.miniwob.oracle import oracle_of
from envs.session import Verdict
from envs.tasks import Env, Limits, Task, split_of

if TYPE_CHECKING:
    from starlette.routing import BaseRoute

INSTRUCTION = "Do what the yellow box at the top of the page asks for, then finish."
"""The page makes up its request from the seed as it begins, so no task can quote it beforehand;
the request is the first text of every tree and picture instead."""
ANEW = {"use-colorwheel", "use-colorwheel-2"}
"""Tasks whose pages keep something from one episode to the next: they are loaded for each."""
MOST_STEPS = 30
PATIENT = {"stock-market": 110}
"""Most steps of tasks in which one has to wait."""
_BEGIN = """(async () => {
  if (document.readyState !== 'complete')
    await new Promise((go) => addEventListener('load', () => scheduler.postTask(go)));
  return globalThis.deskhand?.begin(%s) ?? false;
})()"""
_QUOTED = re.compile(r"""["']([A-Za-z][A-Za-z ,.!?-]{2,60})["']""")
_SCRIPT = re.compile(r"<script[^>]*>(.*?)</script>", re.S)
_HIDDEN = re.compile(r"<(script|style)[^>]*>.*?</\1>|<[^>]*>", re.S)


class MiniWoB:
    """See `envs.gyms.gym.WebGym` and `PageOwned`."""

    name = "miniwob"
    env: Env = "browser"

    def level(self, template: str) -> None:
        return None

    @property
    def templates(self) -> tuple[str, ...]:
        return registered()

    def make_task(self, template: str, seed: int) -> Task:
        _check(template)
        return Task(
            id=f"miniwob/{template}@{seed}",
            instruction=INSTRUCTION,
            gym=self.name,
            template=template,
            seed=seed,
            milestones=("right",),
            limits=Limits(max_steps=PATIENT.get(template, MOST_STEPS)),
            split=split_of(seed),
        )

    def start_path(self, task: Task) -> str:
        return f"/miniwob/{page_of(_check(task.template))}"

    def page_scripts(self, task: Task) -> PageScripts:
        mode = "test" if split_of(task.seed) == "heldout" else "train"
        given = (self.start_path(task), task.seed, mode, task.template in ANEW)
        return PageScripts(
            begin=_BEGIN % ", ".join(map(json.dumps, given)),
            elapse="(ms) => globalThis.deskhand?.elapse(ms)",
            report="globalThis.deskhand?.report() ?? null",
        )

    def initial_state(self, task: Task) -> State:
        return {"page": None}

    def verdict(
        self, task: Task, before: State, after: State, answer: str | None, infeasible: bool
    ) -> Verdict:
        page = after["page"] or {}
        ours = page.get("path") == self.start_path(task) and page.get("seed") == task.seed
        done = ours and page.get("done") is True
        raw = page.get("raw") if done and not infeasible else 0.0
        reward = float(raw) if isinstance(raw, int | float) and -1e9 < raw < 1e9 else 0.0
        return Verdict(
            score=min(1.0, max(0.0, reward)),
            milestones={"right": reward >= 1},
            details={"raw_reward": reward, "done": done, "reason": page.get("reason")},
        )

    def stray(self, state: State, rng: random.Random) -> None:
        state["page"] = None

    def routes(self) -> list[BaseRoute]:
        # Only the gym server needs a web framework; verdicts and tasks are made elsewhere too.
        from envs.gyms.miniwob.app import routes

        return routes()

    def oracle(self, task: Task) -> Oracle:
        return oracle_of(_check(task.template))

    def corpus(self, seed: int) -> list[str]:
        """The words of a few pages: what they show, and what their scripts put together."""
        rng = random.Random(f"corpus:{seed}")
        names = [name for name in self.templates if not name.startswith("flight.")]
        texts = [INSTRUCTION]
        for name in rng.sample(names, 12):
            page, _ = content(page_of(name)) or (b"", "")
            text = page.decode()
            shown = " ".join(_HIDDEN.sub(" ", text).split())
            quoted = [part for script in _SCRIPT.findall(text) for part in _QUOTED.findall(script)]
            texts += [shown, *quoted]
        return [text for text in texts if text]


def _check(template: str | None) -> str:
    if template not in registered():
        raise KeyError(f"MiniWoB++ has no task {template!r}; it has: {', '.join(registered())}")
    return template


GYM = MiniWoB() if installed() else None
