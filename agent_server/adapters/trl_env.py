"""The web gyms as an `environment_factory` of TRL's GRPOTrainer.

    from agent_server.adapters.trl_env import WebGymTools, make_rows
    rows = make_rows("shop", ["price", "cheapest"], seeds=range(100))
    GRPOTrainer(model, args=args, train_dataset=Dataset.from_list(rows),
                environment_factory=WebGymTools)

Guarantees: public methods besides `reset` and `get_reward` are the tools; each answers with its
result and the page after it. The reward is the verdict's score; an episode that still runs ends
there, without an answer. A rollout whose environment failed has the reward None, which the trainer
leaves out, and not 0. All environments of a process share one host.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from agent_server.adapters.text_episode import (
    TextEpisode,
    describe_page,
    make_gym_task,
    shared_host,
)
from envs.contract.actions import Action, Done, Infeasible, Navigate, SetValue, Tool, Type
from envs.contract.observations import Observe
from envs.contract.outcomes import EpisodeFault
from envs.contract.task import Split

PROMPT = (
    "Carry out the task on the web page with the tools. An element is named by its words in the "
    "page, or by its number, as #3. Call `finish` when the task is done.\n\n"
)
OVER = "The episode is over."
TREE_CHARS = 3000
TOOLS = (
    "click",
    "type_text",
    "choose",
    "set_checkbox",
    "press_key",
    "scroll",
    "go_back",
    "open_path",
    "find_text",
    "finish",
    "report_infeasible",
)
"""Methods of `WebGymTools` that a model may call."""


def make_rows(
    gym: str, templates: Iterable[str], seeds: Iterable[int], split: Split = "train"
) -> list[dict[str, Any]]:
    """Rows of a training set, template by template: the prompt, and what `reset` needs."""
    all_seeds = tuple(seeds)
    return [
        {
            "prompt": [{"role": "user", "content": PROMPT}],
            "gym": gym,
            "template": template,
            "seed": seed,
            "split": split,
        }
        for template in templates
        for seed in all_seeds
    ]


class WebGymTools:
    """One episode at a time on a web gym; see the module."""

    def __init__(self) -> None:
        self._episode: TextEpisode | None = None
        self._has_failed = False

    def reset(
        self,
        gym: str = "shop",
        template: str | None = None,
        seed: int = 0,
        split: Split = "train",
        **row: Any,
    ) -> str:
        """Begins the task of a row; other columns are ignored. The answer is put behind the prompt.
        Raises KeyError and ValueError for a task that does not exist, EpisodeFault."""
        if self._episode is None:
            self._episode = TextEpisode(shared_host(), Observe(tree_chars=TREE_CHARS))
        self._has_failed = False
        task = make_gym_task(gym, template, seed, split)
        observation = self._episode.reset(task).observation
        return f"Task: {task.instruction}\n\n{describe_page(observation)}"

    def get_reward(self) -> float | None:
        """The verdict's score, 0 to 1; None where the environment failed."""
        if self._episode is None or self._has_failed:
            return None
        try:
            return self._episode.finish().score
        except (EpisodeFault, TimeoutError):
            return None

    def click(self, element: str) -> str:
        """Clicks an element.

        Args:
            element: Its name in the page, or its number, as #3.

        Returns:
            What became of it, and the page.
        """
        return self._step(f"click {element}")

    def type_text(self, element: str, text: str, submit: bool = False) -> str:
        """Writes a text into a field, in place of what it contains.

        Args:
            element: Its name in the page, or its number, as #3.
            text: The text.
            submit: Whether to press Enter afterwards.

        Returns:
            What became of it, and the page.
        """
        parsed = self._parse(f"type {element} = x")
        if isinstance(parsed, Type):
            return self._step(parsed.model_copy(update={"text": text, "submit": submit}))
        return self._step(f"type {element} = x")

    def choose(self, element: str, value: str) -> str:
        """Chooses an option of a drop-down list, or sets a field such as a date or a number.

        Args:
            element: Its name in the page, or its number, as #3.
            value: The option's words, or the value.

        Returns:
            What became of it, and the page.
        """
        parsed = self._parse(f"set {element} = x")
        if isinstance(parsed, SetValue):
            return self._step(parsed.model_copy(update={"value": value}))
        return self._step(f"set {element} = x")

    def set_checkbox(self, element: str, checked: bool) -> str:
        """Sets or clears a check box.

        Args:
            element: Its name in the page, or its number, as #3.
            checked: Whether it is to be set.

        Returns:
            What became of it, and the page.
        """
        return self._step(f"{'check' if checked else 'uncheck'} {element}")

    def press_key(self, keys: str) -> str:
        """Presses a key, or several together.

        Args:
            keys: Names of keys with + between them, as Enter or Control+A.

        Returns:
            What became of it, and the page.
        """
        return self._step(f"key {keys}")

    def scroll(self, down: bool = True) -> str:
        """Scrolls by a page.

        Args:
            down: Down, or else up.

        Returns:
            What became of it, and the page.
        """
        return self._step("scroll down" if down else "scroll up")

    def go_back(self) -> str:
        """Goes back to the page before.

        Returns:
            What became of it, and the page.
        """
        return self._step("back")

    def open_path(self, path: str) -> str:
        """Opens an address of the site.

        Args:
            path: The address below the site, as /shop/cart.

        Returns:
            What became of it, and the page.
        """
        return self._step(Navigate(url=path))

    def find_text(self, text: str) -> str:
        """Looks for a text in the whole page, also where it is not visible.

        Args:
            text: The text.

        Returns:
            Where it stands, and the page.
        """
        return self._step(Tool(name="browser.find_text", arguments={"text": text}))

    def finish(self, answer: str = "") -> str:
        """Ends the episode: the task is done.

        Args:
            answer: The answer, if the task asks a question.

        Returns:
            That the episode is over.
        """
        return self._step(Done(answer=answer or None))

    def report_infeasible(self, reason: str) -> str:
        """Ends the episode: the task cannot be done.

        Args:
            reason: Why not.

        Returns:
            That the episode is over.
        """
        return self._step(Infeasible(reason=reason))

    def _see(self) -> str:
        """The page as it is."""
        return OVER if self._episode is None else describe_page(self._episode.observation)

    def _close(self) -> None:
        """Gives the session back. TRL takes public methods for tools, hence the underscore."""
        episode, self._episode = self._episode, None
        if episode is not None:
            episode.close()

    def _parse(self, line: str) -> Action | str:
        if self._episode is None or not self._episode.is_running:
            return OVER
        return self._episode.parse(line)

    def _step(self, action: str | Action) -> str:
        if self._episode is None or not self._episode.is_running:
            return OVER
        try:
            step = self._episode.step(action)
        except (EpisodeFault, TimeoutError):
            self._has_failed = True
            raise
        if step.verdict is not None:
            return OVER
        return f"{step.result}\n\n{describe_page(step.observation)}"
