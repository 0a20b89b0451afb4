"""What a policy is shown and how it says what to do: one switch for text, pictures or both.

Guarantees: a policy that sees no tree is never asked for names of elements; coordinates are in the
model's own space, of the very pictures that it is shown.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

DialectName = Literal["compact", "uitars", "computer_use", "glm"]


class View(BaseModel):
    """Observation and dialect of our own policies."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    observe: Literal["tree", "picture", "both"] = Field(
        "tree", description="what a prompt shows of the page: its tree as text, a picture, or both"
    )
    dialect: DialectName = Field(
        "compact",
        description="how actions are written: compact names elements of the tree; uitars, "
        "computer_use (Qwen's tool call) and glm (GLM's boxes) name points of the picture",
    )
    coordinates: Literal["relative", "absolute"] = Field(
        "relative",
        description="of points: 0 to 1000 in both directions (Qwen3-VL, UI-TARS, GLM-4.1V), or "
        "pixels of the picture as the model reads it (Qwen2.5-VL, UI-TARS-1.5)",
    )
    pictures: int = Field(
        1, ge=1, le=16, description="pictures in a prompt: the present one, and those before it"
    )
    max_pixels: int | None = Field(
        None,
        ge=784,
        description="largest area of a picture that the policy is shown; none: as large as its "
        "processor takes them",
    )
    thoughts: bool = Field(
        True,
        description="demonstrations in a dialect of points say the oracle's thought before the "
        "action; oracles think in elements of the tree, which no picture shows",
    )
    explain: bool = Field(
        False,
        description="prompts begin with how to answer, for models that were not trained on it here",
    )

    @model_validator(mode="after")
    def _check_dialect(self) -> View:
        if self.observe == "picture" and self.dialect == "compact":
            raise ValueError(
                "compact names elements of a tree, which a policy with observe = 'picture' does "
                "not see: choose dialect = 'uitars', 'computer_use' or 'glm'"
            )
        if self.observe == "tree" and self.dialect != "compact":
            raise ValueError(
                f"{self.dialect} names points of a picture, which a policy with observe = 'tree' "
                "does not see: choose observe = 'picture' or 'both'"
            )
        return self

    @property
    def shows_pictures(self) -> bool:
        """Whether prompts hold pictures."""
        return self.observe != "tree"

    @property
    def shows_tree(self) -> bool:
        """Whether prompts hold the tree."""
        return self.observe != "picture"

    @property
    def most_pictures(self) -> int:
        """Pictures of a prompt at most; 0 where it shows none."""
        return self.pictures if self.shows_pictures else 0


TREE = View()
"""The page's tree, in the compact dialect."""
