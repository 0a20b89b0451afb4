"""Enums, constants, structs and sequences of UNO by their names below com.sun.star."""

from __future__ import annotations

from typing import Any


def enum(kind: str, value: str) -> Any:
    """Such as `enum("sheet.FillDirection", "TO_BOTTOM")`, below com.sun.star."""
    import uno

    return uno.Enum(f"com.sun.star.{kind}", value)


def constant(name: str) -> Any:
    """Such as `constant("sheet.CellFlags.VALUE")`, below com.sun.star."""
    import uno

    return uno.getConstantByName(f"com.sun.star.{name}")


def struct(name: str, **fields: Any) -> Any:
    """A UNO struct below com.sun.star with its fields set."""
    import uno

    made = uno.createUnoStruct(f"com.sun.star.{name}")
    for field, value in fields.items():
        setattr(made, field, value)
    return made


def sequence(kind: str, values: tuple[Any, ...]) -> Any:
    """A typed UNO sequence, for properties that ignore an untyped one."""
    import uno

    return uno.Any(f"[]com.sun.star.{kind}", values)
