"""MiniWoB++ as a gym: a template is a registered task, and the page judges it.

Guarantees: the score is the page's raw reward, clipped to 0..1 and never discounted by time.
Held-out seeds use the data that the pages keep for tests.
"""

from __future__ import annotations

import json
import random
import re
from typing import TYPE_CHECKING

from envs.contract.gym_api import PageScripts
from envs.contract.session import Verdict
from envs.contract.task import Env, Limits, Task, split_of
from envs.gyms.apps.miniwob.assets import is_installed, page_of, read_file, registered_templates
from envs.gyms.apps.miniwob.oracle import LEAST_WINS, SCRIPTS, oracle_of
from envs.gyms.apps.miniwob.standard_tasks import STANDARD_TASKS
from envs.gyms.server.gym import Oracle, State

if TYPE_CHECKING:
    from starlette.routing import Route

INSTRUCTION = "Do what the yellow box at the top of the page asks for, then finish."
"""A page makes its request from the seed when the episode begins, so a task cannot quote it. The
request is the first text of every tree and screenshot."""
RELOADED = {"click-pie", "use-colorwheel", "use-colorwheel-2"}
"""Tasks whose pages keep state from one episode to the next: they are loaded for each episode."""
MAX_STEPS = 30
MAX_STEPS_OF_WAITING = {"stock-market": 110}
"""Step limits of tasks in which an agent has to wait."""
_BEGIN = """(async () => {
  if (document.readyState !== 'complete')
    await new Promise((go) => addEventListener('load', () => scheduler.postTask(go)));
  return globalThis.deskhand?.begin(%s) ?? false;
})()"""
_QUOTED = re.compile(r"""["']([A-Za-z][A-Za-z ,.!?-]{2,60})["']""")
_SCRIPT = re.compile(r"<script[^>]*>(.*?)</script>", re.S)
_HIDDEN = re.compile(r"<(script|style)[^>]*>.*?</\1>|<[^>]*>", re.S)


class MiniWoB:
    """See `envs.gyms.server.gym.WebGym` and `PageOwned`."""

    name = "miniwob"
    env: Env = "browser"

    def level(self, template: str) -> None:
        """None: not every task has an oracle to measure by."""

    @property
    def templates(self) -> tuple[str, ...]:
        """The tasks that the package registers."""
        return registered_templates()

    def make_task(self, template: str, seed: int) -> Task:
        """Raises KeyError for a template that is not registered."""
        _check_template(template)
        return Task(
            id=f"miniwob/{template}@{seed}",
            instruction=INSTRUCTION,
            gym=self.name,
            template=template,
            seed=seed,
            milestones=("right",),
            limits=Limits(max_steps=MAX_STEPS_OF_WAITING.get(template, MAX_STEPS)),
            split=split_of(seed),
        )

    def start_path(self, task: Task) -> str:
        """Path of the task's page on the gym server."""
        return f"/miniwob/{page_of(_check_template(task.template))}"

    def page_scripts(self, task: Task) -> PageScripts:
        """Scripts that begin an episode in the page, move its clock, and report its end."""
        mode = "train" if split_of(task.seed) == "train" else "test"
        arguments = (self.start_path(task), task.seed, mode, task.template in RELOADED)
        return PageScripts(
            begin=_BEGIN % ", ".join(map(json.dumps, arguments)),
            elapse="(ms) => globalThis.deskhand?.elapse(ms)",
            report="globalThis.deskhand?.report() ?? null",
        )

    @property
    def solved_templates(self) -> tuple[str, ...]:
        """The tasks that have an oracle, in the package's order."""
        return tuple(name for name in self.templates if name in SCRIPTS)

    @property
    def standard_templates(self) -> tuple[str, ...]:
        """The standard 56."""
        return STANDARD_TASKS

    def least_wins(self, template: str) -> float:
        """1, but for games in which chance decides as well."""
        return LEAST_WINS.get(template, 1.0)

    def initial_state(self, task: Task) -> State:
        """The page owns the state: the server keeps only its report."""
        return {"page": None}

    def verdict(
        self, task: Task, before: State, after: State, answer: str | None, infeasible: bool
    ) -> Verdict:
        """From the page's report, which counts only if it is of this very episode."""
        page = after["page"] or {}
        is_ours = page.get("path") == self.start_path(task) and page.get("seed") == task.seed
        done = is_ours and page.get("done") is True
        raw = page.get("raw") if done and not infeasible else 0.0
        reward = float(raw) if isinstance(raw, int | float) and -1e9 < raw < 1e9 else 0.0
        return Verdict(
            score=min(1.0, max(0.0, reward)),
            milestones={"right": reward >= 1},
            details={"raw_reward": reward, "done": done, "reason": page.get("reason")},
        )

    def apply_stray_change(self, state: State, rng: random.Random) -> None:
        """Loses the report: pages offer nothing else to change."""
        state["page"] = None

    def routes(self) -> list[Route]:
        """The pages and our script, below /miniwob."""
        # Only the gym server needs a web framework; verdicts and tasks are made elsewhere too.
        from envs.gyms.apps.miniwob.app import routes

        return routes()

    def oracle(self, task: Task) -> Oracle:
        """Raises KeyError for a task without an oracle."""
        return oracle_of(_check_template(task.template))

    def corpus(self, seed: int) -> list[str]:
        """The words of a few pages: their visible text, and texts quoted in their scripts."""
        rng = random.Random(f"corpus:{seed}")
        names = [name for name in self.templates if not name.startswith("flight.")]
        texts = [INSTRUCTION]
        for name in rng.sample(names, 12):
            page, _ = read_file(page_of(name)) or (b"", "")
            text = page.decode()
            visible = " ".join(_HIDDEN.sub(" ", text).split())
            quoted = [part for script in _SCRIPT.findall(text) for part in _QUOTED.findall(script)]
            texts += [visible, *quoted]
        return [text for text in texts if text]


def _check_template(template: str | None) -> str:
    templates = registered_templates()
    if template not in templates:
        raise KeyError(f"MiniWoB++ has no task {template!r}; it has: {', '.join(templates)}")
    return template


GYM = MiniWoB() if is_installed() else None
