from __future__ import annotations

import json

import pytest

from tests.envs.apps.office.real_office import run_in_bridge_python

pytestmark = pytest.mark.office

VALUES = """
import json
from envs.apps.office.uno_values import (
    constant, enum, file_url, property_value, property_values, sequence, struct
)
size = struct("awt.Size", Width=3, Height=4)
pair = property_value("Hidden", True)
typed = property_values((pair,))
print(json.dumps({
    "enum": enum("sheet.FillDirection", "TO_BOTTOM").value,
    "constant": constant("sheet.CellFlags.STRING"),
    "struct": [size.Width, size.Height, type(size).__name__],
    "property": [pair.Name, pair.Value],
    "types": [typed.type.typeName, sequence("awt.Size", (size,)).type.typeName],
    "url": file_url("/tmp/a b/\u00e9.odt"),
}))
"""


def test_values_of_unos_types() -> None:
    assert json.loads(run_in_bridge_python(VALUES)) == {
        "enum": "TO_BOTTOM",
        "constant": 4,
        "struct": [3, 4, "com.sun.star.awt.Size"],
        "property": ["Hidden", True],
        "types": ["[]com.sun.star.beans.PropertyValue", "[]com.sun.star.awt.Size"],
        "url": "file:///tmp/a%20b/%C3%A9.odt",
    }


def test_a_wrong_field_is_an_error() -> None:
    code = """
from envs.apps.office.uno_values import struct
try:
    struct("awt.Size", Depth=1)
except Exception as error:
    print(type(error).__name__)
"""
    assert run_in_bridge_python(code).strip() == "AttributeError"
