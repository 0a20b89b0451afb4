"""The spaces in which models name points: parts of a thousand, pixels of the picture as they are
shown it, or pixels of the picture as their own preprocessing resizes it.

Guarantees: `target` refuses what lies outside of the picture; `target(point(t))` is the same point
but for rounding, which is less than a unit of the space.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from envs.contract.actions import ActionError, SimpleAction, Target
from envs.contract.observations import Screenshot
from envs.dialects.dialect import Display, Refused
from envs.dialects.pictures import smart_resize

Point = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Relative:
    """Coordinates from 0 to `factor` in both directions."""

    factor: float = 1000

    def target(self, x: float, y: float, display: Display) -> Target:
        """Raises Refused outside of the picture."""
        if not (0 <= x <= self.factor and 0 <= y <= self.factor):
            raise Refused(
                f"({x:g}, {y:g}) lies outside of 0 to {self.factor:g}", ActionError.BAD_VALUE
            )
        return display.at(x / self.factor, y / self.factor)

    def point(self, target: Target, display: Display) -> Point:
        """Where a point of the screen is. Raises ValueError for refs and selectors."""
        x, y = _pixels(target)
        return round(x / display.width * self.factor), round(y / display.height * self.factor)


@dataclass(frozen=True, slots=True)
class Shown:
    """Pixels of the picture that the model is shown, which its preprocessing leaves as it is."""

    def target(self, x: float, y: float, display: Display) -> Target:
        """Raises Refused outside of the picture."""
        return display.target(x, y)

    def point(self, target: Target, display: Display) -> Point:
        """Where a point of the screen is. Raises ValueError for refs and selectors."""
        return display.point(target)


@dataclass(frozen=True, slots=True)
class Absolute:
    """Pixels of the resized picture. The limits are areas, as the model's processor has them."""

    min_pixels: int = 100 * 28 * 28
    max_pixels: int = 16_384 * 28 * 28

    def target(self, x: float, y: float, display: Display) -> Target:
        """Raises Refused outside of the picture."""
        return self._display_of(display).target(x, y)

    def point(self, target: Target, display: Display) -> Point:
        """Where a point of the screen is. Raises ValueError for refs and selectors."""
        return self._display_of(display).point(target)

    def _display_of(self, display: Display) -> Display:
        size = smart_resize(*display.picture, self.min_pixels, self.max_pixels)
        return Display(display.width, display.height, size)


RELATIVE, ABSOLUTE, SHOWN = Relative(), Absolute(), Shown()
Coordinates = Relative | Absolute | Shown


def lines_of_part(
    picture: Screenshot | None, display: Display, coordinates: Coordinates
) -> list[str]:
    """Which part of the screen a picture shows, in the coordinates of later answers; nothing for a
    whole screen."""
    if picture is None or picture.part is None:
        return []
    part = picture.part
    left, top = coordinates.point(Target(x=part.left, y=part.top), display)
    right, bottom = coordinates.point(Target(x=part.right, y=part.bottom), display)
    where = f"({left},{top}) to ({right},{bottom})"
    return [f"picture: the part {where} of the screen; points stay those of the whole screen"]


def _pixels(target: Target) -> tuple[float, float]:
    if target.x is None or target.y is None:
        raise ValueError("only a point has a place in a picture")
    return target.x, target.y


def with_places(action: SimpleAction, place: Callable[[Target], Target]) -> SimpleAction:
    """The action with its targets exchanged."""
    changed: dict[str, Any] = {}
    if isinstance(target := getattr(action, "target", None), Target):
        changed["target"] = place(target)
    for several in ("path", "corners", "points"):
        if targets := getattr(action, several, None):
            changed[several] = tuple(place(target) for target in targets)
    return action.model_copy(update=changed) if changed else action
