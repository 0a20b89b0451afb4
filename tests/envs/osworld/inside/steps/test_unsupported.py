"""A step that cannot run says why."""

from __future__ import annotations

import pytest

from envs.contract.outcomes import EpisodeFault
from envs.osworld.inside.steps.unsupported import REASONS
from tests.envs.osworld.inside.steps.headless import Headless, run


@pytest.mark.parametrize("kind", REASONS)
def test_a_refused_step_says_why(machine: Headless, kind: str) -> None:
    with pytest.raises(EpisodeFault, match=rf"step 1 \({kind}\): UnsupportedStep: \w+"):
        run(machine, kind)
