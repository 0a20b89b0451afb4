"""Values of UNO's own types, by their names below com.sun.star.

The host imports the tools without having `uno`, so that it is imported inside functions only.
"""

from __future__ import annotations

from typing import Any

from envs.apps.office.paths import absolute_path


def enum(kind: str, value: str) -> Any:
    """Such as `enum("sheet.FillDirection", "TO_BOTTOM")`."""
    import uno

    return uno.Enum(f"com.sun.star.{kind}", value)


def constant(name: str) -> Any:
    """Such as `constant("sheet.CellFlags.VALUE")`."""
    import uno

    return uno.getConstantByName(f"com.sun.star.{name}")


def struct(name: str, **fields: Any) -> Any:
    """A struct such as "awt.Size" with its fields set."""
    import uno

    value = uno.createUnoStruct(f"com.sun.star.{name}")
    for field, content in fields.items():
        setattr(value, field, content)
    return value


def service(name: str) -> Any:
    """A new instance of a service of the LibreOffice that this runs in."""
    import uno

    context = uno.getComponentContext()
    full_name = f"com.sun.star.{name}"
    return context.ServiceManager.createInstanceWithContext(full_name, context)


def sequence(kind: str, values: tuple[Any, ...]) -> Any:
    """A typed sequence, for properties that ignore an untyped one."""
    import uno

    return uno.Any(f"[]com.sun.star.{kind}", values)


def property_value(name: str, value: Any) -> Any:
    """One named argument of a UNO call."""
    return struct("beans.PropertyValue", Name=name, Value=value)


def property_values(values: tuple[Any, ...]) -> Any:
    """A typed sequence of `property_value`s."""
    return sequence("beans.PropertyValue", values)


def invoke(target: Any, method: str, *arguments: Any) -> None:
    """A call whose arguments keep their UNO type: a plain call unwraps typed sequences."""
    import uno

    uno.invoke(target, method, arguments)


def file_url(path: str) -> str:
    """The file: URL of a path."""
    import uno

    url: str = uno.systemPathToFileUrl(str(absolute_path(path)))
    return url
