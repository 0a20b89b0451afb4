"""What is said of data that is not valid."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import BaseModel, ValidationError, model_validator

from envs.contract.validation import describe_first, suggest_files, suggest_names


class Inner(BaseModel):
    sizes: list[int]


class Outer(BaseModel):
    inner: Inner

    @model_validator(mode="after")
    def _check_sizes(self) -> Outer:
        if not self.inner.sizes:
            raise ValueError("there is no size")
        return self


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ({"inner": {"sizes": [1, "two"]}}, "inner.sizes.1: Input should be a valid integer"),
        ({}, "inner: Field required"),
        (3, "arguments: Input should be a valid dictionary"),
    ],
)
def test_the_first_problem_is_told_with_its_place(data: object, text: str) -> None:
    with pytest.raises(ValidationError) as caught:
        Outer.model_validate(data)
    assert describe_first(caught.value, "arguments").startswith(text)


def test_a_problem_of_the_whole_is_told_without_a_place() -> None:
    with pytest.raises(ValidationError) as caught:
        Outer.model_validate({"inner": {"sizes": []}})
    assert describe_first(caught.value) == "there is no size"


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("shp", " (did you mean shop?)"),
        ("Mail", " (did you mean mail?)"),
        ("cheapest_size", " (did you mean cheapest_sized or cheapest?)"),
        ("zzz", ""),
    ],
)
def test_near_names_are_suggested_for_a_mistyped_one(name: str, hint: str) -> None:
    assert suggest_names(name, ["shop", "mail", "cheapest", "cheapest_sized"]) == hint


def test_a_file_that_is_missing_is_looked_for_among_its_neighbours(tmp_path: Path) -> None:
    (tmp_path / "anthropic.toml").touch()
    assert suggest_files(tmp_path / "antropic.toml") == " (did you mean anthropic.toml?)"
    assert suggest_files(tmp_path / "no" / "antropic.toml") == ""
