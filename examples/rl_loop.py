"""The whole of Deskhand on one page: a policy learns a web task on a real browser.

    .venv/bin/python examples/rl_loop.py        # a few minutes on two cores, no GPU

1. A gym server and a browser host start; the gym's oracle solves some tasks in Chromium.
2. A new, small policy imitates the steps of the oracle.
3. The policy is published, and vLLM serves it.
4. Reinforcement: groups of episodes of one task, rewards from the gym's verdict, an advantage for
   each step, one learner step, and a verified hot swap of the new weights into the running server.

`deskhand train` is the same with database, queue, workers, retries and resume: `trainer/run.py`.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import tempfile
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path

import torch
from transformers import PreTrainedTokenizerFast as Tokenizer

from agent_server.episodes.agent import Policy, Sampling
from agent_server.episodes.compact import CompactAgent
from agent_server.episodes.runner import run_episode
from agent_server.episodes.trajectory import Step
from agent_server.policy.client import VllmPolicy
from agent_server.policy.engine import SERVED_NAME, VllmEngine, warm_up
from agent_server.policy.oracle import OraclePolicy
from agent_server.policy.swap import Swapper
from agent_server.stack.supervisor import Child
from envs.client import SessionPool
from envs.contract.observations import Screenshot
from envs.contract.task import HELDOUT_SEED_BASE, Task
from envs.gyms.server.registry import get_web_gym
from envs.providers.local import free_port, local_host
from trainer.algorithms.rewards import step_rewards
from trainer.algorithms.same_state import same_state
from trainer.learner import Learner, LearnerConfig
from trainer.model import ModelConfig, new_policy
from trainer.publish import publish_version
from trainer.samples import Sample, rl_sample, text_sample
from trainer.threads import in_thread
from trainer.tokenizer import encode_answer, encode_prompt, train_tokenizer

SAMPLING = Sampling(temperature=1.0, max_tokens=48)
LOSS_TARGET = 0.06  # nats a token: about half of the tasks are solved, which is left to learn from


@dataclass
class Episode:
    """One run of a task: what the runner records of it. No score: it could not be judged."""

    steps: list[Step] = field(default_factory=list)
    score: float | None = None

    def record_step(self, step: Step) -> None:
        """Keeps the step: prompt, answer with token ids and logprobs, result."""
        self.steps.append(step)

    def save_screenshot(self, index: int, screenshot: Screenshot) -> str:
        """Drops the picture: this policy reads the page as text."""
        return ""

    def save_evidence(self, data: bytes) -> None:
        """Drops the states that the verdict was computed from."""


async def play(task: Task, policy: Policy, pool: SessionPool) -> Episode:
    """One episode: read the page, write an action, and so on until the gym's verdict."""
    episode, agent = Episode(), CompactAgent(task, policy)
    async with pool.lease() as session:
        result = await run_episode(
            task, session, agent, SAMPLING, task.limits, episode, tree_chars=1600, tree_options=6
        )
    episode.score = result.score
    return episode


def success(episodes: Sequence[Episode]) -> str:
    """E.g. "5 of 8 solved". Episodes that could not be judged are left out."""
    scores = [episode.score for episode in episodes if episode.score is not None]
    return f"{sum(score == 1.0 for score in scores)} of {len(scores)} solved"


async def demonstrate(tasks: list[Task], tokenizer: Tokenizer, pool: SessionPool) -> list[Sample]:
    """The steps of the oracle's successes, as the policy would have read and written them."""
    episodes = await asyncio.gather(*(play(task, OraclePolicy(task), pool) for task in tasks))
    return [
        text_sample(
            encode_prompt(tokenizer, step.prompt),
            encode_answer(tokenizer, step.completion.text),
            prompt_ce=0.1,  # a little weight on predicting the page itself
        )
        for episode in episodes
        for step in episode.steps
        if episode.score == 1.0
    ]


async def imitate(learner: Learner, samples: list[Sample], updates: int, seed: int) -> None:
    """Behaviour cloning: cross-entropy on the oracle's answers, until a moving average is low."""
    rng, loss = random.Random(seed), 10.0
    for update in range(1, updates + 1):
        batch, rate = rng.sample(samples, 8), 1e-3 * (1 - update / updates)
        metrics = await in_thread(learner.step, batch, lr=rate)
        loss = 0.95 * loss + 0.05 * metrics["loss/ce"]
        if update % 50 == 0 or loss < LOSS_TARGET or update == updates:
            print(f"   update {update}: loss {loss:.3f}")
        if loss < LOSS_TARGET:
            break


def reinforced_samples(groups: Sequence[Sequence[Episode]]) -> list[Sample]:
    """The steps to learn from, each with its advantage. A group is some episodes of one task.

    Step-level GRPO with a baseline for each state: a step is compared with the other steps of its
    group that stood before the same prompt (`trainer.algorithms.same_state` names the papers)."""
    samples = []
    for group in groups:
        judged = [episode for episode in group if episode.score is not None]
        rewards = [
            step_rewards(episode.score or 0.0, [step.result.ok for step in episode.steps])
            for episode in judged
        ]
        states = [[step.completion.prompt_ids for step in episode.steps] for episode in judged]
        for episode, advantages in zip(judged, same_state(rewards, states), strict=True):
            samples += [
                rl_sample(step, float(advantage))
                for step, advantage in zip(episode.steps, advantages, strict=True)
                if advantage != 0.0
            ]
    return samples


async def serve(version: Path, log_path: Path, stack: AsyncExitStack) -> VllmEngine:
    """Starts vLLM with a published version. Closing the stack stops it."""
    engine = VllmEngine(version, free_port())
    command, environment = engine.command(), engine.environment()
    server = Child("policy", command, environment, log_path, engine.healthy, ready_s=600)
    stack.push_async_callback(server.stop)
    await server.start()
    await warm_up(engine.url, engine.keys.generation)
    return engine


async def run(options: argparse.Namespace, folder: Path) -> None:
    """The loop. `folder` gets the published versions and the logs."""
    rng = random.Random(options.seed)
    torch.set_num_threads(1)  # the learner has threads of its own; spinning ones would starve vLLM
    gym = get_web_gym("shop")

    def new_tasks(count: int) -> list[Task]:
        seeds = [rng.randrange(HELDOUT_SEED_BASE) for _ in range(count)]
        return [gym.make_task(options.template, seed) for seed in seeds]

    async with AsyncExitStack() as stack:
        host = await stack.enter_async_context(local_host(log_dir=folder))
        pool = SessionPool(host, size=8)
        stack.push_async_callback(pool.close)

        print(f"1. the gym's oracle solves {options.demonstrations} tasks")
        tokenizer = train_tokenizer([t for n in range(8) for t in gym.corpus(n)], vocab_size=1536)
        samples = await demonstrate(new_tasks(options.demonstrations), tokenizer, pool)

        print(f"2. a new policy imitates their {len(samples)} steps")
        model = new_policy(ModelConfig(), len(tokenizer), options.seed)
        learner = Learner(model, LearnerConfig())
        stack.callback(learner.close)
        await imitate(learner, samples, options.updates, options.seed)

        async def publish(version: int) -> Path:
            return await in_thread(
                publish_version,
                folder / "policy",
                version=version,
                parent=version - 1 if version > 1 else None,
                phase="example",
                learner=learner,
                tokenizer=tokenizer,
                samples=samples[:8],  # the server has to reproduce their logprobs
            )

        print("3. vLLM serves it; the start takes a minute")
        version = await publish(1)
        engine = await serve(version, folder / "policy.log", stack)
        tokenizer_file, key = version / "tokenizer.json", engine.keys.generation
        policy = VllmPolicy(engine.url, SERVED_NAME, tokenizer=tokenizer_file, key=key)
        stack.push_async_callback(policy.close)
        swapper = Swapper(engine.url, engine.keys.control)
        await swapper.swap(version)

        async def evaluate() -> None:
            seeds = range(HELDOUT_SEED_BASE, HELDOUT_SEED_BASE + options.evaluation)
            tasks = [gym.make_task(options.template, seed) for seed in seeds]
            episodes = await asyncio.gather(*(play(task, policy, pool) for task in tasks))
            print(f"   held-out tasks: {success(episodes)}")

        await evaluate()
        print(f"4. {options.iterations} iterations of reinforcement")
        learner.reset_optimizer(lr=2e-4, warmup_steps=0)
        for iteration in range(1, options.iterations + 1):
            tasks = [task for task in new_tasks(options.groups) for _ in range(options.size)]
            episodes = await asyncio.gather(*(play(task, policy, pool) for task in tasks))
            groups = [episodes[i : i + options.size] for i in range(0, len(tasks), options.size)]
            reinforced = reinforced_samples(groups)
            if reinforced:  # none where all episodes of each task went alike
                await in_thread(learner.step, reinforced)
            swap = await swapper.swap(await publish(iteration + 1))
            print(
                f"   {iteration}: {success(episodes)}, "
                f"{len(reinforced)} steps reinforced, version {swap.version} "
                f"{'accepted' if swap.accepted else swap.reason} in a pause of "
                f"{swap.pause_ms:.0f} ms, {swap.mean_abs_diff:.4f} nats a token off"
            )
        await evaluate()


def parse_options() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    for name, default, meaning in (
        ("demonstrations", 160, "tasks that the oracle solves"),
        ("updates", 500, "most optimiser steps of imitation"),
        ("iterations", 8, "learner steps of reinforcement"),
        ("groups", 8, "tasks of an iteration"),
        ("size", 6, "episodes of each of them"),
        ("evaluation", 40, "held-out tasks"),
        ("seed", 0, "of tasks, weights and batches"),
    ):
        parser.add_argument(f"--{name}", type=int, default=default, help=meaning)
    parser.add_argument("--template", default="add_plain", help="template of the shop")
    return parser.parse_args()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(prefix="deskhand-") as name:
        try:
            asyncio.run(run(parse_options(), Path(name)))
        except KeyboardInterrupt:
            raise SystemExit("stopped; everything is shut down") from None
