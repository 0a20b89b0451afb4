from __future__ import annotations

import pytest

from envs.apps.office.layout import EXACT, PROPORTIONAL, proportional_spacing
from envs.apps.office.registry import OfficeError
from tests.envs.apps.office.real_office import run_in_bridge_python

SPACINGS = """
from envs.apps.office.layout import exact_spacing, proportional_spacing
for spacing in (proportional_spacing(1.5), proportional_spacing(0.06), exact_spacing(36)):
    print(spacing.Mode, spacing.Height)
"""


@pytest.mark.parametrize("lines", [0, 0.05, 100.5, 150])
def test_line_spacing_is_in_lines_not_in_percent(lines: float) -> None:
    with pytest.raises(OfficeError, match="line_spacing is in lines"):
        proportional_spacing(lines)


@pytest.mark.office
def test_spacing_in_lines_and_in_points() -> None:
    lines = run_in_bridge_python(SPACINGS).split("\n")
    assert lines[:3] == [f"{PROPORTIONAL} 150", f"{PROPORTIONAL} 6", f"{EXACT} 1270"]
