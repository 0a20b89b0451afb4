"""Problems of the user's own: a JSONL file, one problem a line.

    {"question": "...", "answer": "...", "match": "text" | "number" | "items", "thought": "..."}

`match` (text) and `thought` (none) may be missing. `items` are compared in any order.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from envs.contract.validation import describe_first
from trainer.reasoning.problem import NUMBER, Problem, same_items, same_number, same_text

KIND = "own"


class OwnProblem(BaseModel):
    """One line of the file."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    question: str = Field(min_length=1)
    answer: str = Field(min_length=1)
    match: Literal["text", "number", "items"] = "text"
    thought: str = ""

    @model_validator(mode="after")
    def _check_number(self) -> OwnProblem:
        if self.match == "number" and NUMBER.fullmatch(self.answer.strip()) is None:
            raise ValueError(f"answer {self.answer[:40]!r} is no number; set match to 'text'")
        return self

    @property
    def problem(self) -> Problem:
        """With its verifier."""
        question = " ".join(self.question.split("\n")[-1].split())
        return Problem(
            kind=KIND,
            lines=tuple(self.question.split("\n")[:-1]),
            question=question,
            thought=self.thought,
            answer=" ".join(self.answer.split()),
            is_right=self._verifier(),
        )

    def _verifier(self) -> Callable[[str], bool]:
        match self.match:
            case "number":
                return same_number(float(self.answer))
            case "items":
                return same_items(self.answer.split(","))
            case "text":
                return same_text(self.answer)


def read_own(file: Path) -> list[Problem]:
    """All problems of a file. Raises ValueError in one sentence with the line."""
    try:
        lines = file.read_text().splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"cannot read {file}: {error}") from error
    problems = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            problems.append(OwnProblem.model_validate_json(line).problem)
        except ValidationError as error:
            raise ValueError(f"{file}, line {number}: {describe_first(error)}") from error
    if not problems:
        raise ValueError(f"{file} has no problem: write one JSON object a line")
    return problems
