from __future__ import annotations

from typing import Any

import pytest

from envs.apps.office.characters import (
    AUTOMATIC,
    character_properties,
    colour_number,
    colour_text,
    require_properties,
    set_properties,
)
from envs.apps.office.registry import OfficeError


class PropertySet:
    """Keeps what is set, as UNO's objects do."""

    def __init__(self) -> None:
        self.values: dict[str, Any] = {}

    def setPropertyValue(self, name: str, value: Any) -> None:
        self.values[name] = value


@pytest.mark.parametrize(
    ("colour", "number"),
    [
        ("red", 0xFF0000),
        (" Grey ", 0x808080),
        ("#0a0B0c", 0x0A0B0C),
        ("FFA500", 0xFFA500),
        ("none", AUTOMATIC),
    ],
)
def test_colours_go_by_name_or_number(colour: str, number: int) -> None:
    assert colour_number(colour) == number


@pytest.mark.parametrize("colour", ["", "#12345", "reddish", "#GGGGGG", "0xFF0000"])
def test_other_colours_are_refused_with_the_names(colour: str) -> None:
    with pytest.raises(OfficeError, match="use #RRGGBB or one of: automatic, black") as refused:
        colour_number(colour)
    assert refused.value.reason == "bad_value"


@pytest.mark.parametrize(("number", "text"), [(-1, "none"), (0, "#000000"), (0xFFA500, "#FFA500")])
def test_colours_as_text(number: int, text: str) -> None:
    assert colour_text(number) == text


def test_only_what_is_given_becomes_a_property() -> None:
    assert character_properties() == {}
    assert character_properties(bold=False, underline=True, colour="blue", size=10.5) == {
        "CharWeight": 100.0,
        "CharUnderline": 1,
        "CharColor": 0x0000FF,
        "CharHeight": 10.5,
    }
    assert character_properties(script="sub") == {
        "CharEscapement": -14000,
        "CharEscapementHeight": 58,
    }


@pytest.mark.parametrize("size", [0, 0.5, 1000, float("nan")])
def test_a_size_out_of_bounds_is_refused(size: float) -> None:
    with pytest.raises(OfficeError, match="1 to 999 points"):
        character_properties(size=size)


def test_letters_of_other_scripts_get_the_variants_too() -> None:
    latin, mixed = PropertySet(), PropertySet()
    properties = {"CharWeight": 150.0, "CharColor": 1}
    set_properties(latin, properties, "Straße")
    set_properties(mixed, properties, "Straße 東")
    assert latin.values == properties
    assert mixed.values == properties | {"CharWeightAsian": 150.0, "CharWeightComplex": 150.0}


def test_a_call_must_change_something() -> None:
    assert require_properties({"CharWeight": 100.0}) == {"CharWeight": 100.0}
    with pytest.raises(OfficeError, match="nothing to change"):
        require_properties({})
