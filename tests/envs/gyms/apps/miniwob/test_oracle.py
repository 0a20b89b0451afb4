"""Which tasks have an oracle."""

from __future__ import annotations

import pytest

from envs.gyms.apps.miniwob.assets import is_installed, registered_templates
from envs.gyms.apps.miniwob.oracle import SCRIPTS, oracle_of
from envs.gyms.apps.miniwob.scripts.live_page import LivePageOracle
from envs.gyms.apps.miniwob.standard_tasks import STANDARD_TASKS

if not is_installed():
    pytest.skip("the package miniwob is not installed", allow_module_level=True)


def test_the_standard_tasks_have_an_oracle() -> None:
    assert len(SCRIPTS) == 97
    assert set(SCRIPTS) <= set(registered_templates())
    assert len(set(STANDARD_TASKS)) == 56
    assert set(STANDARD_TASKS) <= set(SCRIPTS)
    assert isinstance(oracle_of("click-test"), LivePageOracle)
    with pytest.raises(KeyError, match="no oracle for bisect-angle"):
        oracle_of("bisect-angle")
