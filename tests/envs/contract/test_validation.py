"""What is said of data that is not valid."""

from __future__ import annotations

import pytest
from pydantic import BaseModel, ValidationError

from envs.contract.validation import describe_first


class Inner(BaseModel):
    sizes: list[int]


class Outer(BaseModel):
    inner: Inner


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
