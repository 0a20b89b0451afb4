"""Groups of episodes, written in one line."""

from __future__ import annotations

from trainer.algorithms.protocol import EpisodeView, GroupView, StepView


def make_episode(states: str, reward: float, tokens: int = 1) -> EpisodeView:
    """An episode that stood in these states, a letter a step; every step is well-formed."""
    steps = tuple(
        StepView(reward=reward, state=states[: place + 1], page=state, tokens=tokens)
        for place, state in enumerate(states)
    )
    return EpisodeView(reward=reward, success=reward >= 1.0, steps=steps)


def make_group(*episodes: tuple[str, float], template: str = "shop/price") -> GroupView:
    """A group of (states, reward)."""
    views = tuple(make_episode(states, reward) for states, reward in episodes)
    return GroupView(template=template, episodes=views)
