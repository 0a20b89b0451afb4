"""How a shape of a slide is given."""

from __future__ import annotations

from typing import Any

import pytest

from tests.envs.apps.office.real_office import Refused

Call = Any


@pytest.mark.parametrize(
    ("shape", "words"),
    [
        (7, "there is no shape 7; the slide has: 1 title, 2 content"),
        ("chart", "there is no shape chart"),
    ],
)
def test_a_wrong_shape_names_those_there_are(
    call: Call, slide: int, shape: int | str, words: str
) -> None:
    with pytest.raises(Refused, match=words):
        call("impress.set_text", slide=slide, shape=shape, text="x")
